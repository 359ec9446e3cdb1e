"""A healed copy of a session: what can be read of the path it is on, each call with one result. The session stays."""

import sqlite3
import uuid
from collections.abc import Iterable, Iterator

import msgspec

from actors.errors import failed
from actors.messages.conversation import Body, Entry, PromptQueued, ToolResult, UserMessage
from actors.store import entries
from actors.store.session_check import Calls, lost_blobs
from actors.store.session_copy import Row, write_copy

LOST = "[lost: what was kept of this is damaged]"
NO_RESULT = "interrupted, outcome unknown: no result was kept. Look before you do it again."


def repair(database: sqlite3.Connection, session_id: str, copy_id: str) -> None:
    """Inside the caller's transaction. There is nothing to do when the copy exists. Raises Failed."""
    if database.execute("SELECT 1 FROM sessions WHERE id = ?", (copy_id,)).fetchone():
        return
    lost = {entry_id for entry_id, _, _ in lost_blobs(database, session_id)}
    rows = list(_with_results(_readable(database, _path(database, session_id), lost)))
    if not rows:
        raise failed("bad_request", f"nothing of session {session_id[:8]} can be read.", "Start a new one: trouper")
    write_copy(database, session_id, copy_id, rows)


def _path(database: sqlite3.Connection, session_id: str) -> list[int]:
    """Where a parent is not there, or no older, it goes on with what was written before."""
    rows = database.execute(
        "SELECT e.number, p.number, e.parent FROM entries e"
        " LEFT JOIN entries p ON p.id = e.parent AND p.session_id = e.session_id"
        " WHERE e.session_id = ? ORDER BY e.number DESC",
        (session_id,),
    )
    path: list[int] = []
    wanted: int | None = None
    """None: the next there is."""
    for number, parent_number, parent in rows:
        if wanted is not None and number != wanted:
            continue
        path.append(number)
        if not parent:
            break
        wanted = parent_number if parent_number is not None and parent_number < number else None
    return path[::-1]


def _readable(database: sqlite3.Connection, path: list[int], lost: set[str]) -> Iterator[Row]:
    for number in path:
        try:
            entry = entries.bare(database, number)
        except msgspec.DecodeError:
            continue
        if entry.id in lost:
            yield 0, msgspec.structs.replace(entry, body=_without(entry.body))
        else:
            yield number, entry


def _without(body: Body) -> Body:
    """What was kept beside it."""
    if isinstance(body, ToolResult):
        return msgspec.structs.replace(body, output=body.output or LOST, diff="", attachments=())
    if isinstance(body, UserMessage | PromptQueued):
        names = ", ".join(one.name for one in body.attachments)
        return msgspec.structs.replace(body, text=f"{body.text}\n{LOST}: {names}".strip(), attachments=())
    return body


def _with_results(rows: Iterable[Row]) -> Iterator[Row]:
    """Missing ones are made up, and those that no call is waiting for left out."""
    calls = Calls()
    for number, entry in rows:
        waiting = calls.open
        wrong = calls.take(entry.body)
        if wrong and isinstance(entry.body, ToolResult):
            continue
        if wrong:
            for call in waiting:
                body = ToolResult(call_id=call.call_id, name=call.name, output=NO_RESULT, failed=True)
                yield 0, Entry(id=uuid.uuid4().hex, session_id=entry.session_id, parent="", at=entry.at, body=body)
        yield number, entry
