"""Around an inquiry: one program at a time has it, a signal pauses it in order, and it leaves with a true exit code."""

import os
from collections.abc import Awaitable, Callable

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import ProblemCode
from actors.messages.system import Exit, Signalled
from actors.messages.turn import Notice
from actors.settings.config import Settings
from ui.batch import run_lock
from ui.common.exit_codes import FAILED, IN_USE, INTERRUPTED, OF_TURN, USAGE
from ui.common.usage_errors import OF_A_SESSION, Usage
from ui.headless.stdout import StdoutGone
from ui.inquiry.kept_run import Kept
from ui.inquiry.progress import Progress

CODES: dict[ProblemCode, int] = {
    "session_in_use": IN_USE,
    "over_budget": OF_TURN["budget"],
    "no_credentials": OF_TURN["no_credentials"],
    "refused": OF_TURN["refused"],
}
"""Every other problem is a failure."""
IN_USE_WORDS = ("this", "Wait for it, or end it with Ctrl-C where it runs.")
PASSING: frozenset[ProblemCode] = frozenset(
    ("unreachable", "overloaded", "rate_limited", "server_error", "stalled", "bad_stream", "disk_full", "store_locked")
)
"""Problems that are over one day, whatever the user does."""
ONCE_IT_CAN = "The same command goes on once it can."
Work = Callable[[Progress], Awaitable[int]]


async def run(mailbox: Mailbox, settings: Settings, kept: Kept, work: Work) -> None:
    """As the ui actor. work: returns the exit code; it may raise Failed, Usage, OSError and StdoutGone."""
    limit = min((budget.usd for budget in settings.budgets if budget.usd is not None), default=None)
    progress = Progress(kept.command, limit, os.environ)
    shell = _Shell(mailbox, settings, kept.place, progress, work)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(shell.drive)
        async for request in mailbox:
            match request.message:
                case Signalled():
                    shell.interrupt()
                case Notice(text=text):
                    progress.say(text)
                case _:
                    continue  # a restart: the work itself tells how it ended
        nursery.cancel_scope.cancel()


class _Shell:
    def __init__(self, mailbox: Mailbox, settings: Settings, place: str, progress: Progress, work: Work) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._place = place
        self._progress = progress
        self._work = work
        self._working = trio.CancelScope()

    def interrupt(self) -> None:
        self._working.cancel()

    async def drive(self) -> None:
        """From the lock to Exit."""
        async with trio.open_nursery() as showing:
            showing.start_soon(self._progress.run)
            code = INTERRUPTED
            with self._working:
                code = await self._code()
            if self._working.cancelled_caught:
                self._progress.say("interrupted; the same command goes on with what is not answered")
            showing.cancel_scope.cancel()
        self._mailbox.tell("supervisor", Exit(code=code))

    async def _code(self) -> int:
        try:
            lock = await run_lock.take(self._settings, self._place, *IN_USE_WORDS)
            try:
                return await self._work(self._progress)
            finally:
                run_lock.give_back(self._settings, self._place, lock)
        except Failed as failure:
            code, text = failure.problem.code, str(failure).replace(OF_A_SESSION, "")
            goes_on = f" {ONCE_IT_CAN}" if code in PASSING else ""
            return self._complain(f"{text}{goes_on}", CODES.get(code, FAILED))
        except Usage as wrong:
            return self._complain(str(wrong), USAGE)
        except StdoutGone as why:
            return self._complain(str(why), FAILED)
        except OSError as error:
            return self._complain(f"cannot read or write {error.filename or 'a file'}: {error.strerror}.", FAILED)

    def _complain(self, why: str, code: int) -> int:
        if why:
            self._progress.say(f"trouper: {why}")
        return code
