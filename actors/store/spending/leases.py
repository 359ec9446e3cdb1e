"""Room that is reserved for requests under way, as rows: it is settled with the entry that says what one has cost."""

import sqlite3
from collections.abc import Callable
from typing import NamedTuple

from actors.messages.budget import LimitRaised, Reserve
from actors.messages.conversation import AssistantMessage, Body, Compacted, Named

Counts = Callable[[str, str], bool]
"""The session and the run that reserved it: is somebody there to settle it?"""

_IN_TREE = "(session_id = ?1 OR (session_id > ?1 || '.' AND session_id < ?1 || '/'))"  # / is what follows on .


class Held(NamedTuple):
    """By requests under way in a tree of sessions."""

    usd: float = 0.0
    tokens: int = 0
    requests: int = 0


def saved(database: sqlite3.Connection, session_id: str, body: Body) -> None:
    """Inside the transaction that appends it."""
    match body:
        case AssistantMessage() | Compacted():
            release(database, session_id, aside=False)
        case Named():
            release(database, session_id, aside=True)
        case LimitRaised(usd=usd, run_id=run_id):
            database.execute("INSERT OR REPLACE INTO raised_limits VALUES (?, ?, ?)", (session_id, run_id, usd))
        case _:
            return


def release(database: sqlite3.Connection, session_id: str, *, aside: bool) -> None:
    """Inside the caller's transaction."""
    database.execute("DELETE FROM leases WHERE session_id = ? AND aside = ?", (session_id, aside))


def release_all(database: sqlite3.Connection, top: str) -> None:
    """Of this session and those below it, for their agents are gone. Inside the caller's transaction."""
    database.execute(f"DELETE FROM leases WHERE {_IN_TREE}", (top,))  # noqa: S608  # words of ours


def put(database: sqlite3.Connection, wanted: Reserve, run_id: str) -> None:
    """Inside the caller's transaction, in the place of the one there was."""
    row = (wanted.session_id, wanted.aside, wanted.id, run_id, wanted.usd or 0.0, wanted.tokens)
    database.execute(
        "INSERT OR REPLACE INTO leases(session_id, aside, id, run_id, usd, tokens) VALUES (?, ?, ?, ?, ?, ?)", row
    )


def own(database: sqlite3.Connection, wanted: Reserve) -> str:
    """Id of the one that this would take the place of; "" for none."""
    row = database.execute(
        "SELECT id FROM leases WHERE session_id = ? AND aside = ?", (wanted.session_id, wanted.aside)
    ).fetchone()
    return "" if row is None else str(row[0])


def held(database: sqlite3.Connection, top: str, counts: Counts, but: Reserve | None = None) -> Held:
    """By this session and those below it, as far as those count. but: without its own."""
    rows = database.execute(
        f"SELECT session_id, aside, run_id, usd, tokens FROM leases WHERE {_IN_TREE}",  # noqa: S608  # words of ours
        (top,),
    )
    counted = [
        (usd, tokens)
        for session_id, aside, run_id, usd, tokens in rows
        if (but is None or (session_id, bool(aside)) != (but.session_id, but.aside)) and counts(session_id, run_id)
    ]
    return Held(sum((usd for usd, _ in counted), 0.0), sum(tokens for _, tokens in counted), len(counted))


def raised_limit(database: sqlite3.Connection, session_id: str, run_id: str) -> float | None:
    """In this run, US dollars; None: it was not."""
    row = database.execute(
        "SELECT usd FROM raised_limits WHERE session_id = ? AND run_id = ?", (session_id, run_id)
    ).fetchone()
    return None if row is None else float(row[0])
