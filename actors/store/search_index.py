"""The words of all sessions, in a file of their own: brought up to date by who searches, and made anew when damaged."""

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from actors.errors import Failed, failed
from actors.messages.conversation import AssistantMessage, Body, ShellEnded, ToolResult, UserMessage
from actors.store import entries
from actors.store.schema import BUSY_S, in_one_transaction

FILE = "search.db"
VERSION = 1
"""Of the tables below; a file of another one is made anew."""
CHUNK_S = 0.25
"""So long a chunk takes, about: another search waits for it, and the user to leave."""
ADDED_AT_ONCE = 1000
FORGOTTEN_AT_ONCE = 500
MOST_OF_OUTPUT = 16 * 1024
"""Bytes."""
TABLES = """
    BEGIN IMMEDIATE;
    DROP TABLE IF EXISTS words;
    DROP TABLE IF EXISTS places;
    DROP TABLE IF EXISTS sessions;
    DROP TABLE IF EXISTS progress;
    CREATE VIRTUAL TABLE words USING fts5(text, tokenize = 'unicode61 remove_diacritics 2');
    CREATE TABLE places (number INTEGER PRIMARY KEY, session_id TEXT NOT NULL) STRICT;
    CREATE INDEX places_by_session ON places(session_id);
    CREATE TABLE sessions (id TEXT PRIMARY KEY) STRICT;
    CREATE TABLE progress (last INTEGER NOT NULL, entry_id TEXT NOT NULL) STRICT;
    INSERT INTO progress VALUES (0, '');
    PRAGMA user_version = {};
    COMMIT;
"""
_KINDS = (UserMessage.__name__, AssistantMessage.__name__, ToolResult.__name__)


def open_index(home: Path) -> sqlite3.Connection:
    """A damaged one is made anew. Raises Failed where SQLite cannot do it, sqlite3.Error and OSError."""
    try:
        return _open(home / FILE)
    except sqlite3.OperationalError as error:
        if "fts5" not in str(error):
            raise
        text = "the SQLite of this Python cannot search texts: it was built without FTS5."
        raise failed("bad_configuration", text, "Use a Python that has it; see: trouper sessions list") from error
    except sqlite3.DatabaseError:
        remove(home)
        return _open(home / FILE)


def remove(home: Path) -> None:
    for suffix in ("", "-wal", "-shm"):
        (home / f"{FILE}{suffix}").unlink(missing_ok=True)


def _open(path: Path) -> sqlite3.Connection:
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    index = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        index.execute("PRAGMA journal_mode=WAL")
        index.execute("PRAGMA synchronous=NORMAL")  # what a power cut takes is indexed again
        if index.execute("PRAGMA user_version").fetchone() != (VERSION,):
            index.executescript(TABLES.format(VERSION))
        index.execute("SELECT rowid FROM words LIMIT 1")
    except BaseException:
        index.close()
        raise
    return index


def forget_gone(home: Path, database: sqlite3.Connection) -> None:
    """Once sessions have been deleted for good; there need not be an index."""
    if not (home / FILE).exists():
        return
    try:
        with closing(open_index(home)) as index:
            while forget_some(index, database):
                pass
    except (Failed, sqlite3.Error):
        with suppress(OSError):
            remove(home)


def forget_some(index: sqlite3.Connection, database: sqlite3.Connection) -> bool:
    """Of sessions that are no more. False: there is nothing left to forget."""
    kept = {session_id for (session_id,) in database.execute("SELECT id FROM sessions")}
    gone = [session_id for (session_id,) in index.execute("SELECT id FROM sessions") if session_id not in kept]
    if gone:
        in_one_transaction(index, lambda: _forget(index, gone[0]))
    return bool(gone)


