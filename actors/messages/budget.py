"""Room in a budget: reserved with the store before a request to a model, settled after it; and what is left of one."""

import msgspec

from actors.messages.base import Message


class Budget(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one session and all below it may use together. Ids of sessions below X begin with `X.`."""

    session_id: str = ""
    """X: of the session, or of a batch. "": in settings, of the agent's own session, whichever that has open."""
    usd: float | None = None
    tokens: int | None = None
    """Of input and output together, as `Usage` has them; cached ones count, too."""
    what: str = "this session"
    """For people: "this session", "this batch", "the agent NAME"."""
    again: str = ""
    """For people: the command that goes on with more."""


class Reserve(Message, frozen=True, kw_only=True):
    """Room for one request in each of these budgets, the whole or none. Answered by Reserved.

    It waits while other requests hold what may be left over. Fails with over_budget where no more is left. A session
    has one reservation, and one for what is asked aside: another takes its place. It ends in the same transaction as
    the next answer or compaction of the session is saved, aside as its name is, or with Release; the death of anybody
    in between ends none. A try that broke off is billed, too, but ends none: what it was a try of goes on.
    """

    id: str
    """Asked again with the same it is one."""
    session_id: str
    aside: bool = False
    """Of a request beside the conversation, for a name."""
    budgets: tuple[Budget, ...]
    usd: float | None
    """An upper bound; infinite where there is none, then it is alone; None: the price is unknown, which no budget in
    dollars takes."""
    tokens: int


class Reserved(Message, frozen=True, kw_only=True):
    replaced: bool = False
    """It has taken the place of another."""


class Release(Message, frozen=True, kw_only=True):
    """The request was not made, or nothing more is billed for it. Answered by Done.

    By whoever asked for it, or has ended the agent that did.
    """

    session_id: str
    aside: bool | None = None
    """As of Reserve; None: both, and all of the sessions below, for their agents have ended with this one's."""


class BudgetIs(msgspec.Struct, frozen=True, kw_only=True):
    """How one stands."""

    budget: Budget
    """With the limit as it was raised since."""
    usd: float | None
    """Spent; None: a part of it is unknown."""
    tokens: int
    reserved_usd: float = 0.0
    """By requests under way; infinite where one of them has no upper bound."""
    reserved_tokens: int = 0
    requests: int = 0
    """How many that are."""
    sessions: int = 0


class ReadBudgets(Message, frozen=True, kw_only=True):
    """Asked of the store. Answered by Budgets."""

    budgets: tuple[Budget, ...]


class Budgets(Message, frozen=True, kw_only=True):
    """In the order they were asked for."""

    budgets: tuple[BudgetIs, ...]


class ShowBudget(Message, frozen=True, kw_only=True):
    """Asked of an agent: what its session and all below it have used. Answered by Budgets.

    Those of its settings; where it has none of its own session, first that, without a limit.
    """


class RaiseBudget(Message, frozen=True, kw_only=True):
    """Asked of an agent: its session may use so much more. Answered by Budgets once that is on disk.

    Fails with refused where the session has no limit in dollars.
    """

    id: str
    """Asked again with the same it is done once."""
    usd: float
    """More than 0."""


class LimitRaised(Message, frozen=True, kw_only=True):
    """The user lets the session and all below it use more, in this run of the program."""

    id: str
    """Of the wish: asked again, it is this one."""
    usd: float
    """The limit from now on."""
    run_id: str
