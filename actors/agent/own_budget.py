"""What the session and all below it may use: which budgets those are, how they stand, and raising its own."""

import math

import msgspec
import trio

from actors.agent.session.history import History
from actors.agent.session.journal import Journal
from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.budget import (
    Budget,
    Budgets,
    LimitRaised,
    RaiseBudget,
    ReadBudgets,
    ShowBudget,
)
from actors.settings.config import Settings

WITHOUT_LIMIT = "this session has no limit in dollars, so there is nothing to raise."


class OwnBudget:
    """What the session and all below it may use, for the user: shown, and raised."""

    def __init__(self, mailbox: Mailbox, settings: Settings, history: History, journal: Journal) -> None:
        self._mailbox = mailbox
        self._run_id = settings.run_id
        self._history = history
        self._journal = journal
        self._raising = trio.Lock()
        budgets = of_session(settings, history.session_id)
        own = [budget for budget in budgets if budget.session_id == history.session_id]
        self._shown = budgets if own else (Budget(session_id=history.session_id), *budgets)

    async def answer(self, wanted: ShowBudget | RaiseBudget) -> Budgets:
        """Raised, it counts from the next request on, also for those that wait for room. Raises Failed."""
        if isinstance(wanted, RaiseBudget):
            async with self._raising:
                if not any(self._is(entry.body, wanted.id) for entry in self._history.entries):
                    await self._raise(wanted)
        return await self._stand()

    async def _stand(self) -> Budgets:
        """Raises Failed."""
        await self._journal.save()
        return await self._mailbox.insist("store", ReadBudgets(budgets=self._shown), Budgets)

    async def _raise(self, wanted: RaiseBudget) -> None:
        """Raises Failed."""
        limits = [now.budget for now in (await self._stand()).budgets]
        limit = next((one.usd for one in limits if one.session_id == self._history.session_id), None)
        if limit is None:
            raise failed("refused", WITHOUT_LIMIT, "Begin with one: trouper -c --max-cost USD")
        if not 0 < wanted.usd < math.inf:
            raise failed("bad_request", f"a limit is not raised by {wanted.usd:g}.", "Such as: /budget +5")
        await self._journal.save(LimitRaised(id=wanted.id, usd=limit + wanted.usd, run_id=self._run_id))

    def _is(self, body: object, wish: str) -> bool:
        return isinstance(body, LimitRaised) and body.id == wish


def of_session(settings: Settings, session_id: str) -> tuple[Budget, ...]:
    """With its id where they are for whichever session is open."""
    return tuple(
        budget if budget.session_id else msgspec.structs.replace(budget, session_id=session_id)
        for budget in settings.budgets
    )
