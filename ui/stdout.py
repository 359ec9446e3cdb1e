"""What the fronts without a screen print: stdout without ever blocking the event loop, and lines on stderr."""

import contextlib
import os
import select

import trio

STDOUT, STDERR = 1, 2


class StdoutGone(Exception):
    """Nobody gets what we print. The text says why, and is empty when the reader closed the pipe: that is its right."""


async def write(text: str) -> None:
    """All of it. Raises StdoutGone."""
    data = text.encode("utf-8", "surrogateescape")
    while data:
        with contextlib.suppress(OSError):  # a regular file cannot be waited for, and never makes us wait
            await trio.lowlevel.wait_writable(STDOUT)
        try:
            data = data[os.write(STDOUT, data[: select.PIPE_BUF]) :]
        except BlockingIOError:
            continue  # somebody else who writes there was faster
        except BrokenPipeError as error:
            raise StdoutGone from error
        except OSError as error:
            raise StdoutGone(f"cannot write to stdout: {error.strerror}") from error


def say(text: str) -> None:
    """A line on stderr. Where that is gone too there is nobody to tell."""
    with contextlib.suppress(OSError):
        os.write(STDERR, f"{text}\n".encode(errors="replace"))
