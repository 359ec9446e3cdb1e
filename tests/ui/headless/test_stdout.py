"""What is printed where: to a file, into a pipe that is slow or closed; however much it is."""

import os
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import trio

from tests.ui.headless.fronts import BOUND_S, closed_pipe, full_disk, stdout_is
from ui.headless.stdout import StdoutGone, write

LINE = "all of it, \N{SNOWMAN} \udc80\n"
BYTES = LINE.encode("utf-8", "surrogateescape")
HUGE = 100_000_000 // len(BYTES)
"""Lines."""
MUCH = 8_000_000 // len(BYTES)


@contextmanager
def stdout_to(path: Path) -> Iterator[None]:
    with stdout_is(os.open(path, os.O_WRONLY | os.O_CREAT)):
        yield


async def test_a_hundred_megabytes_go_to_a_file(tmp_path: Path) -> None:
    file = tmp_path / "out"

    with stdout_to(file):
        await write(LINE * HUGE)

    assert file.stat().st_size == len(BYTES) * HUGE
    with file.open("rb") as lines:
        assert set(lines) == {BYTES}


async def test_others_go_on_while_a_file_is_written(tmp_path: Path) -> None:
    rounds = 0

    async def others() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await trio.lowlevel.checkpoint()

    with stdout_to(tmp_path / "out"):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(others)
            await write(LINE * MUCH)
            nursery.cancel_scope.cancel()

    assert rounds > 10


async def test_what_is_left_to_write_is_not_copied(tmp_path: Path) -> None:
    text = LINE * MUCH
    with stdout_to(tmp_path / "out"):
        tracemalloc.start()

        await write(text)

        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert most < len(text) / 4


async def test_a_slow_reader_gets_all_of_it() -> None:
    reader, writer = os.pipe()
    got = 0

    async def read() -> None:
        nonlocal got
        while True:
            await trio.lowlevel.wait_readable(reader)
            got += len(os.read(reader, 1000))
            await trio.lowlevel.checkpoint()

    with stdout_is(writer), trio.fail_after(BOUND_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(read)
            await write(LINE * (MUCH // 8))
            nursery.cancel_scope.cancel()

    os.set_blocking(reader, False)
    got += len(os.read(reader, 1 << 20))
    os.close(reader)
    assert got == len(BYTES) * (MUCH // 8)


async def test_a_closed_pipe_is_the_readers_right_and_a_full_disk_is_said() -> None:
    with stdout_is(closed_pipe()), pytest.raises(StdoutGone, match=r"^$"):
        await write(LINE * HUGE)
    with stdout_is(full_disk()), pytest.raises(StdoutGone, match="No space left"):
        await write(LINE * HUGE)
