"""A front without a screen in one process: the supervisor's side of it, and a stdout that is whatever is needed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import ActorState, DescribeTree, Exit, StartActor, StopActor, Tree
from actors.settings.config import Settings

BOUND_S = 30.0
"""Guards against hanging only."""


def settings(words: msgspec.Struct) -> Settings:
    front = msgspec.Raw(msgspec.msgpack.encode(words))
    return Settings(home="/h", cwd="/w", session_id="s", run_id="r", front=front)


def tree_of(**waits_for: tuple[str, ...]) -> Tree:
    """Actors that run, by name, with `_` for `:`, and whom each waits for."""
    actors = tuple(
        ActorState(
            name=name.replace("_", ":"), pid=1, state="running", started_at=0.0, messages=1, queue=0, restarts=0,
            waits_for=others,
        )
        for name, others in waits_for.items()
    )  # fmt: skip
    return Tree(pid=1, session_id="s", cwd="/w", started_at=0.0, actors=actors)


async def exit_code(supervisor: Mailbox, tree: Tree | None = None, within_s: float = BOUND_S) -> int:
    """Of the first Exit; every other order is carried out by doing nothing. tree: as it is described."""
    with trio.fail_after(within_s):
        async for request in supervisor:
            match request.message:
                case Exit(code=code):
                    return code
                case StartActor() | StopActor():
                    request.reply(Done())
                case DescribeTree() if tree is not None:
                    request.reply(tree)
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
