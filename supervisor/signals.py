"""SIGINT, SIGTERM and SIGHUP: the first is the ui's to answer, a second one soon after ends the session at once.

SIGTSTP is sent from here: a terminal in raw mode sends none.
"""

import os
import signal
from collections.abc import Callable

import trio

from actors.messages.system import Signalled

PATIENCE_S = 10.0
"""For the ui to end the session after the first; a later second one is a first one again."""


async def listen(tell_ui: Callable[[Signalled], None], leave: Callable[[int], None], lent: Callable[[], bool]) -> None:
    """lent: another program has the terminal. An editor may have its interrupt key where others have Ctrl-C: each press
    is heard by the whole job."""
    last = float("-inf")
    async with trio.open_nursery() as nursery:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as numbers:
            async for number in numbers:
                if number == signal.SIGINT and lent():
                    continue
                if trio.current_time() - last < PATIENCE_S:
                    leave(128 + number)
                last = trio.current_time()
                tell_ui(Signalled(name=signal.Signals(number).name))
                if number != signal.SIGINT:  # an interrupt may leave a session on the screen
                    nursery.start_soon(_leave_later, leave, 128 + number)


def stop_job() -> None:
    """Our process group, as Ctrl-Z does, until its shell goes on with it.

    SIGTSTP and not SIGSTOP: a group that no shell could go on with is not stopped by it.
    """
    if signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL:  # else the others would wait for us, who go on
        os.kill(0, signal.SIGTSTP)


async def _leave_later(leave: Callable[[int], None], code: int) -> None:
    await trio.sleep(PATIENCE_S)
    leave(code)
