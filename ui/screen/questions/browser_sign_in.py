"""A sign-in that a browser has its part in, followed on the screen to its end: what to do is shown, Esc gives up."""

from collections.abc import Callable
from dataclasses import dataclass

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import GiveRedirect, LoggedIn, LogIn, LogInStep
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions.choice_list import Ask
from ui.screen.terminal.piece import Piece
from ui.screen.transcript.blocks import Address
from ui.start.browser import open_in_browser

PASTE, GIVE_UP = "paste", "give up"
LONGEST = 8192
"""Characters of an address; a server that wants more is up to something else."""


@dataclass(frozen=True)
class BrowserSignIn:
    mailbox: Mailbox
    opener: str
    """The pipe of ui.start.browser; "" for none."""
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    show: Callable[[Piece], None]

    async def follow(self, actor: str, provider: str) -> LoggedIn | None:
        """Until it is done; None: given up, and nothing is kept. Raises Failed."""
        failure: Failed | None = None
        done: LoggedIn | None = None
        async with trio.open_nursery() as nursery:
            try:
                async with self.mailbox.stream(actor, LogIn(provider=provider)) as stream:
                    async for step in stream:
                        if isinstance(step, LogInStep):
                            self._show(step)
                        if isinstance(step, LogInStep) and (step.url or step.code):
                            nursery.start_soon(self._wait, actor, provider, step, nursery.cancel_scope.cancel)
                    done = await stream.result(LoggedIn)
            except Failed as error:
                failure = error
            nursery.cancel_scope.cancel()
        if failure is not None:
            raise failure
        return done

    def _show(self, step: LogInStep) -> None:
        opened = bool(step.url) and open_in_browser(self.opener, step.url)
        self.say(f"{step.text}{' It should open this now:' * opened}", "info")
        if step.url:
            self.show(Address(harmless.one_line(step.url)[:LONGEST]))
        if step.code:
            self.say(f"code: {harmless.one_line(step.code)}", "info")

    async def _wait(self, actor: str, provider: str, step: LogInStep, give_up: Callable[[], None]) -> None:
        """For a browser on another machine, which finds nobody at the address it is sent to."""
        while True:
            answer = await self.ask(question(provider, by_code=bool(step.code)))
            if answer.choice == GIVE_UP:
                give_up()
                return
            try:
                await self.mailbox.ask(actor, GiveRedirect(provider=provider, url=answer.text.strip()), Done)
            except Failed as failure:
                self.say(str(failure), "warning")


def question(provider: str, *, by_code: bool = False) -> UserAsked:
    """While the browser is waited for. Esc gives up. by_code: it ends at no address."""
    paste = Choice(id=PASTE, key="p", label="paste the address that it ended at", takes_text=True)
    give_up = Choice(id=GIVE_UP, key="n", label="give up", refuses=True)
    elsewhere = (
        " A browser on another machine ends at an address that it cannot open, which begins with "
        "http://127.0.0.1: copy it from there."
    )
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f"Signing in to {provider}",
        detail=f"It is done once your browser says so.{'' if by_code else elsewhere}",
        choices=(give_up,) if by_code else (paste, give_up),
        default=GIVE_UP if by_code else PASTE,
        escape=GIVE_UP,
        call=ToolCall(call_id=f"sign in {provider}", name="", arguments="{}"),
    )
