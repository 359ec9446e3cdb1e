"""Sessions and their entries in the database: append, read, list. Plain functions; the actor calls them."""

import sqlite3
import time
from collections.abc import Iterable, Iterator

import msgspec

from actors.errors import failed
from actors.messages.conversation import Body, Entry, UserMessage
from actors.messages.store import SessionSummary

TITLE_LENGTH = 80

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Body).decode


def make_session(database: sqlite3.Connection, session_id: str, cwd: str, model: str) -> None:
    """There is nothing to do when it exists."""
    now = time.time()
    database.execute(
        "INSERT OR IGNORE INTO sessions(id, cwd, model, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
        (session_id, cwd, model, now, now),
    )


def find_session(database: sqlite3.Connection, start: str, cwd: str) -> str:
    """The id that begins so, or the latest of the folder for "". Raises Failed(unknown_session)."""
    hint = "List them with: trouper sessions list"
    if not start:
        latest = summaries(database, cwd, 1)
        if not latest:
            raise failed("unknown_session", f"there is no earlier session in {cwd}.", hint)
        return latest[0].session_id
    known = "SELECT id FROM sessions WHERE id = ?1"
    rows = database.execute(known, (start,)).fetchall()
    if not rows:
        begun = "SELECT id FROM sessions WHERE substr(id, 1, length(?1)) = ?1 LIMIT 2"
        rows = database.execute(begun, (start,)).fetchall()
    if len(rows) != 1:
        what = "more than one session" if rows else "no session"
        raise failed("unknown_session", f'there is {what} whose id begins with "{start}".', hint)
    return str(rows[0][0])


def append(database: sqlite3.Connection, entries: Iterable[Entry]) -> None:
    """Inside the caller's transaction. An id that is there already changes nothing."""
    for entry in entries:
        database.execute(
            "INSERT OR IGNORE INTO entries(id, session_id, parent, at, body) VALUES (?, ?, ?, ?, ?)",
            (entry.id, entry.session_id, entry.parent, entry.at, _encode(entry.body)),
        )
        title = _title(entry.body)
        database.execute(
            "UPDATE sessions SET updated_at = max(updated_at, ?), title = iif(title = '', ?, title) WHERE id = ?",
            (entry.at, title, entry.session_id),
        )


def read(database: sqlite3.Connection, session_id: str) -> Iterator[Entry]:
    """Oldest first."""
    rows = database.execute(
        "SELECT id, parent, at, body FROM entries WHERE session_id = ? ORDER BY number", (session_id,)
    )
    for entry_id, parent, at, body in rows:
        yield Entry(id=entry_id, session_id=session_id, parent=parent, at=at, body=_decode(body))


def cwd_of(database: sqlite3.Connection, session_id: str) -> str:
    """Raises Failed(unknown_session)."""
    row = database.execute("SELECT cwd FROM sessions WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise failed("unknown_session", f"there is no session {session_id}.", "List them with: trouper sessions list")
    return str(row[0])


def summaries(database: sqlite3.Connection, cwd: str, limit: int) -> tuple[SessionSummary, ...]:
    """Newest first; sessions without a prompt are left out."""
    rows = database.execute(
        "SELECT s.id AS session_id, s.cwd, s.model, s.title, s.created_at, s.updated_at, count(e.number) AS entries"
        " FROM sessions s JOIN entries e ON e.session_id = s.id"
        " WHERE (?1 = '' OR s.cwd = ?1) AND s.title != ''"
        " GROUP BY s.id ORDER BY s.updated_at DESC, s.rowid DESC LIMIT ?2",
        (cwd, limit),
    )
    names = [column[0] for column in rows.description]
    return tuple(msgspec.convert(dict(zip(names, row, strict=True)), SessionSummary) for row in rows)


def remember(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("REPLACE INTO remembered(key, value, at) VALUES (?, ?, ?)", (key, value, time.time()))


def recall(database: sqlite3.Connection, key: str) -> str | None:
    row = database.execute("SELECT value FROM remembered WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def _title(body: Body) -> str:
    if not isinstance(body, UserMessage):
        return ""
    return " ".join(body.text.split())[:TITLE_LENGTH]
