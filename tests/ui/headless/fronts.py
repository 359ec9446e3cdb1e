"""A front without a screen in one process: the supervisor's side of it, and a stdout that is whatever is needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import Exit, StartActor, StopActor
from actors.settings.config import Settings

BOUND_S = 30.0
"""Guards against hanging only."""


def settings(words: msgspec.Struct) -> Settings:
    front = msgspec.Raw(msgspec.msgpack.encode(words))
    return Settings(home="/h", cwd="/w", session_id="s", run_id="r", front=front)


async def exit_code(supervisor: Mailbox) -> int:
    """Of the first Exit; every other order is carried out by doing nothing."""
    with trio.fail_after(BOUND_S):
        async for request in supervisor:
            match request.message:
                case Exit(code=code):
                    return code
                case StartActor() | StopActor():
                    request.reply(Done())
                case _:
                    continue
    raise EOFError


@contextmanager
def stdout_is(descriptor: int) -> Iterator[None]:
    before = os.dup(1)
    os.dup2(descriptor, 1)
    os.close(descriptor)
    try:
        yield
    finally:
        os.dup2(before, 1)
        os.close(before)


def full_disk() -> int:
    return os.open("/dev/full", os.O_WRONLY)


def closed_pipe() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer
