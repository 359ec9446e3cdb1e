"""Responses over a socket that stays open for one conversation, so that a request sends only what is new.

Whatever keeps a socket from working, HTTP takes its place for a while and the turn goes on: see DECISIONS.
Importing this loads no WebSocket library; the first socket does.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

import trio

from actors.providers.endpoint import Endpoint
from actors.providers.faults.fault import NESTED, STALLED, Fault, ServiceFailed, cut
from actors.providers.formats.deltas import merged
from actors.providers.formats.openai_responses.continuation import NOT_FOUND, WORN_OUT, error_names, frame, remembered
from actors.providers.formats.openai_responses.reader import Reader
from actors.providers.formats.sse import ENDLESS, LONGEST_STREAM, Event, Silence
from actors.providers.formats.wire_format import Delta, HttpRequest
from actors.providers.formats.wire_format import Reader as AnyReader
from actors.providers.http import proxies, transport_rules
from actors.providers.http.answer_listener import Listener
from actors.providers.http.websocket import Socket

REFUSED: Final = "refused"
"""Nothing was told to anybody: HTTP has to be asked."""
_AGAIN: Final = "again"
BARRED_S = 60.0
"""After a socket that did not work; doubled each time, until one does."""
MOST_BARRED_S = 3600.0
SOCKETS = 3
"""In all, for one request: a stale one, a worn out one, and one that works."""
LIFE_S = 55 * 60.0
"""The service ends a socket after 60 minutes, also in the middle of an answer."""
MOST = 32
"""Sockets that are kept: agents end and do not say so."""


class _Bar(NamedTuple):
    until: float
    for_s: float


class Sockets:
    """One for each conversation."""

    def __init__(self, nursery: trio.Nursery) -> None:
        """They are closed when the nursery is cancelled."""
        self._nursery = nursery
        self._kept: dict[tuple[str, str], Socket] = {}
        self._bars: dict[str, _Bar] = {}

    async def ask(
        self, endpoint: Endpoint, parts: HttpRequest, reader: AnyReader, listener: Listener, conversation: str
    ) -> Fault | Literal["refused"] | None:
        """One try, as of exchange.Client. conversation: of whose requests one builds on the other."""
        if not isinstance(reader, Reader) or not self._may(endpoint, parts.url):
            return REFUSED
        for _ in range(SOCKETS):
            socket = await self._socket(parts, (conversation, parts.url))
            if socket is None:
                return REFUSED
            outcome = await self._try(socket, endpoint, parts, reader, listener)
            if outcome is None or isinstance(outcome, Fault):
                return outcome
            reader.begin_again()
            if outcome == REFUSED:
                return REFUSED
        return REFUSED

    def _may(self, endpoint: Endpoint, url: str) -> bool:
        if not endpoint.websocket or self._is_barred(url):
            return False
        try:
            transport_rules.check(endpoint, url)
            transport_rules.ssl_context()
            return not proxies.url_of(url)  # the library of the sockets knows none
        except ServiceFailed:
            return False  # HTTP will say it

    def _is_barred(self, url: str) -> bool:
        return url in self._bars and trio.current_time() < self._bars[url].until

    def _bar(self, url: str) -> None:
        for_s = min(2 * self._bars[url].for_s, MOST_BARRED_S) if url in self._bars else BARRED_S
        self._bars[url] = _Bar(trio.current_time() + for_s, for_s)

    async def _socket(self, parts: HttpRequest, place: tuple[str, str]) -> Socket | None:
        key = parts.headers.get("authorization", "")
        socket = self._kept.get(place)
        if socket is not None and socket.busy:
            return None
        if socket is not None and not socket.gone and socket.key == key and socket.age_s < LIFE_S:
            socket.busy = True
            return socket
        if socket is not None:
            socket.close()
        socket = self._kept[place] = Socket(key)
        opened = False
        try:
            opened = await self._nursery.start(socket.run, parts)
        finally:
            if not opened:
                del self._kept[place]
        if not opened:
            self._bar(parts.url)
            return None
        self._make_room()
        return socket

    def _make_room(self) -> None:
        self._kept = {place: socket for place, socket in self._kept.items() if not socket.gone}
        idle = sorted((socket for socket in self._kept.values() if not socket.busy), key=lambda socket: socket.used_at)
        for socket in idle[: max(0, len(self._kept) - MOST)]:
            socket.close()

    async def _try(
        self, socket: Socket, endpoint: Endpoint, parts: HttpRequest, reader: Reader, listener: Listener
    ) -> Fault | Literal["refused", "again"] | None:
        exchange = _Exchange(socket, reader, listener)
        try:
            outcome = await exchange.run(parts.body, endpoint.idle_timeout_s)
        finally:
            socket.leave(usable=exchange.usable)  # a cancelled answer goes on coming: its socket is of no more use
        if exchange.failed:
            self._bar(parts.url)
        elif outcome is None:
            self._bars.pop(parts.url, None)
        return outcome


class _Exchange:
    """One request and its answer."""

    def __init__(self, socket: Socket, reader: Reader, listener: Listener) -> None:
        self._socket = socket
        self._reader = reader
        self._listener = listener
        self._begun = False
        """The service has taken the request: nobody may be asked again without saying so."""
        self._told = False
        self._latest = b""
        self.usable = False
        """The socket can be asked again."""
        self.failed = False
        """Sockets do not work there."""

    async def run(self, body: bytes, idle_timeout_s: float) -> Fault | Literal["refused", "again"] | None:
        sent = frame(body, self._socket.memory)
        self._socket.memory = None
        gone_out, silence, size = None, Silence(), 0
        with trio.move_on_after(idle_timeout_s):
            gone_out = await self._socket.send(sent.text)
        if not gone_out:
            return self._stalled() if gone_out is None else self._broke()
        try:
            while not self._reader.ended:
                frames = None
                with trio.move_on_after(idle_timeout_s):
                    frames = await self._socket.take()
                if not frames:
                    return self._stalled() if frames is None else self._broke()
                size += sum(map(len, frames))
                if size > LONGEST_STREAM:
                    return ENDLESS
                await self._tell(frames)
                if not self._reader.ended:
                    silence.heard(self._reader.progress)
            answer = self._reader.finish()
        except ServiceFailed as error:
            return self._refused(error.fault, sent.continued)
        except RecursionError:
            return NESTED
        if self._reader.goes_on:
            self._socket.memory = remembered(body, answer.message, self._reader.response_id)
        self.usable = True
        self._listener.deliver(answer)
        return None

    async def _tell(self, frames: list[bytes]) -> None:
        for delta in merged(self._read(frames)):
            await self._listener.send(delta)

    def _read(self, frames: list[bytes]) -> Iterator[Delta]:
        for data in frames:
            self._latest = data
            deltas = self._reader.read(Event("", data))
            self._told = self._told or bool(deltas)
            if not self._begun and (deltas or self._reader.response_id):
                self._begun = True
                self._listener.accepted({} if self._socket.answered else self._socket.handshake_headers)
            yield from deltas
            if self._reader.ended:
                return

    def _refused(self, fault: Fault, continued: bool) -> Fault | Literal["again"]:
        names = error_names(self._latest)
        self.usable = not self._told and continued and NOT_FOUND in names
        if not WORN_OUT.isdisjoint(names):
            return cut("its socket wore out in the middle of the answer.") if self._begun else _AGAIN
        return _AGAIN if self.usable else fault

    def _broke(self) -> Fault | Literal["refused", "again"]:
        if not self._begun and self._socket.answered:
            return _AGAIN  # it was closed while nobody asked anything
        self.failed = True
        return cut("the connection broke in the middle of the answer.") if self._begun else REFUSED

    def _stalled(self) -> Fault:
        self.failed = True
        return STALLED
