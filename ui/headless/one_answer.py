"""The front of a command that prints one answer: it leaves with a true exit code, whatever happens meanwhile."""

from collections.abc import Awaitable, Callable
from functools import partial

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox, Request
from actors.messages.system import Exit, Signalled
from actors.messages.tool import UserAsked
from actors.messages.turn import Notice
from ui.common.exit_codes import DONE, FAILED, INTERRUPTED
from ui.common.harmless import sanitise
from ui.headless.stdout import StdoutGone, say, write

Ask = Callable[[UserAsked, Request], Awaitable[None]]


async def run(mailbox: Mailbox, answer: Callable[[], Awaitable[int]], ask: Ask | None = None) -> None:
    """answer prints and returns the exit code; it may raise Failed and StdoutGone. ask: for what the user is asked."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_leave_with, mailbox, answer)
        async for request in mailbox:
            match request.message:
                case Signalled():
                    mailbox.tell("supervisor", Exit(code=INTERRUPTED))
                case Notice(text=text):
                    complain(text)
                case UserAsked() as asked if ask is not None:
                    nursery.start_soon(request.serve, partial(ask, asked))
                case _:
                    continue  # a restart: the answer itself tells how it ended
        nursery.cancel_scope.cancel()


def printed(text: str) -> int:
    """Of a command without actors: the exit code once this is on stdout, nothing harmful in it."""
    try:
        trio.run(write, sanitise(text))
    except StdoutGone as why:
        if str(why):
            complain(str(why))
        return FAILED
    return DONE


def complain(text: str) -> None:
    say(f"trouper: {sanitise(text)}")


async def _leave_with(mailbox: Mailbox, answer: Callable[[], Awaitable[int]]) -> None:
    try:
        code = await answer()
    except (Failed, StdoutGone) as why:
        code = FAILED
        if str(why):
            complain(str(why))
    mailbox.tell("supervisor", Exit(code=code))
