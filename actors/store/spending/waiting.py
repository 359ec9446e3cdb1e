"""Who wants room in a budget waits here, in the order they came, until others have settled theirs."""

import sqlite3
from contextlib import suppress
from functools import partial

import trio

from actors.errors import Failed, failed
from actors.messages.budget import Budget, BudgetIs, Reserve, Reserved
from actors.store.schema import in_one_transaction
from actors.store.spending import budgets, leases

AGAIN_S = 5.0
"""So often is looked whether another program was killed, of which nobody tells us."""


class _Waiter:
    def __init__(self, wanted: Reserve) -> None:
        self.wanted = wanted
        self.over = trio.Event()
        self.outcome: Reserved | Failed | None = None


class Waiting:
    def __init__(self, run_id: str, counts: leases.Counts, *, by_screen: bool) -> None:
        """counts: as of `leases`. by_screen: /budget is there to raise a limit."""
        self._run_id = run_id
        self._counts = counts
        self._by_screen = by_screen
        self._waiters: list[_Waiter] = []

    async def reserve(self, database: sqlite3.Connection, wanted: Reserve) -> Reserved:
        """Raises Failed, sqlite3.Error. Cancelled, it leaves nothing."""
        waiter = _Waiter(wanted)
        self._waiters.append(waiter)
        returns = False
        try:
            while waiter.outcome is None:
                self.look(database)
                with trio.move_on_after(AGAIN_S):
                    await waiter.over.wait()
            returns = True
        finally:
            self._waiters = [other for other in self._waiters if other is not waiter]
            if not returns and isinstance(waiter.outcome, Reserved) and leases.own(database, wanted) == wanted.id:
                self.release(database, wanted.session_id, aside=wanted.aside)
            elif not returns:
                with suppress(sqlite3.Error):  # they look again by themselves
                    self.look(database)  # somebody may have waited behind it
        if isinstance(waiter.outcome, Failed):
            raise waiter.outcome
        return waiter.outcome

    def release(self, database: sqlite3.Connection, session_id: str, *, aside: bool | None) -> None:
        """aside: None for all of it, with the sessions below. Raises sqlite3.Error."""
        if aside is None:
            in_one_transaction(database, partial(leases.release_all, database, session_id))
        else:
            in_one_transaction(database, partial(leases.release, database, session_id, aside=aside))
        self.look(database)

    def look(self, database: sqlite3.Connection) -> None:
        """Something has changed: who gets room now? Raises sqlite3.Error."""
        full: set[str] = set()
        """Budgets in which somebody waits: nobody overtakes there, or a large request would wait for ever."""
        for waiter in [waiter for waiter in self._waiters if waiter.outcome is None]:
            outcome = self._outcome(database, waiter.wanted, full)
            if outcome is not None:
                waiter.outcome = outcome
                waiter.over.set()

    def _outcome(self, database: sqlite3.Connection, wanted: Reserve, full: set[str]) -> Reserved | Failed | None:
        before = leases.own(database, wanted)
        standing = [self._stands(database, budget, wanted) for budget in wanted.budgets]
        if before == wanted.id:
            return Reserved()
        if wanted.usd is None and any(budget.usd is not None for budget in wanted.budgets):
            return failed("over_budget", "the price of this request is unknown, so no budget in dollars can be kept.")
        tight: set[str] = set()
        for now in standing:
            match budgets.room(now, wanted, by_screen=self._by_screen):
                case "yes":
                    if now.budget.session_id in full and not before:  # who waits may wait for just this one's
                        tight.add(now.budget.session_id)
                case "later":
                    tight.add(now.budget.session_id)
                case problem:
                    return Failed(problem)
        if tight:
            full |= tight
            return None
        in_one_transaction(database, partial(leases.put, database, wanted, self._run_id))
        return Reserved(replaced=bool(before))

    def _stands(self, database: sqlite3.Connection, budget: Budget, wanted: Reserve) -> BudgetIs:
        return budgets.stands(database, budget, self._run_id, self._counts, but=wanted)
