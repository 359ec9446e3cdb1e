"""The door of a batch that runs: other programs of the same user see where it stands, and may ask it to pause."""

import socket
from collections import deque
from collections.abc import Callable

import msgspec
import trio

from supervisor.tree_socket import address
from ui.batch.live.standing import Standing
from ui.batch.live.words import Ended, Inside, Pause, Pauses, Said, line, path_of

EVERY_S = 0.25
SLOW_S = 10.0
"""A visitor who takes nothing for so long is left alone."""
KEPT = 1000
"""Lines that wait for a visitor; the oldest are left out."""
LONGEST = 4096
"""Bytes of what a visitor says."""


class _Visitor:
    def __init__(self) -> None:
        self.words: deque[Inside] = deque(maxlen=KEPT)
        self.told: Standing | None = None


class Door:
    def __init__(self, standing: Callable[[], Standing | None], pause: Callable[[str], None]) -> None:
        """pause: given who asks, for people; it may be asked again."""
        self._standing = standing
        self._pause = pause
        self._visitors: set[_Visitor] = set()
        self._gone = trio.Event()

    def say(self, text: str) -> None:
        """A line for all who look."""
        for visitor in self._visitors:
            visitor.words.append(Said(text))

    async def close(self, code: int) -> None:
        """The last word for all, in bounded time. code: with which the program ends."""
        for visitor in self._visitors:
            visitor.words.append(Ended(code))
        with trio.move_on_after(1.0):
            while self._visitors:
                await self._gone.wait()

    async def serve(self, home: str, run_id: str) -> None:
        """Until cancelled. Where there can be no door the batch goes on without."""
        path = path_of(home, run_id)
        listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            unborn = path.with_suffix(".closed")
            unborn.unlink(missing_ok=True)
            await listener.bind(address(unborn))
            listener.listen()
            unborn.rename(path)  # whoever finds the path is answered; a refusal means that we are dead
            async with trio.open_nursery() as nursery:
                while True:
                    client, _ = await listener.accept()
                    nursery.start_soon(self._attend, trio.SocketStream(client))
        except OSError:
            return
        finally:
            listener.close()
            path.unlink(missing_ok=True)

    async def _attend(self, stream: trio.SocketStream) -> None:
        visitor = _Visitor()
        self._visitors.add(visitor)
        try:
            async with stream, trio.open_nursery() as nursery:
                nursery.start_soon(self._listen, stream, visitor)
                await self._tell(stream, visitor)
                nursery.cancel_scope.cancel()
        finally:
            self._visitors.discard(visitor)
            gone, self._gone = self._gone, trio.Event()
            gone.set()

    async def _tell(self, stream: trio.SocketStream, visitor: _Visitor) -> None:
        """To the last word, or until nobody takes it."""
        while True:
            words: list[Inside] = [*self._news(visitor), *visitor.words]
            visitor.words.clear()
            for word in words:
                with trio.move_on_after(SLOW_S) as sending:
                    try:
                        await stream.send_all(line(word))
                    except (trio.BrokenResourceError, trio.ClosedResourceError):
                        return
                if sending.cancelled_caught or isinstance(word, Ended):
                    return
            await trio.sleep(EVERY_S)

    def _news(self, visitor: _Visitor) -> list[Inside]:
        """Where it stands, if that is not what was told already."""
        standing = self._standing()
        if standing is None or standing == visitor.told:
            return []
        visitor.told = standing
        return [standing]

    async def _listen(self, stream: trio.SocketStream, visitor: _Visitor) -> None:
        """What is no word of ours is no reason to hear on."""
        data = b""
        try:
            while b"\n" not in data and len(data) < LONGEST:
                if not (more := await stream.receive_some(LONGEST)):
                    return
                data += more
            asked = msgspec.json.decode(data.partition(b"\n")[0], type=Pause)
        except (trio.BrokenResourceError, trio.ClosedResourceError, msgspec.DecodeError):
            return
        visitor.words.append(Pauses())
        self._pause(asked.who)