def _forget(index: sqlite3.Connection, session_id: str) -> None:
    rows = index.execute("SELECT number FROM places WHERE session_id = ? LIMIT ?", (session_id, FORGOTTEN_AT_ONCE))
    numbers = rows.fetchall()
    index.executemany("DELETE FROM words WHERE rowid = ?", numbers)
    index.executemany("DELETE FROM places WHERE number = ?", numbers)
    if len(numbers) < FORGOTTEN_AT_ONCE:
        index.execute("DELETE FROM sessions WHERE id = ?", (session_id,))


def add_some(index: sqlite3.Connection, database: sqlite3.Connection) -> int:
    """Of the entries that are not in it yet. How many are left, about; 0: none."""
    in_one_transaction(index, lambda: _add(index, database, _last(index, database)))
    (last,) = index.execute("SELECT last FROM progress").fetchone()
    (newest,) = database.execute("SELECT coalesce(max(number), 0) FROM entries").fetchone()
    return int(newest - last)


def _last(index: sqlite3.Connection, database: sqlite3.Connection) -> int:
    """Up to where everything is in it. Numbers of entries that were deleted are given again."""
    last, entry_id = index.execute("SELECT last, entry_id FROM progress").fetchone()
    if database.execute("SELECT id FROM entries WHERE number = ?", (last,)).fetchone() == (entry_id,):
        return int(last)
    (number,) = index.execute("SELECT coalesce(max(number), 0) FROM places").fetchone()
    return int(number)


def _add(index: sqlite3.Connection, database: sqlite3.Connection, last: int) -> None:
    until = time.monotonic() + CHUNK_S
    rows = database.execute(
        "SELECT number, id, session_id, iif(kind IN (?, ?, ?), body, NULL) FROM entries WHERE number > ?"
        " ORDER BY number LIMIT ?",
        (*_KINDS, last, ADDED_AT_ONCE),
    )
    newest: tuple[int, str] | None = None
    for number, entry_id, session_id, encoded in rows:
        newest = (number, entry_id)
        if encoded is not None and (text := _text(database, number, encoded)):
            index.execute("INSERT INTO words(rowid, text) VALUES (?, ?)", (number, text))
            index.execute("INSERT INTO places VALUES (?, ?)", (number, session_id))
            index.execute("INSERT OR IGNORE INTO sessions VALUES (?)", (session_id,))
        if time.monotonic() > until:
            break
    if newest:
        index.execute("UPDATE progress SET last = ?, entry_id = ?", newest)


def _text(database: sqlite3.Connection, number: int, encoded: bytes) -> str:
    """ "" where there is nothing to search in it."""
    try:
        body = entries.decode(encoded)
    except msgspec.DecodeError:
        return ""  # a newer version wrote it
    if isinstance(body, ToolResult) and not body.output:
        row = database.execute(
            "SELECT substr(data, 1, ?) FROM entry_blobs JOIN blobs USING (hash) WHERE entry = ? AND place = 'output'",
            (MOST_OF_OUTPUT, number),
        ).fetchone()
        return "" if row is None else bytes(row[0]).decode(errors="ignore")
    return "\n".join(part for part in _parts(body) if part)


def _parts(body: Body) -> Iterator[str]:
    match body:
        case UserMessage(text=text, quoted=quoted):
            yield text
            yield from (one.text[:MOST_OF_OUTPUT] for one in quoted)
        case AssistantMessage():
            yield body.text
            for call in body.calls:
                yield f"{call.name} {' '.join(_strings(call.arguments))}"
        case ShellEnded(command=command, output=output):
            yield f"{command}\n{output[:MOST_OF_OUTPUT]}"
        case ToolResult(output=output):
            yield output[:MOST_OF_OUTPUT]
        case _:
            pass


def _strings(arguments: str) -> Iterator[str]:
    """As they are meant, not as JSON writes them."""
    try:
        values = [msgspec.json.decode(arguments)]
    except (msgspec.DecodeError, RecursionError):
        values = [arguments]
    for value in values:  # it grows meanwhile
        match value:
            case str():
                yield value
            case dict():
                values += value.values()
            case list():
                values += value
            case _:
                pass
