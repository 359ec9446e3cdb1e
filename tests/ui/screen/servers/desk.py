"""The screen's side of MCP servers in one process, with a gate, a supervisor, and the actors of two servers."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio
from msgspec.structs import replace

from actors.errors import failed
from actors.mailbox import Mailbox, Request
from actors.messages.auth import GiveRedirect, LoggedIn, LoggedOut, LogIn, LogInStep, LogOut
from actors.messages.base import Done, Message
from actors.messages.mcp import DescribeServer, DescribeServers, McpTool, ServerIs, ServersAre
from actors.messages.system import StartActor, StopActor
from actors.messages.tool import UserAnswered, UserAsked
from actors.settings.config import Settings
from actors.settings.mcp.servers import LeftOutServer, McpServer
from tests.fakes.network import Network, open_network
from tests.ui.screen.terminals import PLAIN
from ui.screen.intents import Send
from ui.screen.servers.server_list import ServerList
from ui.screen.terminal.piece import Piece

BOX = McpServer(name="box", transport="stdio", command="box", source="/c/mcp.json", scope="user")
HUB = replace(BOX, name="hub", transport="http", command="")
OFF = LeftOutServer(name="off", source="/c/mcp.json", scope="user", transport="stdio", why="disabled")
ODD = LeftOutServer(name="odd", source="/w/.mcp.json", scope="workspace", why="refused", reason="/w: it is no table.")
READY = ServerIs(name="box", state="ready", transport="stdio", era="2025-11-25", tools=(McpTool(name="get"),))
ADDRESS = "http://127.0.0.1:4242/callback?code=c&state=s"


class Desk:
    """The screen's side, with a gate, a supervisor, and the actors of two servers."""

    def __init__(
        self,
        network: Network,
        *choices: str,
        home: str = "/none",
        mcp: tuple[McpServer, ...] = (BOX, HUB),
        left_out: tuple[LeftOutServer, ...] = (OFF, ODD),
    ) -> None:
        """choices: the answers that are given, each with what is written with it behind a =."""
        self.network = network
        self.has = {"box": READY, "hub": replace(READY, name="hub", transport="http", state="needs_login")}
        settings = Settings(home=home, cwd="/w", session_id="s", run_id="r", mcp=mcp, mcp_left_out=left_out)
        self.choices, self.more_choices = trio.open_memory_channel[str](100)
        for choice in choices:
            self.choices.send_nowait(choice)
        self.asked: list[UserAsked] = []
        self.renewed: list[UserAsked] = []
        self.said: list[tuple[str, str]] = []
        self.shown: list[str] = []
        self.given_back: list[str] = []
        self.wanted: list[Message] = []
        """Of supervisor and servers."""
        self.gone = False
        """The actor of box died too often."""
        self.signed_in = trio.Event()
        self.servers = ServerList(
            network.mailbox("ui"),
            settings,
            "",
            ask=self._ask,
            renew=self.renewed.append,
            say=lambda text, level: self.said.append((text, level)),
            show=self._show,
            give_back=self._give_back,
        )
        network.start("gate", self._gate)
        network.start("supervisor", self._supervisor)
        for name in self.has:
            network.start(f"mcp:{name}", self._server(name))

    async def _ask(self, question: UserAsked) -> UserAnswered:
        self.asked.append(question)
        what, _, text = (await self.more_choices.receive()).partition("=")
        return UserAnswered(choice=what, text=text)

    def _show(self, piece: Piece) -> None:
        self.shown += [row for row in piece.rows(200, PLAIN) if row]

    def _give_back(self, intent: Send) -> None:
        self.given_back.append(intent.text)

    async def _gate(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, DescribeServers)
            request.reply(ServersAre(servers=tuple(self.has.values()), tokens={"box": 1200}))

    async def _supervisor(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            self.wanted.append(request.message)
            match request.message:
                case StartActor() if self.gone:
                    request.fail(failed("gone", "mcp:box died too often and stays down.").problem)
                case StopActor():
                    self.gone = False
                    request.reply(Done())
                case _:
                    request.reply(Done())

    def _server(self, name: str) -> Callable[[Mailbox], Awaitable[None]]:
        async def run(mailbox: Mailbox) -> None:
            async with trio.open_nursery() as nursery:
                async for request in mailbox:
                    if isinstance(request.message, LogIn):
                        nursery.start_soon(request.serve, self._log_in)
                    else:
                        self._answer(name, request)

        return run

    def _answer(self, name: str, request: Request) -> None:
        self.wanted.append(request.message)
        match request.message:
            case DescribeServer():
                request.reply(self.has[name])
            case GiveRedirect(url=url) if url != ADDRESS:
                request.fail(failed("bad_request", "that is not where it ends.").problem)
            case GiveRedirect():
                self.signed_in.set()
                request.reply(Done())
            case LogOut():
                request.reply(LoggedOut(forgotten=True))
            case _:
                request.reply(Done())

    async def _log_in(self, request: Request) -> None:
        await request.send(LogInStep(text="Sign in to hub.", url="https://service/\x1b[2J?a=b"))
        await self.signed_in.wait()
        request.reply(LoggedIn())


@asynccontextmanager
async def desk(*choices: str, **more: Any) -> AsyncIterator[Desk]:  # noqa: ANN401  # of a Desk
    async with open_network() as network:
        yield Desk(network, *choices, **more)


def labels(question: UserAsked) -> list[str]:
    return [" ".join(f"{choice.label} {choice.facts}".split()) for choice in question.choices]
