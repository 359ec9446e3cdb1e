"""One server, kept up: connected, looked at, started again when it breaks, given up when it keeps breaking."""

import random
from collections.abc import Callable
from functools import partial

import trio
from mcp.client.subscriptions import SubscriptionLost

from actors.errors import BadConfiguration, failed
from actors.mcp import eras, limits, restarts
from actors.mcp.connection import Asking, Connection, connected
from actors.mcp.eras import Mode
from actors.mcp.errors import NotConnected
from actors.mcp.failures import FOREIGN
from actors.mcp.process.server_log import ServerLog
from actors.mcp.results.content import encodable, plain
from actors.mcp.results.listing import Listing, listed
from actors.mcp.sign_in.way import SIGN_IN_S
from actors.messages.mcp import ServerIs, ServerState
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer

LISTEN_AGAIN_S = 30.0
"""After a stream of changes was lost."""
Expand = Callable[[], McpServer]
"""Its variables filled in. Raises BadConfiguration."""


class Server:
    def __init__(self, server: McpServer, settings: Settings, log: ServerLog, asking: Asking, expand: Expand) -> None:
        self.server = server
        self.log = log
        self.questions = asking.questions
        self._asking = asking
        self.listing = Listing()
        self.state: ServerState = "starting"
        self._settings = settings
        self._expand = expand
        self._error = ""
        self._said: ServerIs | None = None
        """How it was when its state was told last."""
        self._connection: Connection | None = None
        self._about = ("", "", "")
        self._started_as = server
        """Its variables filled in."""
        self._tokens = ""
        """Those that it did not let us in with."""
        self._failures: list[float] = []
        self._in_a_row = 0
        self._final = False
        """Only somebody's wish starts it again."""
        self._wake = trio.Event()
        self._life = trio.CancelScope()
        self._news = trio.Event()

    async def run(self) -> None:
        """For ever."""
        while True:
            with trio.CancelScope() as self._life:
                await self._live()
            await self._pause()

    def expanded(self) -> McpServer:
        """As it is started. Raises Failed."""
        try:
            return self._expand()
        except BadConfiguration as error:
            raise failed("bad_configuration", str(error)) from error

    def restart(self) -> None:
        """Now, whatever was before."""
        self._failures.clear()
        self._in_a_row = 0
        self._begin_anew()

    async def changed(self) -> None:
        """Until it is in another state, or has other tools."""
        await self._news.wait()

    async def settled(self, within_s: float) -> None:
        """Until it is ready or has failed; at most so long."""
        self._try_again_if_due()
        with trio.move_on_after(within_s):
            while self.state == "starting" or self._is_ending:
                await self._news.wait()

    async def connection(self) -> Connection:
        """Once there is one, or it is clear that there will be none. One that waits for its next start begins at once.

        Raises NotConnected.
        """
        if self.state == "failed" and not self._final:
            self._become("starting")
            self._wake.set()
        await self.settled(self.server.start_timeout_s)
        if self._connection is not None and self.state == "ready":
            return self._connection
        raise NotConnected(self._error or f"it was not ready within {self.server.start_timeout_s:g} s")

    @property
    def _is_ending(self) -> bool:
        return self._connection is not None and self._connection.heard.ended.is_set()

    def forgot_us(self, connection: Connection) -> bool:
        """The session is gone at the other end, nothing else: a new connection begins at once."""
        if not connection.heard.forgotten or connection is not self._connection:
            return False
        self._begin_anew()
        return True

    def _begin_anew(self) -> None:
        self._connection = None
        self._become("starting")
        self._wake.set()
        self._life.cancel()

    def described(self) -> ServerIs:
        era, version, instructions = self._about
        return ServerIs(
            name=self.server.name,
            state=self.state,
            transport=self.server.transport,
            era=era,
            version=version,
            instructions=instructions,
            tools=self.listing.tools,
            resources=self.listing.resources,
            templates=self.listing.templates,
            prompts=self.listing.prompts,
            error="" if self.state == "ready" else self._error,
            given_up=self.state == "failed" and self._final,
        )

    def _try_again_if_due(self) -> None:
        """Also when another program has signed in meanwhile."""
        if self.state == "needs_login" and self._asking.way.tokens(self._started_as) != self._tokens:
            self.restart()
        if self.state == "failed" and self._final and restarts.may_try_again(self._failures, trio.current_time()):
            self.restart()

    async def _live(self) -> None:
        """One life of it: in each mode that it may understand, until one works and as long as it does."""
        try:
            server = self._expand()
        except BadConfiguration as error:
            self._fail(NotConnected(str(error), final=True))
            return
        self._started_as, home = server, self._settings.home
        last = NotConnected("")
        deadline = trio.current_time() + (SIGN_IN_S if self._asking.way.is_under_way else self.server.start_timeout_s)
        for mode in eras.tries(server, eras.remembered(home, self.server)):
            try:
                self._fail(await self._serve(server, mode, deadline), was_up=True)
                return
            except NotConnected as error:
                last = error
            if last.final or last.needs_login or trio.current_time() >= deadline:
                break
        self._fail(last)

    async def _serve(self, server: McpServer, mode: Mode, deadline: float) -> NotConnected:
        """How it ended, once it was ready. Raises NotConnected: it never was."""
        why, was_ready = NotConnected("the connection broke"), False
        try:
            with trio.fail_at(deadline) as budget:
                async with connected(server, self._settings, mode, self.log, self._asking) as connection:
                    self.listing = await connection.during(partial(listed, connection.client))
                    budget.deadline = float("inf")
                    self._ready(connection)
                    was_ready = True
                    async with trio.open_nursery() as nursery:
                        nursery.start_soon(self._look_again, connection)
                        nursery.start_soon(_listen, connection)
                        await connection.heard.ended.wait()
                        self._connection = None
                        self._become("starting")
                        nursery.cancel_scope.cancel()
                    why = NotConnected(connection.heard.why or str(why))
        except NotConnected as error:
            if not was_ready:
                raise
            why = error
        except trio.TooSlowError:
            told = self.log.take_last()
            late = f"it was not ready within {self.server.start_timeout_s:g} s (more: `start_timeout_s`)" + (
                f". It said:\n{told}" if told else ""
            )
            raise NotConnected(late) from None
        return why

    def _ready(self, connection: Connection) -> None:
        client = connection.client
        about = client.server_info
        era = client.protocol_version
        eras.remember(self._settings.home, self.server, era)
        version = f"{about.name} {about.version}"[: limits.NAME_CHARS] if about else ""
        instructions = encodable((client.instructions or "")[: limits.INSTRUCTIONS_CHARS])
        self._about = (era, plain(version), instructions)
        self._connection = connection
        self._in_a_row = 0
        connection.heard.status = 0
        connection.heard.is_ready = True
        self._log_left_out()
        self._become("ready")

    def _log_left_out(self) -> None:
        if self.listing.left_out:
            self.log.write(f"[{self.listing.left_out}]\n")

    async def _look_again(self, connection: Connection) -> None:
        """At its lists, whenever it says that they have changed: many times at once is once."""
        while True:
            await connection.stale.wait()
            connection.stale = trio.Event()
            try:
                with trio.move_on_after(self.server.start_timeout_s):
                    now = await connection.during(partial(listed, connection.client))
                    if now != self.listing:
                        self.listing = now
                        self._log_left_out()
                        self._tell()
            except (NotConnected, *FOREIGN) as error:
                self.log.write(f"[its lists cannot be read: {error}]\n")
            await trio.sleep(limits.RELIST_S)

    def _fail(self, why: NotConnected, *, was_up: bool = False) -> None:
        self._connection = None
        if why.needs_login:
            self._final = True
            self._tokens = self._asking.way.tokens(self._started_as)
            self._become("needs_login", self._words(why))
            return
        now = trio.current_time()
        self._failures = [*self._failures[-limits.FAILURES :], now]
        self._in_a_row += 1
        self._final = why.final or restarts.given_up(self._failures, now)
        self.log.write(f"[trouper: {why}]\n")
        self._become("starting" if was_up and not self._final else "failed", self._words(why))

    def _words(self, why: NotConnected) -> str:
        name = self.server.name
        said = self.log.without_secrets(plain(str(why))).removesuffix(".")
        if why.needs_login:
            how = f"/mcp login {name}, or `trouper mcp login {name}`"
            return f"The MCP server {name} lets nobody in: {said}. Sign in: {how}"
        how = f"Its log: `trouper mcp logs {name}`; start it again: /mcp restart {name}"
        return f"The MCP server {name} is not there: {said}. {how}"

    async def _pause(self) -> None:
        """Before the next life."""
        if self._final and not self._wake.is_set():
            await self._wake.wait()
        elif not self._wake.is_set():
            with trio.move_on_after(restarts.delay(self._in_a_row, random.random())):  # noqa: S311  # no secret
                await self._wake.wait()
        self._wake, self._final = trio.Event(), False

    def _become(self, state: ServerState, error: str = "") -> None:
        self.state, self._error = state, error
        said, self._said = self._said, self.described()
        if self._said != said:
            self._tell()

    def _tell(self) -> None:
        self._news.set()
        self._news = trio.Event()


async def _listen(connection: Connection) -> None:
    """For changes, to servers that tell of them only so."""
    client = connection.client
    if client.protocol_version < eras.FIRST_STATELESS:
        return
    has = client.server_capabilities
    wanted = {
        "tools_list_changed": bool(has.tools and has.tools.list_changed),
        "prompts_list_changed": bool(has.prompts and has.prompts.list_changed),
        "resources_list_changed": bool(has.resources and has.resources.list_changed),
    }
    while any(wanted.values()):
        try:
            async with client.listen(**wanted) as changes:  # type: ignore[arg-type]
                connection.stale.set()  # nobody was told before
                async for _ in changes:
                    connection.stale.set()
        except (SubscriptionLost, *FOREIGN):
            pass
        await trio.sleep(LISTEN_AGAIN_S)
