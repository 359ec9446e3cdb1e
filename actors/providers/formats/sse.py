"""Server-sent events from bytes that may be cut anywhere; it knows nothing of what the events mean.

Format: https://html.spec.whatwg.org/multipage/server-sent-events.html, with one leniency: an event that the end of
the stream cuts off before its blank line still counts, because several servers leave that line out.
"""

from typing import NamedTuple

import msgspec
import trio

from actors.providers.faults.fault import Fault, ServiceFailed, broken

BOM = b"\xef\xbb\xbf"
LONGEST_EVENT = 32 * 1024 * 1024
"""Bytes. The largest seen in the wild, a web search result, has a quarter of a megabyte."""
LONGEST_STREAM = 64 * 1024 * 1024
"""Bytes. The longest answer of a model, a token an event, has a third of it."""
ENDLESS = Fault("bad_stream", "it sent more than any answer has.")


SIGNS_OF_LIFE = {"ping", "keepalive", "heartbeat"}
LONGEST_SIGN = 1024
"""Bytes of one; whatever is longer says something."""
SILENCE_S = 15 * 60.0
"""So long nothing but signs of life: longer than any model is known to think without a word."""
SILENT = Fault("stalled", "nothing but signs of life came for 15 minutes.", "while it lasts")


class Event(NamedTuple):
    name: str
    data: bytes
    """UTF-8, as it came; lines joined by a newline."""

    @property
    def is_sign_of_life(self) -> bool:
        return self.name in SIGNS_OF_LIFE or (len(self.data) <= LONGEST_SIGN and _type(self.data) in SIGNS_OF_LIFE)


class _Typed(msgspec.Struct):
    type: str = ""


_decode = msgspec.json.Decoder(_Typed).decode


def _type(data: bytes) -> str:
    try:
        return _decode(data).type
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


class Silence:
    """How long a service has said nothing, though its connection lives."""

    def __init__(self, limit_s: float = SILENCE_S) -> None:
        self._limit_s = limit_s
        self._since = trio.current_time()
        self._progress = 0

    def heard(self, progress: int) -> None:
        """progress: the reader's, because signs of life have any name. Raises ServiceFailed."""
        if progress != self._progress:
            self._since, self._progress = trio.current_time(), progress
        elif trio.current_time() - self._since > self._limit_s:
            raise ServiceFailed(SILENT)


class Parser:
    def __init__(self) -> None:
        self._line: list[bytes] = []  # pieces of a line whose end has not come
        self._data: list[bytes] = []
        self._name = ""
        self._size = 0
        self._after_cr = False
        self._begun = False

    def feed(self, data: bytes) -> list[Event]:
        """Raises ServiceFailed for an event beyond all measure."""
        if self._after_cr and data:
            self._after_cr = False
            data = data.removeprefix(b"\n")  # the second half of a cut CRLF
        if not data:
            return []
        self._after_cr = data.endswith(b"\r")
        lines = data.splitlines()
        rest = b"" if data.endswith((b"\n", b"\r")) else lines.pop()
        if lines and self._line:
            lines[0] = b"".join([*self._line, lines[0]])
            self._line.clear()
        self._size += len(data)
        if rest:
            self._line.append(rest)
        events = [event for line in lines if (event := self._take(line))]
        if self._size > LONGEST_EVENT:
            raise ServiceFailed(broken("it sent an event larger than any answer."))
        return events

    def finish(self) -> list[Event]:
        """What was still open when the stream ended."""
        lines = [b"".join(self._line), b""] if self._line else [b""]
        self._line.clear()
        return [event for line in lines if (event := self._take(line))]

    def _take(self, line: bytes) -> Event | None:
        if not self._begun:
            self._begun = True
            line = line.removeprefix(BOM)
        if not line:
            return self._dispatch()
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"event":
            self._name = value.decode("utf-8", "replace")
        return None

    def _dispatch(self) -> Event | None:
        self._size = 0
        event = Event(self._name, b"\n".join(self._data)) if self._data else None
        self._data.clear()
        self._name = ""
        return event
