"""The door of a batch over a real socket: whoever looks sees it, whoever asks is answered, and nobody holds it up."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio

from ui.batch.live.door import Door
from ui.batch.live.standing import Standing
from ui.batch.live.visitor import pause, standing_of, visit
from ui.batch.live.words import Ended, NobodyThere, Said, path_of

STANDING = Standing(run_id="r", began_at=1.0, tasks=3, left=2)


class Batch:
    """With a door; it pauses when it is asked to, and then ends."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.asked_once = trio.Event()
        self.door = Door(lambda: STANDING, self._ask)

    def _ask(self, who: str) -> None:
        self.asked.append(who)
        self.asked_once.set()

    async def ends_when_asked(self) -> None:
        await self.asked_once.wait()
        self.door.say("3 cut short")
        await self.door.close(130)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    return tmp_path


@asynccontextmanager
async def a_batch(home: Path) -> AsyncIterator[Batch]:
    batch, path = Batch(), path_of(str(home), "r")
    left = path.stat().st_ino if path.exists() else 0
    async with trio.open_nursery() as nursery:
        nursery.start_soon(batch.door.serve, str(home), "r")
        while not path.exists() or path.stat().st_ino == left:
            await trio.lowlevel.checkpoint()
        yield batch
        nursery.cancel_scope.cancel()


async def test_whoever_looks_sees_where_it_stands(home: Path) -> None:
    async with a_batch(home) as batch:
        assert await standing_of(str(home), "r") == STANDING
        assert batch.asked == []


async def test_a_pause_is_asked_for_once_and_waited_for(home: Path) -> None:
    said: list[str] = []
    async with a_batch(home) as batch, trio.open_nursery() as nursery:
        nursery.start_soon(batch.ends_when_asked)
        ended = await pause(str(home), "r", "somebody", said.append)

    assert batch.asked == ["somebody"]
    assert (ended, said) == (Ended(130), ["3 cut short"])


async def test_all_who_look_hear_the_last_word(home: Path) -> None:
    heard: list[list[object]] = []

    async def look() -> None:
        async with visit(str(home), "r") as there:
            words: list[object] = [await there.word()]
            ready.append(None)
            while (word := await there.word()) is not None:
                words.append(word)
        heard.append(words)

    ready: list[None] = []
    async with a_batch(home) as batch, trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(look)
        while len(ready) < 3:
            await trio.lowlevel.checkpoint()
        batch.door.say("[1/3] a: done")
        await batch.door.close(0)

    assert heard == [[STANDING, Said("[1/3] a: done"), Ended(0)]] * 3


@pytest.mark.parametrize("said", [b"{}\n", b"\xff\xfe\n", b"x" * 10_000, b'{"type":"Pause"}\n'])
async def test_what_is_no_word_pauses_nothing_and_harms_nobody(home: Path, said: bytes) -> None:
    async with a_batch(home) as batch:
        async with await trio.open_unix_socket(path_of(str(home), "r")) as stream:
            await stream.send_all(said)
            await stream.receive_some()
            assert await standing_of(str(home), "r") == STANDING
        assert batch.asked == []


async def test_a_door_that_a_killed_program_left_is_nobody_and_the_next_one_opens_there(home: Path) -> None:
    path = path_of(str(home), "r")
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(path))
    left.close()

    assert await standing_of(str(home), "r") is None
    with pytest.raises(NobodyThere, match="no program runs it"):
        await pause(str(home), "r", "somebody", print)
    async with a_batch(home):
        assert await standing_of(str(home), "r") == STANDING
