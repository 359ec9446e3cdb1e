"""Which tool worker a call runs in, and that it is there: those with another confinement are started when needed."""

from collections import defaultdict
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.errors import failed
from actors.gate import known_tools
from actors.gate.decision import Context
from actors.gate.subjects.places import locate
from actors.gate.subjects.session_places import TEMPORARY, is_doubled
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.model import ToolSpec
from actors.messages.system import StartActor
from actors.messages.tool import DescribeTools, Grant, OfferChanged, SandboxIs, SandboxLevel, Tools
from actors.settings.config import Settings, WorkerKind

ABOUT_JOBS = ("bash_output", "bash_kill")
"""Tools whose calls go where their job runs."""
KINDS_OF_JOBS: dict[str, WorkerKind] = {"network": "network", "none": "none"}
"""What the ids of jobs begin with that run elsewhere than in the agent's own worker."""


class JobNamed(msgspec.Struct, frozen=True):
    """What is read of the arguments of a call about a job."""

    job: str = ""


def kind_of(call: ToolCall, spec: ToolSpec, grant: Grant, context: Context) -> WorkerKind:
    """What the worker of this call is confined to. Raises Failed: no one worker can do all of it."""
    if spec.runs_in == "web":
        return "web"
    if context.unrestricted:
        return ""  # the agent's own is confined to nothing either
    if call.name in ABOUT_JOBS:
        return _kind_of_call(call)
    if spec.runs_in == "open" or not grant.sandboxed or _reaches_outside(spec, grant, context):
        return "none"
    return "network" if grant.network and context.level == "landlock" else ""


def _reaches_outside(spec: ToolSpec, grant: Grant, context: Context) -> bool:
    """Of a tool that reads one path and writes another, either counts: the user has said yes to both. Raises Failed."""
    scopes = {touch.scope for touch in spec.touches}
    strange = [Path(path) for path in grant.paths if not Path(path).is_relative_to(context.workspace)]
    if not scopes.isdisjoint(("write", "patch", "delete")):
        needs = any(str(path) not in grant.own for path in strange)
    else:
        places = (locate(str(path), context.workspace) for path in strange if str(path) not in grant.own)
        needs = "read" in scopes and any(is_doubled(place, context) for place in places)
    by_name = next((path for path in strange if str(path) in grant.own and path.is_relative_to(TEMPORARY)), None)
    if needs and by_name and context.temporary and not by_name.is_relative_to(context.temporary):
        real = context.temporary / by_name.relative_to(TEMPORARY)
        text = f"{by_name} is the session's own, and this call also reaches outside of it."
        raise failed("tool_failed", text, f"Name it by its real path: {real}")
    return needs


def _kind_of_call(call: ToolCall) -> WorkerKind:
    try:
        job = msgspec.json.decode(call.arguments, type=JobNamed).job
    except msgspec.DecodeError:
        return ""  # its tool says what is wrong with it
    return kind_of_job(job)


def kind_of_job(job: str) -> WorkerKind:
    """Of the worker that has it, by its id."""
    return KINDS_OF_JOBS.get(job.partition("-")[0], "")


def worker_of(agent: str, kind: WorkerKind = "") -> str:
    """agent:t1 has tools:t1; the ui itself, which runs a tool without a model, the main one."""
    if kind == "web":
        return "web"
    return f"tools:{agent.partition(':')[2] or 'main'}{f'~{kind}' if kind else ''}"


class Workers:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._described: dict[str, Tools] = {}
        self._describing: defaultdict[str, trio.Lock] = defaultdict(trio.Lock)
        """Agent and screen ask at the same moment; a worker is asked once."""
        self._remembered: Tools | None = None
        self._offered: dict[str, Tools] = {}
        """What agents were told of before their worker had said anything."""

    async def described(self, agent: str) -> Tools:
        """What the agent's own worker has, and where it works. Raises Failed."""
        worker = worker_of(agent)
        if worker not in self._described:
            async with self._describing[worker]:
                if worker not in self._described:
                    known = await self._mailbox.insist(worker, DescribeTools(), Tools)
                    self._described[worker] = self._sharing(known)
                    self._tell_of_change(worker, known)
                    await self._remember(known)
        return self._described[worker]

    def _tell_of_change(self, worker: str, known: Tools) -> None:
        """Whoever has made it speak, which may be the screen."""
        for agent in [one for one in self._offered if worker_of(one) == worker]:
            if self._offered.pop(agent).tools != known.tools:
                self._mailbox.tell(agent, OfferChanged())

    async def _remember(self, known: Tools) -> None:
        """In a thread: while the disk is slow the calls of other agents are decided."""
        told, self._remembered = self._remembered, known
        if told is None or (told.tools, told.sandbox) != (known.tools, known.sandbox):
            write = partial(known_tools.remember, self._settings, known)
            await trio.to_thread.run_sync(write, abandon_on_cancel=True)
        self._mailbox.tell("ui", SandboxIs(level=known.sandbox))  # who told it another one may have died since

    async def expected(self, agent: str) -> Tools:
        """What its worker has, or what an earlier one had while this one is not described. Raises Failed."""
        if worker_of(agent) not in self._described:
            self._remembered = self._remembered or known_tools.remembered(self._settings)
            if self._remembered is not None:
                self._offered[agent] = self._remembered
                return self._remembered
        return await self.described(agent)

    def known(self, agent: str) -> Tools:
        """Once it is described."""
        return self._described[worker_of(agent)]

    def _sharing(self, known: Tools) -> Tools:
        """Workers have the same tools: a batch of many agents keeps them once."""
        first = next(iter(self._described.values()), known)
        return msgspec.structs.replace(known, tools=first.tools) if first.tools == known.tools else known

    def level(self, agent: str) -> SandboxLevel | None:
        """What its commands run in, as far as anybody has said it; None: nobody has."""
        known = self._described.get(worker_of(agent), self._remembered)
        return None if known is None else known.sandbox

    async def ready(self, agent: str, kind: WorkerKind) -> str:
        """Its name; it runs, or is being started. Raises Failed.

        Started with the same settings by every life of the gate: one that runs already is left as it is.
        """
        name = worker_of(agent, kind)
        if kind:
            nothing = msgspec.Raw(b"\xc0")
            cwd = self._settings.cwd if kind == "web" else (await self.described(agent)).cwd or self._settings.cwd
            temporary = "" if kind == "web" else (await self.described(agent)).temporary
            settings = msgspec.structs.replace(self._settings, worker=kind, cwd=cwd, temporary=temporary, front=nothing)
            order = StartActor(name=name, settings=msgspec.Raw(msgspec.msgpack.encode(settings)))
            await self._mailbox.insist("supervisor", order, Done)
        return name
