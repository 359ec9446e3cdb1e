"""The lines of a stream that may send anything: in linear time, bounded, and a line that is too long named. Pure."""

import re
from dataclasses import dataclass

from actors.mcp import limits

ENDS = 4096
"""Bytes kept of both ends of a line that is too long: the id of its message is in one of them."""
ID_FIRST = re.compile(rb'\A\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d{1,15}|"[^"\\]{1,64}")')
ID_LAST = re.compile(rb',\s*"id":\s*(\d{1,15}|"[^"\\]{1,64}")\s*(?:,\s*"jsonrpc":\s*"2\.0"\s*)?\}\s*\Z')


@dataclass(frozen=True)
class TooLong:
    size: int
    head: bytes
    tail: bytes

    @property
    def id(self) -> int | str | None:
        """Of the message that it was; None where that cannot be told."""
        found = ID_FIRST.match(self.head) or ID_LAST.search(self.tail)
        if found is None:
            return None
        return found[1].decode("utf-8", "replace")[1:-1] if found[1].startswith(b'"') else int(found[1])


class Lines:
    """Takes bytes of any amount, gives whole lines without their ends."""

    def __init__(self, most: int = limits.LINE_BYTES) -> None:
        self._most = most
        self._open = bytearray()
        self._searched = 0
        """Of the open line: no end of a line up to here."""
        self._dropped: TooLong | None = None

    def feed(self, data: bytes) -> list[bytes | TooLong]:
        found: list[bytes | TooLong] = []
        self._open += data
        start = 0
        while (end := self._open.find(b"\n", self._searched)) >= 0:
            found.append(self._line(bytes(self._open[start:end])))
            start = self._searched = end + 1
        del self._open[:start]
        self._searched = len(self._open)
        if self._searched > self._most:
            self._drop()
        return [line for line in found if isinstance(line, TooLong) or line.strip()]

    def _line(self, rest: bytes) -> bytes | TooLong:
        dropped, self._dropped = self._dropped, None
        if dropped is not None:
            return TooLong(dropped.size + len(rest), dropped.head, (dropped.tail + rest)[-ENDS:])
        if len(rest) > self._most:
            return TooLong(len(rest), rest[:ENDS], rest[-ENDS:])
        return rest.removesuffix(b"\r")

    def _drop(self) -> None:
        """What there is of the open line: nobody will want it."""
        before = self._dropped or TooLong(0, bytes(self._open[:ENDS]), b"")
        tail = (before.tail + bytes(self._open[-ENDS:]))[-ENDS:]
        self._dropped = TooLong(before.size + len(self._open), before.head, tail)
        self._open.clear()
        self._searched = 0
