"""What the fronts without a screen print: stdout without ever blocking the event loop, and lines on stderr.

See DECISIONS: a terminal gets harmless text, a pipe gets the text.
"""

import contextlib
import os
import select

import trio

from ui.common.harmless import sanitise

STDOUT, STDERR = 1, 2
PIECE = 64 * 1024
"""Characters that are on their way at once: a copy of all that is left, again and again, would never end."""


class StdoutGone(Exception):
    """Nobody gets what we print. The text says why, and is empty when the reader closed the pipe: that is its right."""


async def write(text: str, *, styled: bool = False) -> None:
    """All of it; on a terminal nothing in it can steer. styled: it has styles of ours, the rest is harmless already.

    Raises StdoutGone.
    """
    steers = not styled and os.isatty(STDOUT)
    for start in range(0, len(text), PIECE):
        piece = text[start : start + PIECE]
        await write_bytes((sanitise(piece) if steers else piece).encode("utf-8", "surrogateescape"))


async def write_bytes(data: bytes) -> None:
    """All of it, as it is: for what is harmless already. Raises StdoutGone."""
    with memoryview(data) as rest:
        written = 0
        while written < len(rest):
            most = await _room(len(rest))
            try:
                written += os.write(STDOUT, rest[written : written + most])
            except BlockingIOError:
                continue  # somebody else who writes there was faster
            except BrokenPipeError as error:
                raise StdoutGone from error
            except OSError as error:
                raise StdoutGone(f"cannot write to stdout: {error.strerror}") from error


async def _room(wanted: int) -> int:
    """How many bytes can be written without being held up."""
    try:
        await trio.lowlevel.wait_writable(STDOUT)
    except OSError:  # a regular file cannot be waited for, and never makes us wait
        await trio.lowlevel.checkpoint()
        return wanted
    return select.PIPE_BUF


def say(text: str, *, end: str = "\n") -> None:
    """A line on stderr, harmless: it is for people. Where that is gone too there is nobody to tell."""
    with contextlib.suppress(OSError):
        os.write(STDERR, f"{sanitise(text)}{end}".encode(errors="replace"))
