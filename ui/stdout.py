"""Writing to stdout without ever blocking the event loop, however slow the reader."""

import contextlib
import os
import select

import trio

STDOUT = 1


class StdoutGone(Exception):
    """The reader closed the pipe."""


async def write(text: str) -> None:
    """All of it. Raises StdoutGone."""
    data = text.encode("utf-8", "surrogateescape")
    while data:
        with contextlib.suppress(OSError):  # a regular file cannot be waited for, and never makes us wait
            await trio.lowlevel.wait_writable(STDOUT)
        try:
            data = data[os.write(STDOUT, data[: select.PIPE_BUF]) :]
        except BrokenPipeError as error:
            raise StdoutGone from error
