"""Halves of characters: a service that cuts text by UTF-16 units splits an emoji between two events. No I/O.

JSON writes such a half as an escape of its own, which strict readers refuse.
"""

import re
from collections.abc import Callable
from typing import TypeVar

import msgspec

T = TypeVar("T")
_ESCAPES = re.compile(rb"\\u[dD][89abAB]\w\w\\u[dD][c-fC-F]\w\w|\\u[dD][89a-fA-F]\w\w|\\.", re.DOTALL)
_HALF = len(rb"\ud83d")
_REPLACEMENT = rb"\ufffd"


class Halves:
    """Of the events of one stream."""

    def __init__(self) -> None:
        self._first = b""

    def read(self, reading: Callable[[bytes], T], data: bytes) -> T:
        """What `reading` makes of an event; once more, of whole characters, when it says that this is no JSON."""
        try:
            return reading(data)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError:
            return reading(self.mended(data))

    def mended(self, data: bytes) -> bytes:
        """JSON of whole characters; a first half waits for the second, which a later event brings."""
        return _ESCAPES.sub(self._whole, data)

    def _whole(self, found: re.Match[bytes]) -> bytes:
        escape = found[0]
        if len(escape) != _HALF:
            return escape
        if escape[3:4].lower() in b"89ab":
            self._first = escape
            return b""
        first, self._first = self._first, b""
        return first + escape if first else _REPLACEMENT
