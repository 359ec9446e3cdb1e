"""SIGINT, SIGTERM and SIGHUP: the first is the ui's to answer, the second ends the session at once."""

import signal
from collections.abc import Callable

import trio

from actors.messages.system import Signalled

PATIENCE_S = 10.0
"""For the ui to end the session after the first."""


async def listen(tell_ui: Callable[[Signalled], None], leave: Callable[[int], None]) -> None:
    async with trio.open_nursery() as nursery:
        with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM, signal.SIGHUP) as numbers:
            seen = 0
            async for number in numbers:
                seen += 1
                if seen > 1:
                    leave(128 + number)
                tell_ui(Signalled(name=signal.Signals(number).name))
                nursery.start_soon(_leave_later, leave, 128 + number)


async def _leave_later(leave: Callable[[int], None], code: int) -> None:
    await trio.sleep(PATIENCE_S)
    leave(code)
