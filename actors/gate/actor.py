"""The gate: decides about every call, asks the user where it must, hands the call to the worker that may do it.

What it decided for one call is a ticket, good once. The worker answers the agent directly.
"""

import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import trio

from actors.errors import Failed, UnexpectedMessage, failed
from actors.gate import agent_calls, own_tools, user_jobs
from actors.gate.authorisation import Authorisation, Yes, decoded, facts_of
from actors.gate.hooks import Hooks, may_still
from actors.gate.own_results import recalled, skill_text
from actors.gate.own_results.plan_answers import PlanAnswers
from actors.gate.revocation import Revocation
from actors.gate.rules.modes import LABELS
from actors.gate.rules.scene import Scene, explanation
from actors.gate.standing.agent_states import AgentStates
from actors.gate.subjects.web_reads import meant
from actors.gate.user_commands import USER, run_command
from actors.gate.user_jobs import Wanted
from actors.gate.workers import kind_of, worker_of
from actors.gate.workspace_trust import settled
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.job import AwaitJobs, DescribeJobs, EndJob
from actors.messages.mcp import DescribeServers, RestartServers, ServerChanged
from actors.messages.subagent import Confine
from actors.messages.system import TrySandbox
from actors.messages.tool import (
    Allowed,
    Authorise,
    CarryMode,
    Denied,
    DescribeRules,
    Explain,
    ForgetRule,
    MapRepository,
    Mode,
    ModeIs,
    OfferTools,
    RepositoryMap,
    Rules,
    RunCommand,
    RunGranted,
    RunHooks,
    RunTool,
    SetMode,
    UserAnswered,
)
from actors.messages.turn import FilesFound, FindFiles
from actors.settings.config import Settings
from actors.settings.mcp.names import LIST_TOOL
from actors.settings.tool_names import CALL_TOOL, SEARCH_TOOLS

