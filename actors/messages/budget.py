"""Between agents and the store: room in a budget is reserved before a request to a model, and settled after it."""

import msgspec

from actors.messages.base import Message


class Budget(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one session and all below it may use together. Ids of sessions below X begin with `X.`."""

    session_id: str
    """X: of the session, or of a batch."""
    usd: float | None = None
    tokens: int | None = None
    """Of input and output together, as `Usage` has them; cached ones count, too."""
    earlier_usd: float = 0.0
    """What else counts: of runs whose sessions are not among these."""
    earlier_tokens: int = 0
    what: str = ""
    """For people: "this session", "this batch", "the agent NAME"."""
    again: str = ""
    """For people: the command that goes on with more."""


class Reserve(Message, frozen=True, kw_only=True):
    """Room for one request in each of these budgets, the whole or none. Answered by Reserved.

    It waits while other requests hold what may be left over. Fails with over_budget where no more is left. A session
    has one reservation: another takes its place. It ends with the next entry of the session that is billed, in the
    same transaction, or with Release; the death of anybody in between ends none.
    """

    session_id: str
    budgets: tuple[Budget, ...]
    usd: float | None
    """An upper bound; None: the price is unknown, which no budget in dollars takes."""
    tokens: int


class Reserved(Message, frozen=True, kw_only=True):
    left_usd: float | None = None
    """In the budget that has least, without this; None: none is in dollars."""


class Release(Message, frozen=True, kw_only=True):
    """The request was not made, or nothing was billed for it. Answered by Done."""

    session_id: str
