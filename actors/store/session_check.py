"""What is wrong with a session as it is stored, in words; nothing is changed by looking."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import trio

from actors.common.budget import Billed, Tally
from actors.messages.conversation import AssistantMessage, Body, Compacted, ToolCall, ToolResult, TurnEnded
from actors.store import entries
from actors.store.schema import open_to_read

MOST_OF_THE_FILE = 20
"""Mistakes of the whole database that are told."""


async def check(home: Path, session_id: str) -> tuple[str, ...]:
    """In a thread, with a connection of its own. Raises sqlite3.Error."""
    return await trio.to_thread.run_sync(_check, home, session_id)


def _check(home: Path, session_id: str) -> tuple[str, ...]:
    with closing(open_to_read(home)) as database:
        return (*of_the_file(database), *of_the_session(database, session_id))


def of_the_file(database: sqlite3.Connection) -> list[str]:
    """Reads all of it. Raises sqlite3.Error."""
    rows = database.execute(f"PRAGMA integrity_check({MOST_OF_THE_FILE})").fetchall()
    return [] if rows == [("ok",)] else [f"the database: {text}" for (text,) in rows]


def of_the_session(database: sqlite3.Connection, session_id: str) -> list[str]:
    """Raises sqlite3.Error."""
    return [
        *_of_parents(database, session_id),
        *_of_blobs(database, session_id),
        *_of_labels(database, session_id),
        *_of_bodies(database, session_id),
    ]


def _of_parents(database: sqlite3.Connection, session_id: str) -> Iterator[str]:
    """A parent that is always older leaves no room for a circle."""
    rows = database.execute(
        "SELECT e.id, e.parent, p.number IS NULL FROM entries e"
        " LEFT JOIN entries p ON p.id = e.parent AND p.session_id = e.session_id"
        " WHERE e.session_id = ? AND e.parent != '' AND (p.number IS NULL OR p.number >= e.number)",
        (session_id,),
    )
    for entry_id, parent, missing in rows:
        yield f"entry {entry_id}: its parent {parent} is {'not there' if missing else 'no older than itself'}"


def _of_blobs(database: sqlite3.Connection, session_id: str) -> Iterator[str]:
    for entry_id, place, why in lost_blobs(database, session_id):
        yield f"entry {entry_id}: what is kept beside it as {place} is {why}"


def lost_blobs(database: sqlite3.Connection, session_id: str) -> Iterator[tuple[str, str, str]]:
    """The entry's id, the place in it, and why."""
    rows = database.execute(
        "SELECT e.id, b.place, b.hash, data FROM entries e JOIN entry_blobs b ON b.entry = e.number"
        " LEFT JOIN blobs USING (hash) WHERE e.session_id = ?",
        (session_id,),
    )
    for entry_id, place, digest, data in rows:
        if data is None:
            yield entry_id, place, "not there"
        elif hashlib.sha256(data).hexdigest() != digest:
            yield entry_id, place, "not what it was"


def _of_labels(database: sqlite3.Connection, session_id: str) -> Iterator[str]:
    rows = database.execute(
        "SELECT entry_id FROM labels WHERE session_id = ?1"
        " AND entry_id NOT IN (SELECT id FROM entries WHERE session_id = ?1)",
        (session_id,),
    )
    for (entry_id,) in rows:
        yield f"a label names entry {entry_id}, which is not there"


def _of_bodies(database: sqlite3.Connection, session_id: str) -> Iterator[str]:
    on_path = set(entries.path(database, session_id, None, whole=True))
    ids = {entry_id for (entry_id,) in database.execute("SELECT id FROM entries WHERE session_id = ?", (session_id,))}
    tally, size, calls = Tally(), 0, Calls()
    numbers = entries.numbers_of(database, session_id)
    for number in numbers:
        size += _size(database, number)
        try:
            entry = entries.bare(database, number)
        except msgspec.DecodeError as error:
            yield f"entry number {number} cannot be read: {error}"
            tally = msgspec.structs.replace(tally, sum_usd=None)
            continue
        if isinstance(entry.body, Billed):
            tally = tally.with_next(entry.body)
        if isinstance(entry.body, Compacted):
            named = {entry.body.kept_from, entry.body.shrunk_before, entry.body.read_from} - {""}
            yield from (f"entry {entry.id}: it names {lost}, which is not there" for lost in sorted(named - ids))
        if number in on_path:
            yield from (f"entry {entry.id}: {wrong}" for wrong in calls.take(entry.body))
    yield from _of_columns(database, session_id, (len(numbers), size, tally))


def _size(database: sqlite3.Connection, number: int) -> int:
    (size,) = database.execute(
        "SELECT length(body) + (SELECT coalesce(sum(length(data)), 0) FROM entry_blobs JOIN blobs USING (hash)"
        " WHERE entry = number) FROM entries WHERE number = ?",
        (number,),
    ).fetchone()
    return int(size)


def _of_columns(database: sqlite3.Connection, session_id: str, counted: tuple[int, int, Tally]) -> Iterator[str]:
    *kept, is_counted = database.execute(
        "SELECT entries, bytes, cost, tokens, uncounted_from IS NULL FROM sessions WHERE id = ?", (session_id,)
    ).fetchone()
    entries_found, size, tally = counted
    names = ("entries", "bytes", "cost", "tokens")[: None if is_counted else 2]
    for name, noted, found in zip(names, kept, (entries_found, size, tally.sum_usd, tally.tokens), strict=False):
        if noted != found:
            yield f"the list says {name} {noted}, and it is {found}"


class Calls:
    """Each call has exactly one result, on one path. Services give an id again in another answer."""

    def __init__(self) -> None:
        self._open: dict[str, ToolCall] = {}
        self._closed: set[str] = set()

    def take(self, body: Body) -> list[str]:
        """The next on the path. What is wrong with it."""
        match body:
            case AssistantMessage():
                wrong = self._left()
                self._open, self._closed = {call.call_id: call for call in body.calls}, set()
                return wrong
            case TurnEnded():
                wrong = self._left()
                self._open = {}
                return wrong
            case ToolResult(call_id=call_id) if call_id in self._open:
                del self._open[call_id]
                self._closed.add(call_id)
                return []
            case ToolResult(call_id=call_id):
                again = "another result" if call_id in self._closed else "a result without a call"
                return [f"{again} of call {call_id}"]
            case _:
                return []

    @property
    def open(self) -> tuple[ToolCall, ...]:
        """Those that have no result yet."""
        return tuple(self._open.values())

    def _left(self) -> list[str]:
        return [f"call {call_id} before it has no result" for call_id in self._open]