AGENTS = "agent:"
Handler = Callable[[Any, Request], Awaitable[None]]
"""Of one kind of message."""
LISTING = ToolCall(call_id="", name="list", arguments="{}")
"""All of the workspace is looked at."""
MOST_TICKETS = 512
"""Of calls that were cancelled between yes and run tickets are left; whoever needs a dropped one asks again."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    opening = Opening(mailbox, settings)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(opening.open)
        async for request in mailbox:
            nursery.start_soon(request.serve, opening.serve)
        nursery.cancel_scope.cancel()


class Opening:
    """Whoever asks the gate waits until the user has decided about what the workspace brings."""

    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._opened = trio.Event()
        self._gate: Gate

    async def open(self) -> None:
        self._gate = Gate(self._mailbox, await settled(self._mailbox, self._settings))
        self._opened.set()

    async def serve(self, request: Request) -> None:
        """Raises Failed."""
        await self._opened.wait()
        await self._gate.serve(request)


class Ticket(msgspec.Struct, frozen=True):
    holder: str
    """Who asked."""
    agent: str
    """Whose call it is."""
    asked: Authorise
    """What runs is not its call, but the judged one."""
    yes: Yes


class Gate:
    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._states = AgentStates(mailbox, settings)
        self._authorisation = Authorisation(mailbox, settings, self._states)
        self._hooks = Hooks(mailbox, settings)
        self._revocation = Revocation(settings, self._states)
        self._plan_answers = PlanAnswers(mailbox, self._enter, self._states.mode_before)
        self._tickets: dict[str, Ticket] = {}
        self._handlers: dict[type[Message], Handler] = {
            OfferTools: self.offer,
            Authorise: self.authorise,
            RunTool: self.hand_on,
            SetMode: self.change_standing,
            CarryMode: self.change_standing,
            Confine: self.change_standing,
            Explain: self.explain,
            DescribeRules: self.answer_about_rules,
            ForgetRule: self.answer_about_rules,
            RunHooks: self.run_hooks,
            MapRepository: self.map_repository,
            FindFiles: self.find_files,
            RunCommand: self.run_command,
            DescribeJobs: self.go_about_jobs,
            AwaitJobs: self.go_about_jobs,
            EndJob: self.go_about_jobs,
            TrySandbox: self.try_sandbox,
            ServerChanged: self.note_server,
            DescribeServers: self.describe_servers,
            RestartServers: self.restart_servers,
        }

    async def serve(self, request: Request) -> None:
        """Raises Failed."""
        handler = self._handlers.get(type(request.message))
        if handler is None:
            raise UnexpectedMessage(request.message)
        await handler(request.message, request)

    async def offer(self, wanted: OfferTools, request: Request) -> None:
        """To a model its tools, at once; to everybody else also what they run in, once that is known."""
        if request.sender.startswith(AGENTS):
            to_model = await self._states.offered(request.sender, wanted)
            with suppress(Failed):  # a full disk keeps nobody from looking; it may have room the next time
                await self._states.keep_begun(request.sender)  # a short run may end right after the reply
            request.reply(to_model)
            await self._states.servers.start_unknown()
            return
        scene = await self._states.load(request.sender)
        offered = scene.offered()
        request.reply(msgspec.structs.replace(scene.known, tools=offered, mode=scene.context.mode))

    async def authorise(self, wanted: Authorise, request: Request) -> None:
        agent = await self._whose(wanted, request.sender)
        if why := await self._states.why_nothing(agent, wanted.session_id):
            request.reply(Denied(reason=f"denied: {why}", remedy=why))
            return
        call = agent_calls.to_judge(self._states.servers.meant(meant(wanted.call)), wanted.merging)
        await self._states.servers.heard_of(call.name)
        decided = await self._authorisation.decide(agent, msgspec.structs.replace(wanted, call=call))
        if isinstance(decided, Denied):
            request.reply(decided)
            return
        scene = await self._states.load(agent)
        if scene.spec(decided.judgement.call.name).runs_in == "agent":
            request.reply(_for_the_agent(decided, request.sender))
            return
        if _only_looks(decided, scene):
            await self._run(decided, scene, wanted, request)
            return
        while len(self._tickets) >= MOST_TICKETS:
            del self._tickets[next(iter(self._tickets))]
        ticket = uuid.uuid4().hex
        self._tickets[ticket] = Ticket(request.sender, agent, wanted, decided)
        request.reply(Allowed(ticket=ticket, context=decided.context))

    async def _whose(self, wanted: Authorise, sender: str) -> str:
        """Raises Failed."""
        if not wanted.agent:
            return sender
        if sender != USER:
            raise failed("not_allowed", f"{sender} may have no call judged as one of {wanted.agent}.")
        if wanted.session_id:
            await self._states.begin(wanted.agent, wanted.session_id)
        return wanted.agent

    async def hand_on(self, wanted: RunTool, request: Request) -> None:
        """Raises Failed."""
        ticket = self._tickets.pop(wanted.ticket, None)
        if ticket is None or (ticket.holder, ticket.asked.call) != (request.sender, wanted.call):
            raise failed("unknown_ticket", "the gate did not allow this call.")
        if ticket.yes.answer is not None:
            request.reply(await self._own_result(ticket, ticket.yes.answer))
            return
        await self._run(ticket.yes, await self._states.load(ticket.agent), ticket.asked, request)

    async def _run(self, yes: Yes, scene: Scene, asked: Authorise, request: Request) -> None:
        """Raises Failed."""
        judged = yes.judgement
        if judged.call.name == own_tools.SKILL.name:
            request.reply(await skill_text.result(judged.call, scene, self._settings))
            return
        if judged.call.name == own_tools.RECALL.name:
            request.reply(await recalled.result(self._mailbox, judged.call, asked.session_id))
            return
        if judged.call.name == LIST_TOOL:
            request.reply(self._states.servers.resources(judged.call))
            return
        if judged.call.name == SEARCH_TOOLS:
            from actors.gate.own_results import found_tools  # only who has servers pays for it

            request.reply(await found_tools.result(judged.call, self._states.findable(scene)))
            return
        if judged.call.name == CALL_TOOL:
            own_tools.refuse_made(judged.call)
        spec, context = scene.spec(judged.call.name), scene.context
        if spec.runs_in == "mcp":
            worker = await self._states.servers.ready(spec.server)
        else:
            kind = kind_of(judged.call, spec, judged.grant, context)
            worker = await self._states.workers.ready(scene.agent, kind)
        request.forward(worker, RunGranted(call=judged.call, grant=judged.grant, seen=asked.seen))

    async def _own_result(self, ticket: Ticket, answer: UserAnswered) -> ToolResult:
        """Of a tool of the gate's own."""
        call = ticket.yes.judgement.call
        if call.name == own_tools.PRESENT_PLAN.name:
            return await self._plan_answers.settle(await self._states.load(ticket.agent), call, answer)
        if call.name == own_tools.REMEMBER.name:
            home = Path(self._settings.home)
            output = await trio.to_thread.run_sync(own_tools.remembered, call, answer, home)
        else:
            output = own_tools.answer_to(own_tools.question(ticket.agent, call), answer)
        return ToolResult(call_id=call.call_id, name=call.name, output=output, summary=output.partition("\n")[0])

    async def change_standing(self, wanted: SetMode | CarryMode | Confine, request: Request) -> None:
        """What calls of a session are judged by, on disk before it counts. Raises Failed."""
        match wanted:
            case CarryMode(session_id=session_id):
                await self._states.carry(request.sender, session_id)
                request.reply(Done())
            case Confine():
                await self._states.confine(wanted, request.sender)
                request.reply(Done())
            case SetMode(agent=agent, mode=mode, session_id=session_id):
                if session_id:
                    await self._states.begin(agent, session_id)
                await self._states.enter(agent, mode)
                request.reply(ModeIs(mode=mode, label=LABELS[mode], agent=agent))

    async def _enter(self, agent: str, mode: Mode) -> None:
        await self._states.enter(agent, mode)
        self._mailbox.tell("ui", ModeIs(mode=mode, label=LABELS[mode], agent=agent))

    async def explain(self, wanted: Explain, request: Request) -> None:
        scene = await self._states.load(request.sender)
        scene = scene.in_mode(wanted.mode or scene.context.mode)
        call = self._states.servers.meant(meant(wanted.call))
        await self._authorisation.check(scene, call)
        scene, _ = await self._authorisation.looked_at(scene, call)
        hooks = tuple(may_still(self._settings, call.name, scene.judge(call).decision))
        request.reply(msgspec.structs.replace(explanation(scene, call), hooks=hooks))

    async def answer_about_rules(self, wanted: DescribeRules | ForgetRule, request: Request) -> None:
        if isinstance(wanted, DescribeRules):
            request.reply(Rules(rules=await self._revocation.rules()))
            return
        await self._revocation.forget(wanted.rule)
        request.reply(Done())

    async def map_repository(self, wanted: MapRepository, request: Request) -> None:
        """On it is what could be listed."""
        judgement = (await self._states.load(request.sender)).judge(LISTING)
        if judgement.decision.verdict != "allow":
            request.reply(RepositoryMap(text=""))
            return
        granted = MapRepository(tokens=wanted.tokens, grant=judgement.grant)
        request.forward(worker_of(request.sender), granted)

    async def find_files(self, wanted: FindFiles, request: Request) -> None:
        """Among what could be listed."""
        judgement = (await self._states.load(request.sender)).judge(LISTING)
        if judgement.decision.verdict != "allow":
            request.reply(FilesFound(paths=(), total=0, why=judgement.decision.why))
            return
        granted = msgspec.structs.replace(wanted, grant=judgement.grant)
        request.forward(worker_of(request.sender), granted)

    async def run_command(self, wanted: RunCommand, request: Request) -> None:
        """Raises Failed."""
        await run_command(self._mailbox, self._states, wanted, request)

    async def go_about_jobs(self, wanted: Wanted, request: Request) -> None:
        """Raises Failed."""
        await user_jobs.answer(self._mailbox, wanted, request)

    async def try_sandbox(self, wanted: TrySandbox, request: Request) -> None:
        """A fixed command with nothing of anybody's in it needs no permission. Raises Failed."""
        if request.sender != USER:
            raise failed("not_allowed", f"{request.sender} may not try the sandbox.")
        request.forward(worker_of(request.sender), wanted)

    async def note_server(self, told: ServerChanged, request: Request) -> None:  # noqa: ARG002  # nobody waits
        await self._states.servers.changed(told.server)

    async def describe_servers(self, wanted: DescribeServers, request: Request) -> None:  # noqa: ARG002  # no fields
        request.reply(self._states.servers.described())

    async def restart_servers(self, wanted: RestartServers, request: Request) -> None:
        request.reply(await self._states.servers.restart(wanted))

    async def run_hooks(self, wanted: RunHooks, request: Request) -> None:
        scene = await self._states.load(request.sender)
        given = msgspec.json.decode(wanted.payload, type=dict[str, object])
        facts = facts_of(scene, "") | given
        if isinstance(arguments := facts.get("arguments"), str):
            facts["arguments"] = decoded(arguments)
        request.reply(await self._hooks.run(worker_of(request.sender), wanted.event, facts, wanted.tool))


def _for_the_agent(yes: Yes, asker: str) -> Allowed:
    """Raises Failed where no agent asks."""
    if not asker.startswith(AGENTS):
        raise failed("tool_failed", agent_calls.ELSEWHERE)
    return Allowed(ticket="", context=yes.context, call=agent_calls.to_run(yes.judgement.call))


def _only_looks(yes: Yes, scene: Scene) -> bool:
    """It may be run twice, so nobody has to write down first that it was begun.

    What hooks want the model to know goes with a ticket: the worker, which answers, is not told of it.
    """
    return yes.answer is None and not yes.context and scene.spec(yes.judgement.call.name).effect == "read"
