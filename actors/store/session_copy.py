"""A copy of a session: its history under another id, without the turn that somebody else is in the middle of."""

import sqlite3
import time
import uuid
from collections.abc import Iterable

import msgspec

from actors.errors import failed


class _Kind(msgspec.Struct):
    type: str


_decode = msgspec.json.Decoder(_Kind).decode
OPENING = ("UserMessage", "PromptQueued")
Row = tuple[float, bytes]


def copy_session(database: sqlite3.Connection, session_id: str, copy_id: str) -> None:
    """There is nothing to do when the copy exists. Raises Failed when there is nothing to copy yet."""
    with database:
        database.execute("BEGIN IMMEDIATE")
        if database.execute("SELECT 1 FROM sessions WHERE id = ?", (copy_id,)).fetchone():
            return
        rows = ended(
            database.execute("SELECT at, body FROM entries WHERE session_id = ? ORDER BY number", (session_id,))
        )
        if not rows:
            text = f"no turn of session {session_id[:8]} has come to its end yet, so there is nothing to copy."
            raise failed("bad_request", text, "Wait for it there, or start a new session here: trouper")
        now = time.time()
        database.execute(
            "INSERT INTO sessions(id, cwd, model, title, created_at, updated_at)"
            " SELECT ?, cwd, model, title, ?, ? FROM sessions WHERE id = ?",
            (copy_id, now, now, session_id),
        )
        ids = [uuid.uuid4().hex for _ in rows]
        database.executemany(
            "INSERT INTO entries(id, session_id, parent, at, body) VALUES (?, ?, ?, ?, ?)",
            [(own, copy_id, parent, *row) for own, parent, row in zip(ids, ["", *ids], rows, strict=False)],
        )


def ended(rows: Iterable[Row]) -> list[Row]:
    """Without an open turn: to go on with it is for whoever began it."""
    kept: list[Row] = []
    opened: list[Row] = []
    for at, body in rows:
        kind = _decode(body).type
        if opened or kind in OPENING:
            opened.append((at, body))
        else:
            kept.append((at, body))
        if kind == "TurnEnded":
            kept, opened = [*kept, *opened], []
    return kept
