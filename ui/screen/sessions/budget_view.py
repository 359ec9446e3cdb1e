"""/budget: what the session and all below it have used, in words, and a higher limit for it."""

import math
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from actors.common.budget import dollars
from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.budget import BudgetIs, Budgets, RaiseBudget, ShowBudget
from ui.common import harmless


@dataclass(frozen=True)
class BudgetView:
    mailbox: Mailbox
    agent: str
    say: Callable[[str, str], None]
    """text, level."""

    async def show(self) -> None:
        await self._ask(ShowBudget())

    async def more(self, usd: float) -> None:
        await self._ask(RaiseBudget(id=uuid.uuid4().hex, usd=usd))

    async def _ask(self, wanted: Message) -> None:
        try:
            stand = await self.mailbox.insist(self.agent, wanted, Budgets)
        except Failed as failure:
            self.say(str(failure), "error")
        else:
            self.say("\n".join(map(in_words, stand.budgets)), "info")


def in_words(now: BudgetIs) -> str:
    """On one line."""
    return harmless.one_line(f"{now.budget.what}: {' · '.join(_facts(now))}")


def _facts(now: BudgetIs) -> Iterator[str]:
    budget = now.budget
    spent = "cost unknown" if now.usd is None else f"{dollars(now.usd)} spent"
    if budget.usd is None:
        yield spent
    else:
        left = "" if now.usd is None else f", {dollars(max(budget.usd - now.usd, 0.0))} left"
        yield f"{spent} of {dollars(budget.usd)}{left}"
    if budget.tokens is None:
        yield how_many(now.tokens, "token")
    else:
        yield f"{now.tokens:,} of {how_many(budget.tokens, 'token')}, {max(budget.tokens - now.tokens, 0):,} left"
    if now.requests:
        most = f", at most {dollars(now.reserved_usd)}" if 0 < now.reserved_usd < math.inf else ""
        yield f"{how_many(now.requests, 'request')} under way{most}"
    if now.sessions > 1:
        yield how_many(now.sessions, "session")
