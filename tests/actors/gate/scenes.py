"""The real gate and the real store with fake workers; the test is the agent and the screen."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.errors import Failed
from actors.gate import actor as gate_actor
from actors.mailbox import Request
from actors.messages.base import Message
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.model import ToolSpec, Touch
from actors.messages.tool import Allowed, Authorise, Mode, ModeIs, RunTool, SetMode, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings.config import Settings
from actors.store import actor as store_actor
from tests.fakes.network import Network, open_network
from tests.fakes.tools import SCHEMA, FakeProviders, FakeServer, FakeSupervisor, FakeTools

READ, WRITE = Touch(scope="read", argument="path"), Touch(scope="write", argument="path")
COMMAND, URL = Touch(scope="bash", argument="command"), Touch(scope="web", argument="url")
GUARD_S = 10.0
"""Against hanging only: a question that never comes."""
SPECS = (
    ToolSpec(name="read", description="Read.", parameters=SCHEMA, effect="read", touches=(READ,)),
    ToolSpec(name="write", description="Write.", parameters=SCHEMA, effect="write", touches=(WRITE,)),
    ToolSpec(name="bash", description="Run.", parameters=SCHEMA, effect="execute", touches=(COMMAND,)),
    ToolSpec(name="bash_output", description="See.", parameters=SCHEMA, effect="meta"),
    ToolSpec(name="gh", description="See.", parameters=SCHEMA, effect="network", runs_in="open"),
    ToolSpec(name="web_fetch", description="Get.", parameters=SCHEMA, effect="network", touches=(URL,), runs_in="web"),
)


def call(name: str, call_id: str = "c1", /, **arguments: object) -> ToolCall:
    return ToolCall(call_id=call_id, name=name, arguments=msgspec.json.encode(arguments).decode())


class Scene:
    def __init__(
        self,
        network: Network,
        nursery: trio.Nursery,
        settings: Settings,
        tools: FakeTools,
        servers: Mapping[str, FakeServer] | None = None,
    ) -> None:
        self.network, self.tools = network, tools
        self._nursery = nursery
        self._settings = settings
        self._decided: dict[str, Message | Failed] = {}
        self._deciding: dict[str, trio.Event] = {}
        self._open: list[Request] = []
        self.told: list[Message] = []
        """What the screen was told."""
        self.supervisor = FakeSupervisor(network, servers)
        self.providers = FakeProviders()
        network.start("store", partial(store_actor.run, settings=settings))
        network.start("tools:main", tools.run)
        network.start("supervisor", self.supervisor.run)
        network.start("providers", self.providers.run)
        self.start_gate()
        self.agent, self.ui = network.mailbox("agent:main"), network.mailbox("ui")

    def close(self) -> None:
        """Whoever waits for an answer would wait for it longer than the test."""
        for request in (*self._open, *self.ui.take_waiting()):
            request.reply(UserAnswered(choice="no"))

    def start_gate(self) -> None:
        self.network.start("gate", partial(gate_actor.run, settings=self._settings))

    def restart_gate(self) -> None:
        self.network.kill("gate")
        self.start_gate()

    async def authorise(self, wanted: ToolCall, *named: str) -> Message:
        """named: hosts that were named before. Raises Failed."""
        return await self.agent.insist("gate", Authorise(call=wanted, session_id="s1", named=named), Message)

    def ask_for(self, wanted: ToolCall) -> None:
        """The same in the background, until `verdict`."""
        self._deciding[wanted.call_id] = trio.Event()
        self._nursery.start_soon(self._ask_for, wanted)

    async def _ask_for(self, wanted: ToolCall) -> None:
        try:
            self._decided[wanted.call_id] = await self.authorise(wanted)
        except Failed as failure:
            self._decided[wanted.call_id] = failure
        self._deciding[wanted.call_id].set()

    async def verdict(self, call_id: str = "c1") -> Message | Failed:
        await self._deciding[call_id].wait()
        return self._decided[call_id]

    def is_decided(self, call_id: str) -> bool:
        return call_id in self._decided

    async def question(self) -> tuple[Request, UserAsked]:
        """The next one the screen gets; what else it is told is kept in `told`."""
        async for request in self.ui:
            if isinstance(request.message, UserAsked):
                self._open.append(request)
                return request, request.message
            self.told.append(request.message)
        raise AssertionError

    async def told_by_now(self) -> list[Message]:
        await trio.testing.wait_all_tasks_blocked()
        self.told += [request.message for request in self.ui.take_waiting()]
        return self.told

    async def notices(self) -> list[str]:
        return [message.text for message in await self.told_by_now() if isinstance(message, Notice)]

    async def answer(self, wanted: ToolCall, choice: str, text: str = "") -> Message | Failed:
        """What the gate says of the call, when the user answers so."""
        self.ask_for(wanted)
        request, _ = await self.question()
        request.reply(UserAnswered(choice=choice, text=text))
        return await self.verdict(wanted.call_id)

    async def result(self, wanted: ToolCall, verdict: Message | Failed) -> ToolResult:
        """Of a call that was allowed, or only looked and is over. Raises Failed."""
        if isinstance(verdict, ToolResult):
            return verdict
        assert isinstance(verdict, Allowed), verdict
        async with self.agent.stream("gate", RunTool(call=wanted, ticket=verdict.ticket)) as stream:
            return await stream.result(ToolResult)

    async def run(self, wanted: ToolCall) -> ToolResult:
        """Of a call that nobody has to be asked about."""
        return await self.result(wanted, await self.authorise(wanted))

    async def set_mode(self, mode: Mode) -> None:
        await self.ui.ask("gate", SetMode(agent="agent:main", mode=mode), ModeIs)


@asynccontextmanager
async def a_gate(
    workspace: Path,
    mode: Mode = "default",
    tools: FakeTools | None = None,
    servers: Mapping[str, FakeServer] | None = None,
    **settings: object,
) -> AsyncIterator[Scene]:
    home = workspace / ".home"
    (home / "run").mkdir(parents=True, exist_ok=True)
    plain = Settings(home=str(home), cwd=str(workspace), session_id="s1", run_id="r1", mode=mode, interactive=True)
    made = msgspec.structs.replace(plain, **settings)
    with trio.fail_after(GUARD_S):
        async with open_network() as network, trio.open_nursery() as nursery:
            scene = Scene(network, nursery, made, tools or FakeTools(SPECS), servers)
            try:
                yield scene
            finally:
                scene.close()
                nursery.cancel_scope.cancel()
