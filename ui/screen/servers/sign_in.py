"""Signing in to an MCP server from the screen: an address is opened and shown, the one it ended at may be pasted."""

from collections.abc import Callable
from dataclasses import dataclass

import trio

from actors.errors import ActorDied, Failed
from actors.messages.auth import GiveRedirect, LoggedIn, LogIn, LogInStep
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from actors.settings.mcp.servers import McpServer
from ui.common import harmless
from ui.screen.questions.choice_list import Ask
from ui.screen.servers.orders import Orders, actor_of
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.blocks import Address
from ui.start.browser import open_in_browser

PASTE, GIVE_UP = "paste", "give up"
LONGEST = 8192
"""Characters of an address; a server that wants more is up to something else."""


@dataclass(frozen=True)
class SignIn:
    orders: Orders
    opener: str
    """The pipe of ui.start.browser; "" for none."""
    ask: Ask
    show: Callable[[Piece], None]

    async def to(self, server: McpServer) -> None:
        """Until it is done, refused or given up; then nothing is kept."""
        if self.orders.news.is_awaited(server.name):
            self.orders.say(f"something is asked of {server.name} already: wait for its end", "warning")
            return
        try:
            with self.orders.news.awaited(server.name):
                await self.orders.start(server)
                done = await self._followed(server)
        except ActorDied as death:
            self.orders.say(f"the sign-in to {server.name} broke off: {death} Again: /mcp login {server.name}", "error")
            return
        except Failed as failure:
            self.orders.say(str(failure), "error")
            return
        said = f"signed in to {server.name}" if done else f"given up: there is no sign-in to {server.name}"
        self.orders.say(said, "info")

    async def _followed(self, server: McpServer) -> bool:
        """It is done. Raises Failed."""
        failure: Failed | None = None
        done = False
        async with trio.open_nursery() as nursery:
            try:
                async with self.orders.mailbox.stream(actor_of(server), LogIn(provider=server.name)) as stream:
                    async for step in stream:
                        if isinstance(step, LogInStep):
                            self._show(step)
                            nursery.start_soon(self._take_address, server, nursery.cancel_scope.cancel)
                    await stream.result(LoggedIn)
                    done = True
            except Failed as error:
                failure = error
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure
        return done

    def _show(self, step: LogInStep) -> None:
        opened = open_in_browser(self.opener, step.url)
        self.orders.say(f"{step.text}{' It should open this now:' * opened}", "info")
        self.show(Address(harmless.one_line(step.url)[:LONGEST]))

    async def _take_address(self, server: McpServer, give_up: Callable[[], None]) -> None:
        """Of a browser on another machine, which finds nobody at the address it is sent to."""
        while True:
            answer = await self.ask(question(server))
            if answer.choice == GIVE_UP:
                give_up()
                return
            try:
                wanted = GiveRedirect(provider=server.name, url=answer.text.strip())
                await self.orders.mailbox.ask(actor_of(server), wanted, Done)
            except Failed as failure:
                self.orders.say(str(failure), "warning")


def question(server: McpServer) -> UserAsked:
    """While the browser is waited for. Esc gives up."""
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f"Signing in to {server.name}",
        detail="It is done once your browser says so. A browser on another machine ends at an address that it cannot "
        "open, which begins with http://127.0.0.1: copy it from there.",
        choices=(
            Choice(id=PASTE, key="p", label="paste the address that it ended at", takes_text=True),
            Choice(id=GIVE_UP, key="n", label="give up", refuses=True),
        ),
        default=PASTE,
        escape=GIVE_UP,
        call=ToolCall(call_id=f"sign in {server.name}", name="", arguments="{}"),
    )
