"""The actor of an MCP server on the fake network, and somebody who asks it; the gate and a user that hear of it."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.mcp.actor import run
from actors.mcp.process import starter
from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Text, ToolCall, ToolResult
from actors.messages.mcp import DescribeServer, ServerChanged, ServerIs
from actors.messages.model import Answer, AskModel
from actors.messages.tool import RunGranted, ToolProgress, UserAnswered, UserAsked
from actors.settings.config import Settings
from actors.settings.mcp.names import wire_name
from actors.settings.mcp.servers import McpServer
from tests import ROOT
from tests.fakes.network import Network, open_network

PATIENCE_S = 60.0
User = Callable[[UserAsked], UserAnswered]


class Asker:
    def __init__(self, network: Network, mailbox: Mailbox, server: McpServer) -> None:
        self.network = network
        self.mailbox = mailbox
        self.server = server
        self.name = f"mcp:{server.name}"
        self.changes: list[ServerIs] = []
        """As the gate was told."""
        self.changed = trio.Event()
        self.asked: list[UserAsked] = []
        """Of the user."""
        self.hold = trio.Event()
        """The user answers once it is set."""
        self.hold.set()
        self.model_asked: list[AskModel] = []

    async def describe(self, within_s: float = PATIENCE_S) -> ServerIs:
        return await self.mailbox.ask(self.name, DescribeServer(within_s=within_s), ServerIs)

    def granted(self, tool: str, **arguments: Any) -> RunGranted:  # noqa: ANN401  # JSON
        name = wire_name(self.server.name, tool)
        return RunGranted(call=ToolCall(call_id="c1", name=name, arguments=json.dumps(arguments)))

    async def call(self, tool: str, **arguments: Any) -> ToolResult:  # noqa: ANN401  # JSON
        return (await self.call_told(tool, **arguments))[0]

    async def call_told(self, tool: str, **arguments: Any) -> tuple[ToolResult, list[str]]:  # noqa: ANN401  # JSON
        """And its progress."""
        told: list[str] = []
        async with self.mailbox.stream(self.name, self.granted(tool, **arguments)) as stream:
            async for item in stream:
                assert isinstance(item, ToolProgress)
                told.append(item.text)
            return await stream.result(ToolResult), told

    async def until(self, fits: Callable[[ServerIs], bool]) -> ServerIs:
        """The gate was told something that fits, now or later."""
        with trio.fail_after(PATIENCE_S):
            while not (found := [one for one in self.changes if fits(one)]):
                await self.changed.wait()
        return found[-1]

    async def hear(self, gate: Mailbox) -> None:
        async for request in gate:
            message: Message = request.message
            assert isinstance(message, ServerChanged)
            self.changes.append(message.server)
            self.changed.set()
            self.changed = trio.Event()

    async def think(self, providers: Mailbox) -> None:
        """As a model that always says the same."""
        async for request in providers:
            assert isinstance(request.message, AskModel)
            self.model_asked.append(request.message)
            blocks = (Text(text="4"),)
            request.reply(Answer(message=AssistantMessage(blocks=blocks, stop_reason="end_turn", model="fake/one")))

    async def answer(self, ui: Mailbox, answer: User) -> None:
        async for request in ui:
            assert isinstance(request.message, UserAsked)
            self.asked.append(request.message)
            await self.hold.wait()
            request.reply(answer(request.message))


def settings_for(server: McpServer, folder: Path, **more: Any) -> Settings:  # noqa: ANN401  # fields of Settings
    for name in ("home", "work"):
        (folder / name).mkdir(exist_ok=True)
    made = Settings(home=str(folder / "home"), cwd=str(folder / "work"), session_id="s", run_id="r", mcp=(server,))
    return msgspec.structs.replace(made, **more)


START = (
    "import socket, sys; from actors.mcp.process import starter; starter.serve(socket.socket(fileno=int(sys.argv[1])))"
)


@contextmanager
def starting(server: McpServer) -> Iterator[None]:
    """What actors that are processes of their own fork before they begin."""
    if server.transport != "stdio":
        yield
        return
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    before = os.environ.get(starter.PLACE)
    with theirs:
        words = [sys.executable, "-c", START, str(theirs.fileno())]
        process = subprocess.Popen(words, pass_fds=[theirs.fileno()], cwd=ROOT)
    os.environ[starter.PLACE] = f"{ours.fileno()} {process.pid}"
    try:
        yield
    finally:
        del os.environ[starter.PLACE]
        if before is not None:
            os.environ[starter.PLACE] = before
        ours.close()
        process.wait()


@asynccontextmanager
async def asking(
    server: McpServer,
    folder: Path,
    user: User | None = None,
    **more: Any,  # noqa: ANN401  # fields of Settings
) -> AsyncIterator[Asker]:
    """user: there is one, who answers so."""
    settings = settings_for(server, folder, interactive=user is not None, **more)
    with starting(server):
        async with open_network() as network:
            asker = Asker(network, network.mailbox("asker"), server)
            async with trio.open_nursery() as nursery:
                nursery.start_soon(asker.hear, network.mailbox("gate"))
                nursery.start_soon(asker.think, network.mailbox("providers"))
                if user is not None:
                    nursery.start_soon(asker.answer, network.mailbox("ui"), user)
                network.start(asker.name, lambda mailbox: run(mailbox, settings))
                yield asker
                nursery.cancel_scope.cancel()
