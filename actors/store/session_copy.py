"""A copy of a session: a path of its tree under another id, without the turn that somebody else is in the middle of."""

import sqlite3
import time
import uuid
from collections.abc import Iterable

import msgspec

from actors.errors import failed
from actors.messages.base import PromptsWithdrawn
from actors.messages.checkpoint import TakenBack
from actors.messages.conversation import (
    HERE,
    Body,
    Compacted,
    Entry,
    Moved,
    Named,
    PromptQueued,
    TurnEnded,
    UserMessage,
)
from actors.messages.store import MODE_OF
from actors.store import entries

Row = tuple[int, Entry]
"""Its number, and what is in it."""


def copy_session(database: sqlite3.Connection, session_id: str, copy_id: str, end: str = "") -> None:
    """Inside the caller's transaction. There is nothing to do when the copy exists.

    end: the last entry that is to be in it; "" for where the session stands.

    Raises Failed when there is nothing to copy yet.
    """
    if database.execute("SELECT 1 FROM sessions WHERE id = ?", (copy_id,)).fetchone():
        return
    path = entries.path(database, session_id, _end_of_turn(database, end) if end else None, whole=True)
    rows = ended((number, entries.bare(database, number)) for number in path)
    if not rows:
        text = f"no turn of session {session_id[:8]} has come to its end yet, so there is nothing to copy."
        raise failed("bad_request", text, "Wait for it there, or start a new session here: trouper")
    write_copy(database, session_id, copy_id, rows)


def write_copy(database: sqlite3.Connection, session_id: str, copy_id: str, rows: list[Row]) -> None:
    """Inside the caller's transaction. A row that has nothing beside it may have the number 0."""
    now = time.time()
    database.execute(
        "INSERT INTO sessions(id, cwd, model, title, branch, created_at, updated_at)"
        " SELECT ?, cwd, model, title, branch, ?, ? FROM sessions WHERE id = ?",
        (copy_id, now, now, session_id),
    )
    database.execute(
        "INSERT OR REPLACE INTO remembered(key, value, at)"
        " SELECT ?1 || ?2, value, ?3 FROM remembered WHERE key = ?1 || ?4",
        (MODE_OF, copy_id, now, session_id),
    )
    _write(database, copy_id, rows)


def _end_of_turn(database: sqlite3.Connection, entry_id: str) -> str:
    """Of the last answer of a turn: the entry that ends it belongs to it."""
    row = database.execute(
        "SELECT id FROM entries WHERE kind = ?2 AND parent IN"
        " (SELECT ?1 UNION SELECT id FROM entries WHERE parent = ?1 AND kind = ?3)",
        (entry_id, TurnEnded.__name__, Named.__name__),
    ).fetchone()
    return entry_id if row is None else str(row[0])


def _write(database: sqlite3.Connection, copy_id: str, rows: list[Row]) -> None:
    own = {entry.id: uuid.uuid4().hex for _, entry in rows}
    parents = ["", *own.values()]
    copies = [
        Entry(id=own[entry.id], session_id=copy_id, parent=parent, at=entry.at, body=_renamed(entry.body, own))
        for parent, (_, entry) in zip(parents, rows, strict=False)
    ]
    entries.append(database, copies)
    for (number, _), copied in zip(rows, copies, strict=True):
        database.execute(
            "INSERT INTO entry_blobs(entry, place, hash) SELECT new.number, place, hash"
            " FROM entry_blobs JOIN entries AS new ON new.id = ?2 WHERE entry = ?1",
            (number, copied.id),
        )
    database.execute(
        "UPDATE sessions SET bytes = bytes + (SELECT coalesce(sum(length(data)), 0) FROM entries e"
        " JOIN entry_blobs b ON b.entry = e.number JOIN blobs USING (hash) WHERE e.session_id = ?1) WHERE id = ?1",
        (copy_id,),
    )


def _renamed(body: Body, own: dict[str, str]) -> Body:
    """Ids of entries that it names are those of the copies."""
    if not isinstance(body, Compacted):
        return body
    own = {**own, HERE: HERE}
    names = ("kept_from", "shrunk_before", "read_from", "moved")
    return msgspec.structs.replace(body, **{name: own.get(getattr(body, name), "") for name in names})


def ended(rows: Iterable[Row]) -> list[Row]:
    """Without an open turn, nor what waits for one: to go on with it is for whoever began it. Without moves and what
    they left: a copy is one path, so a rewind on it cannot be taken back there.
    """
    kept: list[Row] = []
    opened: list[Row] = []
    for row in rows:
        body = row[1].body
        if isinstance(body, Moved | TakenBack | PromptsWithdrawn) or _waits_for_a_turn(body):
            continue
        (opened if opened or isinstance(body, UserMessage | PromptQueued) else kept).append(row)
        if isinstance(body, TurnEnded):
            kept, opened = [*kept, *opened], []
    return kept


def _waits_for_a_turn(body: Body) -> bool:
    """Or has waited: then it is the prompt that began one, too."""
    return isinstance(body, PromptQueued) and body.kind == "next"
