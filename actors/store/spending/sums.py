"""What each session has used and who answered last, kept up to date as its entries come: nobody reads these again."""

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
        "SELECT cost, last_cost, tokens, last_tokens, model FROM sessions WHERE id = ? AND uncounted_from IS NULL",
        (session_id,),
    ).fetchone()
    if so_far is not None:
        *tally, model = so_far
        _keep(database, session_id, Tally(*tally).with_next(body), _answering(body) or model, None)


def count_some(database: sqlite3.Connection, top: str = "") -> bool:
    """Of this session and those below it, or of all, what an older version wrote. Inside the caller's transaction.

    False: there is nothing left to count.
    """
    session = database.execute(
        "SELECT id, cost, last_cost, tokens, last_tokens, model, uncounted_from FROM sessions"
        " WHERE uncounted_from IS NOT NULL AND (?1 = '' OR id = ?1 OR (id > ?1 || '.' AND id < ?1 || '/')) LIMIT 1",
        (top,),
    ).fetchone()
    if session is None:
        return False
    session_id, *so_far, model, after = session
    tally, last = Tally(*so_far), None
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


def of_tree(database: sqlite3.Connection, top: str) -> tuple[float | None, int, int]:
    """US dollars (None: a part of it is unknown) and tokens of this session and all below it, and how many those are.

    `count_some` comes first.
    """
    known, cost, tokens, count = database.execute(
        "SELECT total(cost IS NULL OR uncounted_from IS NOT NULL) = 0, total(cost), coalesce(sum(tokens), 0), count(*)"
        " FROM sessions WHERE id = ?1 OR (id > ?1 || '.' AND id < ?1 || '/')",  # / is what follows on .
        (top,),
    ).fetchone()
    return float(cost) if known and math.isfinite(cost) else None, tokens, count


def _keep(database: sqlite3.Connection, session_id: str, tally: Tally, model: str, uncounted_from: int | None) -> None:
    database.execute(
        "UPDATE sessions SET cost = ?, last_cost = ?, tokens = ?, last_tokens = ?, model = ?, uncounted_from = ?"
        " WHERE id = ?",
        (tally.sum_usd, tally.last_usd, tally.tokens, tally.last_tokens, model, uncounted_from, session_id),
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
