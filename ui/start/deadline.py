"""A deadline for what the launcher does before there is any actor: files on a disk that hangs, a stdin without end."""

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager


class TooLate(Exception):
    """Text: what it was doing."""


@contextmanager
def until(at: float | None, doing: str) -> Iterator[None]:
    """at: on time.monotonic(); None: whenever. Only in the main thread. Raises TooLate.

    What waits for a disk and cannot be woken (state D) goes on waiting; nothing can end that.
    """
    if at is None:
        yield
        return

    def ring(*_: object) -> None:
        raise TooLate(doing)

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, max(at - time.monotonic(), 0.001))  # 0 would be never
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
