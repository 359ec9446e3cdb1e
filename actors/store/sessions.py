"""Sessions in the database: make, name, list them, and throw them away."""

import sqlite3
import time

import msgspec

from actors.errors import failed
from actors.messages.store import CONFINED_OF, GRANTS_OF, MODE_OF, SessionOpened, SessionSummary
from actors.store import blobs, lookup

TRASH_S = 30 * 24 * 3600.0
"""So long a session that was thrown away can be had back."""
_SUMMARY = (
    "SELECT id AS session_id, name, title, cwd, branch, model, bytes, entries, created_at, updated_at,"
    " iif(uncounted_from IS NULL, cost, NULL) AS cost_usd FROM sessions"
)


def make(database: sqlite3.Connection, session_id: str, cwd: str, model: str, branch: str) -> None:
    """There is nothing to do when it exists."""
    now = time.time()
    database.execute(
        "INSERT OR IGNORE INTO sessions(id, cwd, model, branch, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)",
        (session_id, cwd, model, branch, now, now),
    )


def cwd_of(database: sqlite3.Connection, session_id: str) -> str:
    """Raises Failed(unknown_session)."""
    return opened(database, session_id).cwd


def opened(database: sqlite3.Connection, session_id: str) -> SessionOpened:
    """What is known of it but its entries. Raises Failed(unknown_session)."""
    row = database.execute("SELECT cwd, branch, name FROM sessions WHERE id = ?", (session_id,)).fetchone()
    if row is None:
        raise failed("unknown_session", f"there is no session {session_id}.", lookup.LIST)
    cwd, branch, name = row
    return SessionOpened(session_id=session_id, cwd=cwd, branch=branch, name=name, entries=0)


def summaries(database: sqlite3.Connection, cwd: str, limit: int) -> tuple[SessionSummary, ...]:
    """Newest first; sessions without a prompt are left out, those of subagents, and those that were thrown away."""
    listed = " WHERE (?1 = '' OR cwd = ?1) AND title != '' AND trashed_at IS NULL AND instr(id, '.') = 0"
    newest_first = " ORDER BY updated_at DESC, rowid DESC LIMIT ?2"
    return _summaries(database.execute(_SUMMARY + listed + newest_first, (cwd, limit)))


def below(database: sqlite3.Connection, session_id: str) -> tuple[SessionSummary, ...]:
    """All of its subagents' sessions, newest first."""
    found = database.execute(
        f"{_SUMMARY} WHERE substr(id, 1, ?2) = ?1 ORDER BY updated_at DESC, rowid DESC",
        (f"{session_id}.", len(session_id) + 1),
    )
    return _summaries(found)


def summary(database: sqlite3.Connection, session_id: str) -> SessionSummary:
    """Of one that is there."""
    (found,) = _summaries(database.execute(_SUMMARY + " WHERE id = ?", (session_id,)))
    return found


def _summaries(rows: sqlite3.Cursor) -> tuple[SessionSummary, ...]:
    names = [column[0] for column in rows.description]
    return tuple(msgspec.convert(dict(zip(names, row, strict=True)), SessionSummary) for row in rows)


def be_on(database: sqlite3.Connection, session_id: str, branch: str) -> None:
    """The branch of its last run."""
    database.execute("UPDATE sessions SET branch = ?2 WHERE id = ?1 AND branch != ?2", (session_id, branch))


def name(database: sqlite3.Connection, session_id: str, text: str) -> None:
    """Raises Failed(unknown_session)."""
    cwd_of(database, session_id)
    database.execute("UPDATE sessions SET name = ? WHERE id = ?", (text, session_id))


def trash(database: sqlite3.Connection, session_id: str, *, restore: bool) -> None:
    """With all that are below it. Raises Failed(unknown_session)."""
    cwd_of(database, session_id)
    at = None if restore else time.time()
    database.execute(
        "UPDATE sessions SET trashed_at = ?1 WHERE id = ?2 OR substr(id, 1, ?4) = ?3",
        (at, session_id, f"{session_id}.", len(session_id) + 1),
    )


def empty_trash(database: sqlite3.Connection) -> None:
    """Of what has lain there long enough. Inside the caller's transaction."""
    for (session_id,) in _long_in_trash(database):
        database.execute(
            "DELETE FROM entry_blobs WHERE entry IN (SELECT number FROM entries WHERE session_id = ?)", (session_id,)
        )
        database.execute("DELETE FROM labels WHERE session_id = ?", (session_id,))
        kept = [(key + session_id,) for key in (MODE_OF, GRANTS_OF, CONFINED_OF)]
        database.executemany("DELETE FROM remembered WHERE key = ?", kept)
        database.execute("DELETE FROM entries WHERE session_id = ?", (session_id,))
        database.execute("DELETE FROM sessions WHERE id = ?", (session_id,))
    blobs.forget_unused(database)


def is_trash_due(database: sqlite3.Connection) -> bool:
    return bool(_long_in_trash(database))


def _long_in_trash(database: sqlite3.Connection) -> list[tuple[str]]:
    return database.execute("SELECT id FROM sessions WHERE trashed_at < ?", (time.time() - TRASH_S,)).fetchall()


def remember(database: sqlite3.Connection, key: str, value: str) -> None:
    database.execute("REPLACE INTO remembered(key, value, at) VALUES (?, ?, ?)", (key, value, time.time()))


def recall(database: sqlite3.Connection, key: str) -> str | None:
    row = database.execute("SELECT value FROM remembered WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])
