"""--max-cost: before each request, what was spent is held against what may be."""

from actors.agent.session.history import History
from actors.agent.session.model_choice import resolve
from actors.common.budget import Billed, over, spent, unpriced
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.store import Cost, CostOf
from actors.settings.config import Settings


class SpendingLimit:
    def __init__(self, mailbox: Mailbox, settings: Settings, history: History) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._history = history

    async def check(self, model: str) -> None:
        """Raises Failed: over_budget, when no request may be begun."""
        limit = self._settings.max_cost_usd
        if limit is None:
            return
        resolved = await resolve(self._mailbox, model)
        if not resolved.priced:
            raise Failed(unpriced(resolved.model))
        shared = self._settings.shared_cost
        what = "this batch" if shared else "this session"
        again = "the same command and" if shared else "trouper -c"
        if problem := over(await self._spent(shared), limit, what, again):
            raise Failed(problem)

    async def _spent(self, shared: str) -> float | None:
        if shared:
            cost = (await self._mailbox.insist("store", CostOf(beginning=shared), Cost)).cost_usd
        else:
            bodies = (entry.body for entry in self._history.entries)
            cost, before = spent(body for body in bodies if isinstance(body, Billed)), self._history.base.spent_usd
            cost = None if cost is None or before is None else cost + before
        return None if cost is None else cost + self._settings.earlier_cost_usd
