"""CPU time for work on text from outside whose worst case nobody knows: lexers and parsers of others.

A timer interrupts the work, so this is for the main thread, and for work that leaves nothing half done.
"""

import gc
import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import TypeVar

REFILL = 0.25
"""Seconds of CPU that come back in one second without such work."""
LEAST_S = 0.005
"""Less is not worth a beginning: timers of CPU time have a resolution of one to four milliseconds."""
AGAIN_S = 0.1
"""The interrupt is repeated: where it is raised first it may be lost, such as in a finaliser."""

DEAR = 10
"""So many times what was interrupted counts: where one text is made to be slow there are more, and a frame has few."""

T = TypeVar("T")


class _Spent(BaseException):
    """Raised by the timer, in the middle of the work."""


class Allowance:
    def __init__(self, at_once_s: float, together_s: float) -> None:
        """at_once_s: for one piece of work; together_s: for all of them without a pause."""
        self._at_once = at_once_s
        self._together = self._left = together_s
        self._worked_at = time.monotonic()

    def spend(self, work: Callable[[], T]) -> T | None:
        """What the work gives; None when that took too long, or too much was spent just before."""
        if _TIMER.is_set:
            return work()  # part of a larger piece, which counts
        pause = time.monotonic() - self._worked_at
        self._left = min(self._left + pause * REFILL, self._together)
        if self._left < LEAST_S:
            return None
        limit = min(self._at_once, self._left)
        began = time.thread_time()
        collects = gc.isenabled()
        gc.disable()  # what is raised in a callback of the collector is lost
        try:
            done = _TIMER.interrupted_after(limit, work)
        except _Spent:
            self._left -= limit * DEAR
            return None
        finally:
            _TIMER.off()  # again: it may have rung just before the first time
            if collects:
                gc.enable()
            self._worked_at = time.monotonic()
        self._left -= time.thread_time() - began
        return done


class _Timer:
    """That of the process. Its signal is heard from the first use on: to change that for each work takes longer than
    most works do.
    """

    def __init__(self) -> None:
        self.is_set = False
        self._is_heard = False

    def interrupted_after(self, seconds: float, work: Callable[[], T]) -> T:
        """Raises _Spent. The regular expressions of Python look for signals now and then, also within one match."""
        if not self._is_heard:
            signal.signal(signal.SIGVTALRM, self._ring)
            self._is_heard = True
        try:
            self.is_set = True
            signal.setitimer(signal.ITIMER_VIRTUAL, seconds, AGAIN_S)
            return work()
        finally:
            self.off()

    def off(self) -> None:
        self.is_set = False
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self.is_set:
            raise _Spent


_TIMER = _Timer()
