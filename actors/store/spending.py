"""What each session has cost and who answered last, kept up to date as its entries come: nobody reads these again."""

import math
import sqlite3

import msgspec

from actors.common.budget import Billed, Tally
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    Named,
    StopReason,
)
from actors.messages.usage import Usage

CHUNK = 2000
"""Entries that are counted at once: about 20 ms."""
_KINDS = (AssistantMessage.__name__, BrokenTry.__name__, Compacted.__name__, Named.__name__)
_PAST_THE_END = "\U0010ffff"


class _Read(msgspec.Struct):
    """What matters of a body."""

    type: str
    stop_reason: StopReason = "end_turn"
    usage: Usage = Usage()
    model: str = ""


_decode = msgspec.json.Decoder(_Read).decode


def add(database: sqlite3.Connection, session_id: str, body: Body) -> None:
    """Inside the transaction that appends it."""
    if not isinstance(body, Billed):
        return
    so_far = database.execute(
        "SELECT cost, last_cost, model FROM sessions WHERE id = ? AND uncounted_from IS NULL", (session_id,)
    ).fetchone()
    if so_far is not None:
        cost, last_cost, model = so_far
        _keep(database, session_id, Tally(cost, last_cost).with_next(body), _answering(body) or model, None)


def count_some(database: sqlite3.Connection, beginning: str = "") -> bool:
    """Of sessions whose ids begin so and that an older version wrote. Inside the caller's transaction.

    False: there is nothing left to count.
    """
    session = database.execute(
        "SELECT id, cost, last_cost, model, uncounted_from FROM sessions"
        " WHERE uncounted_from IS NOT NULL AND id >= ?1 AND id < ?1 || ?2 LIMIT 1",
        (beginning, _PAST_THE_END),
    ).fetchone()
    if session is None:
        return False
    session_id, cost, last_cost, model, after = session
    tally, last = Tally(cost, last_cost), None
    rows = database.execute(
        "SELECT number, iif(kind IN (?, ?, ?, ?), body, NULL) FROM entries WHERE session_id = ? AND number > ?"
        " ORDER BY number LIMIT ?",
        (*_KINDS, session_id, after, CHUNK),
    )
    for number, encoded in rows:
        last = number
        if encoded is not None:
            billed = _billed(encoded)
            tally, model = tally.with_next(billed), _answering(billed) or model
    _keep(database, session_id, tally, model, last)
    return True


def of_all(database: sqlite3.Connection, beginning: str) -> float | None:
    """US dollars of all sessions whose ids begin so; None: a part of it is unknown."""
    (known, cost) = database.execute(
        "SELECT total(cost IS NULL OR uncounted_from IS NOT NULL) = 0, total(cost) FROM sessions"
        " WHERE id >= ?1 AND id < ?1 || ?2",
        (beginning, _PAST_THE_END),
    ).fetchone()
    return float(cost) if known and math.isfinite(cost) else None


def _keep(database: sqlite3.Connection, session_id: str, tally: Tally, model: str, uncounted_from: int | None) -> None:
    database.execute(
        "UPDATE sessions SET cost = ?, last_cost = ?, model = ?, uncounted_from = ? WHERE id = ?",
        (tally.sum_usd, tally.last_usd, model, uncounted_from, session_id),
    )


def _answering(billed: Billed) -> str:
    return billed.model if isinstance(billed, AssistantMessage) else ""


def _billed(encoded: bytes) -> Billed:
    try:
        read = _decode(encoded)
    except msgspec.DecodeError:  # of an entry that nobody can read the cost is unknown
        return Compacted(why="asked", usage=Usage())
    if read.type == AssistantMessage.__name__:
        return AssistantMessage(blocks=(), stop_reason=read.stop_reason, model=read.model, usage=read.usage)
    return BrokenTry(usage=read.usage) if read.type == BrokenTry.__name__ else Compacted(why="asked", usage=read.usage)
