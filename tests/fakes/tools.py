"""Tool workers whose tools only remember that they ran; `hold` keeps a call under way until it is released."""

from collections.abc import Mapping

import msgspec
import trio

from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import Seen, ToolCall, ToolResult
from actors.messages.mcp import DescribeServer, RestartServer, ServerChanged, ServerIs
from actors.messages.model import CheckOutgoing, Outgoing, ToolSpec
from actors.messages.system import SandboxTried, StartActor, TrySandbox
from actors.messages.tool import (
    CheckArguments,
    DescribeTools,
    HookRan,
    LookForLoss,
    Loss,
    MapRepository,
    Preview,
    PreviewTool,
    RepositoryMap,
    RunGranted,
    RunHook,
    SandboxLevel,
    Tools,
)
from actors.settings.config import Settings
from tests.fakes.network import Network

SCHEMA = '{"type": "object"}'
SPECS = (
    ToolSpec(name="look", description="Look.", parameters=SCHEMA, effect="read"),
    ToolSpec(name="list", description="List.", parameters=SCHEMA, effect="read"),
    ToolSpec(name="change", description="Change.", parameters=SCHEMA, effect="write"),
    ToolSpec(name="bash", description="Run.", parameters=SCHEMA, effect="execute"),
)


class FakeTools:
    """In the place of a tools actor."""

    def __init__(self, specs: tuple[ToolSpec, ...] = SPECS, level: SandboxLevel = "namespaces") -> None:
        self._specs = specs
        self._level = level
        self.ran: list[str] = []
        self.granted: list[RunGranted] = []
        self.output: str | None = None
        """Of every call; None: which one it was."""
        self.seen: tuple[Seen, ...] = ()
        """By every call."""
        self.hooks: Mapping[str, HookRan] = {}
        """What each command does."""
        self.hooks_ran: list[RunHook] = []
        self.losses: list[tuple[str, ...]] = []
        self.moved_to: tuple[str, ...] = ()
        """As the last question about a loss had it."""
        """What was asked about."""
        self.loss = "it is somebody's"
        self.map = ""
        self.maps_drawn = 0
        self.most_at_once = 0
        self.hold: trio.Event | None = None
        self.slow: Mapping[str, trio.Event] = {}
        """Calls that wait for more than the others, by id."""
        self.started = trio.Event()
        self._at_once = 0

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                match request.message:
                    case DescribeTools():
                        request.reply(Tools(tools=self._specs, sandbox=self._level))
                    case PreviewTool(call=call):
                        request.reply(Preview(title=call.name))
                    case CheckArguments():
                        request.reply(Done())
                    case TrySandbox():
                        request.reply(SandboxTried(level=self._level, detail=""))
                    case RunGranted():
                        nursery.start_soon(request.serve, self._run)
                    case RunHook() as hook:
                        self.hooks_ran.append(hook)
                        request.reply(self.hooks[hook.command])
                    case LookForLoss(paths=paths, moved_to=moved_to):
                        self.losses.append(paths)
                        self.moved_to = moved_to
                        request.reply(Loss(why=self.loss))
                    case MapRepository():
                        self.maps_drawn += 1
                        request.reply(RepositoryMap(text=self.map))
                    case other:
                        raise AssertionError(other)

    async def _run(self, request: Request) -> None:
        assert isinstance(request.message, RunGranted)
        call = request.message.call
        self.ran.append(call.call_id)
        self.granted.append(request.message)
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        self.started.set()
        try:
            await trio.testing.wait_all_tasks_blocked()
            if self.hold is not None:
                await self.hold.wait()
            if call.call_id in self.slow:
                await self.slow[call.call_id].wait()
        finally:
            self._at_once -= 1
        output = f"{call.call_id} done" if self.output is None else self.output
        request.reply(ToolResult(call_id=call.call_id, name=call.name, output=output, seen=self.seen))


class FakeServer:
    """The actor of an MCP server; it tells what it has when it is started, and when that changes."""

    def __init__(self, has: ServerIs) -> None:
        self.has = has
        self.is_started = False
        self.started = trio.Event()
        self.began = 0.0
        """On the clock of the test."""
        self.takes_s = 0.0
        """Until it has told what it has."""
        self.ran: list[ToolCall] = []
        self.restarts = 0
        self._mailbox: Mailbox

    async def run(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self.began = trio.current_time()
        self.started.set()
        if not self.takes_s:
            self.tell()
        async for request in mailbox:
            if isinstance(request.message, DescribeServer):
                await trio.sleep(self.takes_s)
                request.reply(self.has)
                continue
            if isinstance(request.message, RestartServer):
                self.restarts += 1
                request.reply(Done())
                continue
            assert isinstance(request.message, RunGranted)
            call = request.message.call
            self.ran.append(call)
            request.reply(ToolResult(call_id=call.call_id, name=call.name, output=f"{self.has.name} did it"))

    def tell(self, **different: object) -> None:
        self.has = msgspec.structs.replace(self.has, **different)
        self._mailbox.tell("gate", ServerChanged(server=self.has))


class FakeSupervisor:
    """Starts the workers that the gate wants; each is there until it is killed."""

    def __init__(self, network: Network, servers: Mapping[str, FakeServer] | None = None) -> None:
        """servers: the actors of MCP servers, by their names."""
        self._network = network
        self._servers = servers or {}
        self.orders: list[StartActor] = []
        self.workers: dict[str, FakeTools] = {}

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, StartActor)
            name = request.message.name
            self.orders.append(request.message)
            if name in self._servers:
                self._start_server(name)
            elif name not in self.workers:
                self.workers[name] = FakeTools()
                self._network.start(name, self.workers[name].run)
            request.reply(Done())

    def _start_server(self, name: str) -> None:
        if not self._servers[name].is_started:
            self._servers[name].is_started = True
            self._network.start(name, self._servers[name].run)

    def settings(self) -> list[Settings]:
        return [msgspec.msgpack.decode(order.settings, type=Settings) for order in self.orders]


class FakeProviders:
    """What the gate asks of them: whether a call carries `secret`."""

    def __init__(self) -> None:
        self.secret = ""
        self.asked: list[CheckOutgoing] = []

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, CheckOutgoing)
            self.asked.append(request.message)
            carried = self.secret and self.secret in request.message.text
            request.reply(Outgoing(secret="SOME_TOKEN" if carried else ""))
