"""Reading what a service answers: a stream, one JSON body, or something else, whatever its headers say it is."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Literal

import msgspec
import trio

from actors.messages.model import Answer
from actors.providers.faults import error_body
from actors.providers.faults.fault import ADDRESS, ENDED, FOREIGN, Fault, ServiceFailed, broken, of_event
from actors.providers.formats.deltas import merged
from actors.providers.formats.sse import BOM, ENDLESS, LONGEST_EVENT, LONGEST_STREAM, Parser, Silence
from actors.providers.formats.wire_format import Delta, Reader
from actors.providers.http import network_faults
from actors.providers.http.pools import Response
from actors.providers.http.unpacking import Unpacking

AHEAD = 256
"""Reads that may wait for a slow asker before the service is slowed down."""
FIELD = re.compile(rb"(data|event|id|retry)?:")
LONGEST_FIELD = 6
AN_ANSWER = 3
"""Events; one or two of another format may say that the server is only loading."""
SHOWN = 80
"""Characters of what should not have come."""
NO_STREAM_HINT = f"Check {ADDRESS}: it may lack /v1, or a sign-in page or a proxy may be answering in its place."
NO_ANSWER = (b"", b"null")
Kind = Literal["stream", "json", "html", "other", "nothing"]


class Body:
    """The bytes of a response; reading goes on while the asker is busy with the last ones."""

    def __init__(self, response: Response, silence_s: float) -> None:
        """silence_s: so long it may bring nothing but signs of life."""
        self._response = response
        self.silence_s = silence_s
        self._put, self._arrived = trio.open_memory_channel[bytes](AHEAD)
        self._fault: Fault | None = None

    @property
    def declared(self) -> str:
        kind: str = self._response.headers.get("content-type", "text/event-stream")
        return kind.partition(";")[0].strip().lower()

    async def pump(self) -> None:
        with self._put:
            try:
                unpacking = Unpacking(self._response.encoding)
                await self._response.read(partial(self._take_packed, unpacking))
                unpacking.end()
            except ServiceFailed as error:
                self._fault = error.fault
            except network_faults.ERRORS as error:
                self._fault = network_faults.of(error)

    async def _take_packed(self, unpacking: Unpacking, packed: bytes) -> None:
        for piece in unpacking.unpack(packed):
            try:
                self._put.send_nowait(piece)  # does not yield: what one read brought stays together
            except trio.WouldBlock:
                await self._put.send(piece)

    async def take(self) -> bytes:
        """All that has come, b"" at the end. Raises ServiceFailed."""
        try:
            pieces = [await self._arrived.receive()]
        except trio.EndOfChannel:
            if self._fault is not None:
                raise ServiceFailed(self._fault) from None
            return b""
        while True:
            try:
                pieces.append(self._arrived.receive_nowait())
            except (trio.WouldBlock, trio.EndOfChannel):
                return b"".join(pieces)

    async def rest(self, most: int, data: bytes = b"") -> bytes:
        """Everything until the end, behind `data`. Raises ServiceFailed."""
        pieces, size = [data], len(data)
        while size < most and (piece := await self.take()):
            pieces.append(piece)
            size += len(piece)
        return b"".join(pieces)[:most]


async def answer(body: Body, reader: Reader, send: Callable[[Delta], Awaitable[None]]) -> Answer:
    """Of a response with status 200. Raises ServiceFailed."""
    silence = Silence(body.silence_s)
    data = await body.take()
    ended = not data
    while (kind := kind_of(data, body.declared, ended)) is None:
        silence.heard(0)
        piece = await body.take()
        data, ended = data + piece, not piece
    match kind:
        case "stream":
            return await _streamed(data, body, reader, send, silence)
        case "json":
            return await _whole(await body.rest(LONGEST_EVENT, data), reader, send)
        case "nothing":
            raise ServiceFailed(broken("it answered with nothing at all."))
        case _:
            raise ServiceFailed(_no_answer(kind, body.declared, data))


def kind_of(begin: bytes, declared: str, ended: bool) -> Kind | None:
    """Judged by the first bytes: servers and proxies send streams as text/plain, and JSON and pages as streams.

    None: more is needed.
    """
    begin = begin.removeprefix(BOM).lstrip()
    if not begin:
        return "nothing" if ended else None
    if begin[:1] in (b"{", b"["):
        return "json"
    if begin[:1] == b"<":
        return "html"
    if declared == "text/event-stream" or FIELD.match(begin):
        return "stream"
    return None if len(begin) < LONGEST_FIELD and not ended else "other"


def _no_answer(kind: Kind, declared: str, begin: bytes) -> Fault:
    if kind == "html":
        return Fault(
            "bad_stream", "it answered with a web page where an event stream was asked for.", hint=NO_STREAM_HINT
        )
    shown = " ".join(begin.decode("utf-8", "replace").split())[:SHOWN]
    return Fault("bad_stream", f'it answered with {declared} where an event stream was asked for: "{shown}".')


async def _streamed(
    data: bytes, body: Body, reader: Reader, send: Callable[[Delta], Awaitable[None]], silence: Silence
) -> Answer:
    parser, size, spoken = Parser(), 0, 0
    while True:
        size += len(data)
        if size > LONGEST_STREAM:
            raise ServiceFailed(ENDLESS)
        events = parser.feed(data) if data else parser.finish()
        spoken += sum(not event.is_sign_of_life for event in events)
        for delta in merged(delta for event in events for delta in reader.read(event)):
            await send(delta)
        if reader.ended or not data:
            return _ended(reader, foreign=spoken >= AN_ANSWER and not reader.progress)
        silence.heard(reader.progress)
        try:
            data = await body.take()
        except ServiceFailed as error:
            return _broken(reader, error)


def _ended(reader: Reader, *, foreign: bool) -> Answer:
    """A stream that was all in another format is no outage: it will not be another one next time."""
    try:
        return reader.finish()
    except ServiceFailed as error:
        if foreign and error.fault == ENDED:
            raise ServiceFailed(FOREIGN) from error
        raise


def _broken(reader: Reader, error: ServiceFailed) -> Answer:
    """Servers that hang up without the end of the transfer may have said everything before."""
    if error.fault.code != "bad_stream":
        raise error
    try:
        return reader.finish()
    except ServiceFailed:
        raise error from None


async def _whole(data: bytes, reader: Reader, send: Callable[[Delta], Awaitable[None]]) -> Answer:
    if _is_error(data):
        raise ServiceFailed(of_event(data))  # some services answer so, with status 200, to a request they refuse
    for delta in merged(reader.read_whole(data)):
        await send(delta)
    return reader.finish()


class _Body(msgspec.Struct):
    error: msgspec.Raw = msgspec.Raw()
    type: Any = None
    object: Any = None
    message: Any = None
    detail: Any = None
    choices: msgspec.Raw = msgspec.Raw()
    content: msgspec.Raw = msgspec.Raw()
    output: msgspec.Raw = msgspec.Raw()

    @property
    def is_error(self) -> bool:
        """Some services send an empty error with every answer, others no error but only words."""
        if error_body.is_one(self.error):
            return True
        if any(bytes(answer) not in NO_ANSWER for answer in (self.choices, self.content, self.output)):
            return False
        return "error" in (self.type, self.object) or isinstance(self.message, str) or bool(self.detail)


_body = msgspec.json.Decoder(_Body)
_bodies = msgspec.json.Decoder(list[_Body])


def _is_error(data: bytes) -> bool:
    try:
        if data.lstrip()[:1] == b"[":
            return any(one.is_error for one in _bodies.decode(data))
        return _body.decode(data).is_error
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False  # the reader will say what is wrong with it
