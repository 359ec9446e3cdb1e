"""The records of a JSON-lines file that may be torn, huge or hostile: one line at a time, each with its place."""

import re
from collections.abc import Iterator
from typing import IO, NamedTuple, TypeVar

import msgspec

from ui.session_files.foreign.parts import Tally

LONGEST = 48 * 1024 * 1024
"""Bytes of a line; it has to fit into memory several times over. A line with all attachments of a prompt is shorter."""
PIECE = 1024 * 1024
LONE_SURROGATE = re.compile(
    rb"(?<!\\)((?:\\\\)*)(?:\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]..)"
)
"""Half a character, as programs write it that cut texts anywhere."""

Wanted = TypeVar("Wanted")


class Line(NamedTuple):
    offset: int
    data: bytes | None
    """None: it is too long."""


class Unreadable(Exception):
    """A line is no JSON, or not what it should be."""


def lines(file: IO[bytes]) -> Iterator[Line]:
    """Those that are not empty. What a crash left of a block of the disk are zeros: they say nothing."""
    file.seek(0)
    offset = 0
    while data := file.readline(LONGEST):
        start, offset = offset, offset + len(data)
        if len(data) == LONGEST and not data.endswith(b"\n"):
            data = b""
            offset += _skip(file)
            yield Line(start, None)
        elif data := data.strip(b"\0 \t\r\n"):
            yield Line(start, data)


def _skip(file: IO[bytes]) -> int:
    """To the next line. Bytes that were skipped."""
    skipped = 0
    while data := file.readline(PIECE):
        skipped += len(data)
        if data.endswith(b"\n"):
            break
    return skipped


def at(file: IO[bytes], offset: int) -> bytes:
    """The line that begins there."""
    file.seek(offset)
    return file.readline(LONGEST).strip(b"\0 \t\r\n")


def read(data: bytes, wanted: type[Wanted]) -> Wanted:
    """Raises Unreadable."""
    try:
        try:
            return msgspec.json.decode(data, type=wanted)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return msgspec.json.decode(mended(data), type=wanted)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(str(error)) from error


def mended(data: bytes) -> bytes:
    """Without what is no character."""
    whole = LONE_SURROGATE.sub(rb"\1\\ufffd", data)
    return whole.decode("utf-8", "replace").encode()


class TooMuch(Exception):
    """The file has more than can be imported. Text for the user."""


class Kind(msgspec.Struct):
    type: str = ""


MOST = 2_000_000
"""Records of a conversation: their places are in memory."""


def known(line: Line, wanted: type[Wanted], tally: Tally, unknown: list[tuple[str, int]]) -> Wanted | None:
    """None: it is counted, and put aside where it is a record at all."""
    if line.data is None:
        tally.unreadable += 1
        return None
    try:
        return read(line.data, wanted)
    except Unreadable:
        pass
    try:
        kind = read(line.data, Kind).type
    except Unreadable:
        tally.unreadable += 1
    else:
        put_aside(f"{kind} of another form", line, tally, unknown)
    return None


def put_aside(kind: str, line: Line, tally: Tally, unknown: list[tuple[str, int]]) -> None:
    """It is kept as a note."""
    tally.unknown[kind[:80]] += 1
    if len(unknown) < MOST:
        unknown.append((kind[:80], line.offset))


def check(count: int) -> None:
    """Raises TooMuch."""
    if count >= MOST:
        raise TooMuch(f"it has more than {MOST} records")


def text_at(file: IO[bytes], offset: int) -> str:
    """The record as it is written, for a note."""
    return at(file, offset).decode("utf-8", "replace")
