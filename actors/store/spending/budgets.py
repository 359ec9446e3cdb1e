"""How a budget stands, and whether there is room in it for one more request."""

import sqlite3
from typing import Literal

import msgspec

from actors.common.budget import over
from actors.messages.base import Problem
from actors.messages.budget import Budget, BudgetIs, Reserve
from actors.store.spending import leases, sums


def stands(
    database: sqlite3.Connection,
    budget: Budget,
    run_id: str,
    counts: leases.Counts,
    but: Reserve | None = None,
) -> BudgetIs:
    """counts: what is reserved by this session, in that run. but: without what this has reserved before."""
    usd, tokens, sessions = sums.of_tree(database, budget.session_id)
    held = leases.held(database, budget.session_id, counts, but)
    raised = None if budget.usd is None else leases.raised_limit(database, budget.session_id, run_id)
    return BudgetIs(
        budget=budget if raised is None else msgspec.structs.replace(budget, usd=raised),
        usd=usd,
        tokens=tokens,
        reserved_usd=held.usd,
        reserved_tokens=held.tokens,
        requests=held.requests,
        sessions=sessions,
    )


def room(now: BudgetIs, wanted: Reserve, *, by_screen: bool) -> Problem | Literal["yes", "later"]:
    """One request that is alone may go over, by less than its estimate: else the last of a budget could not be used."""
    if problem := over(now, by_screen=by_screen):
        return problem
    if not now.requests:
        return "yes"
    return "yes" if _fits_usd(now, wanted) and _fits_tokens(now, wanted) else "later"


def _fits_usd(now: BudgetIs, wanted: Reserve) -> bool:
    if now.budget.usd is None or now.usd is None or wanted.usd is None:
        return True
    return now.usd + now.reserved_usd + wanted.usd <= now.budget.usd


def _fits_tokens(now: BudgetIs, wanted: Reserve) -> bool:
    return now.budget.tokens is None or now.tokens + now.reserved_tokens + wanted.tokens <= now.budget.tokens
