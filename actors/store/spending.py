"""What the sessions of one run have cost, read off their entries; each entry is read once."""

import math
import sqlite3

import msgspec

from actors.common.budget import Billed, spent
from actors.messages.conversation import AssistantMessage, BrokenTry, Compacted, StopReason, Usage

_PAST_THE_END = "\U0010ffff"


class _Billed(msgspec.Struct):
    """What matters of a body."""

    type: str
    stop_reason: StopReason = "end_turn"
    usage: Usage | None = None


_decode = msgspec.json.Decoder(_Billed).decode


class Spending(msgspec.Struct):
    """Of all sessions whose ids begin so."""

    beginning: str
    _last: int = 0
    _billed: dict[str, list[Billed]] = msgspec.field(default_factory=dict)

    def cost_usd(self, database: sqlite3.Connection) -> float | None:
        """None: a part of it is unknown. Raises msgspec.DecodeError."""
        rows = database.execute(
            "SELECT number, session_id, body FROM entries"
            " WHERE session_id >= ?1 AND session_id < ?1 || ?2 AND number > ?3 ORDER BY number",
            (self.beginning, _PAST_THE_END, self._last),
        )
        for number, session_id, body in rows:
            self._last = number
            billed = _decode(body)
            if billed.type == AssistantMessage.__name__:
                answer = AssistantMessage(
                    blocks=(), stop_reason=billed.stop_reason, model="", usage=billed.usage or Usage()
                )
                self._billed.setdefault(session_id, []).append(answer)
            elif billed.type == Compacted.__name__ and billed.usage:
                self._billed.setdefault(session_id, []).append(Compacted(why="asked", usage=billed.usage))
            elif billed.type == BrokenTry.__name__:
                self._billed.setdefault(session_id, []).append(BrokenTry(usage=billed.usage or Usage()))
        costs = [spent(each) for each in self._billed.values()]
        sum_usd = sum(math.nan if cost is None else cost for cost in costs)
        return sum_usd if math.isfinite(sum_usd) else None
