"""/mcp: the MCP servers that are written down, one to be chosen, and what is to be done with it."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.mcp import DescribeServers, ServerChanged, ServersAre
from actors.messages.system import ActorGivenUp, ActorRestarted
from actors.messages.tool import UserAnswered, UserAsked
from actors.settings.config import Settings
from ui.common import harmless
from ui.screen.intents import Send
from ui.screen.questions.choice_list import Ask
from ui.screen.servers import questions
from ui.screen.servers.news import News
from ui.screen.servers.orders import Orders
from ui.screen.servers.sign_in import SignIn
from ui.screen.servers.standing import Row, Standing
from ui.screen.terminal.piece import Piece

NONE = "there are no MCP servers. Add one, for the next start: trouper mcp add NAME -- COMMAND"
PREFIX = "mcp:"
"""Of the names of their actors."""


@dataclass
class ServerList:
    mailbox: Mailbox
    settings: Settings
    opener: str
    """The pipe of ui.start.browser; "" for none."""
    ask: Ask
    renew: Callable[[UserAsked], None]
    """The question that is asked, as it is now."""
    say: Callable[[str, str], None]
    """text, level."""
    show: Callable[[Piece], None]
    give_back: Callable[[Send], None]
    """Into the composer."""
    _news: News = field(default_factory=News)
    _open: dict[str, Callable[[], UserAsked]] = field(default_factory=dict)
    """By the id of what is asked now: how it is made."""

    def __post_init__(self) -> None:
        self._standing = Standing(self.settings)
        self._orders = Orders(self.mailbox, Path(self.settings.home), self._standing, self._news, self.say)
        self._sign_in = SignIn(self._orders, self.opener, self.ask, self.show)

    def heard(self, told: ServerChanged) -> None:
        self._standing.is_now(told.server)
        self._standing.costs(told.server.name, told.tokens)
        if (news := self._news.heard(told.server)) is not None:
            self.say(*news)
        self._renew()

    def process_died(self, told: ActorRestarted | ActorGivenUp) -> None:
        """Of any actor."""
        if told.name.startswith(PREFIX):
            for_good = isinstance(told, ActorGivenUp)
            self._standing.process_died(told.name.removeprefix(PREFIX), told.why, for_good=for_good)
            self._renew()

    def _renew(self) -> None:
        for make in self._open.values():
            self.renew(make())

    async def choose(self) -> None:
        if not self._standing.rows():
            self.say(NONE, "info")
        if not self._standing.rows() or questions.ALL in self._open:
            return
        marked = 0
        while await self._look():
            answer = await self._asked(partial(self._of_all, marked))
            if not answer.choice:
                return
            marked = int(answer.choice)
            if await self._do_with(marked):
                return

    def _of_all(self, marked: int) -> UserAsked:
        return questions.of_all(self._standing.rows(), marked)

    async def look_at(self, name: str) -> None:
        if await self._look() and (row := self._named(name, f"/mcp {name}")) is not None:
            await self._do_with(self._standing.rows().index(row))

    async def do(self, what: str, name: str) -> None:
        """what: restart, login or logout."""
        if not await self._look() or (row := self._named(name, f"/mcp {what} {name}")) is None:
            return
        await self._carry_out(what, row)

    async def _do_with(self, place: int) -> bool:
        """place: of its row. False: nothing was wanted."""
        home = Path(self.settings.home)
        answer = await self._asked(lambda: questions.of_one(self._standing.rows()[place], home))
        if answer.choice == questions.BACK:
            return False
        await self._carry_out(answer.choice, self._standing.rows()[place])
        return True

    async def _carry_out(self, what: str, row: Row) -> None:
        if (server := row.server) is None:
            self.say(f"{row.name} does not count here: {harmless.one_line(row.why_not)}", "warning")
            return
        match what:
            case questions.RESTART:
                await self._orders.restart(server)
            case questions.LOG_IN:
                await self._sign_in.to(server)
            case questions.LOG_OUT:
                await self._orders.log_out(server)
            case _:
                await self._orders.show_log(server)

    def _named(self, name: str, line: str) -> Row | None:
        """Where there is none the user is told which are near, and has the line back."""
        if (row := self._standing.named(name)) is None:
            near = " or ".join(self._standing.nearest(name))
            there = "/mcp lists them." if self._standing.rows() else NONE
            self.say(f"there is no MCP server {name}. {f'Did you mean {near}?' if near else there}", "warning")
            self.give_back(Send(line))
        return row

    async def _asked(self, make: Callable[[], UserAsked]) -> UserAnswered:
        """It stays as things stand, while it is asked."""
        question = make()
        self._open[question.call.call_id] = make
        try:
            return await self.ask(question)
        finally:
            del self._open[question.call.call_id]

    async def _look(self) -> bool:
        """How all stand now. False: nobody says it, which the user is told."""
        try:
            self._standing.are(await self.mailbox.insist("gate", DescribeServers(), ServersAre))
        except Failed as failure:
            self.say(str(failure), "error")
            return False
        return True
