"""Room is reserved in every budget before a request, and given back where nothing comes of it; and the session's own.

What a request has cost is settled by the store, with the entry that says it.
"""

import math
import uuid
from contextlib import suppress

import msgspec
import trio

from actors.agent.session.history import History
from actors.agent.session.journal import Journal
from actors.agent.session.model_choice import resolve
from actors.common.budget import most_tokens, most_usd, unpriced
from actors.errors import Failed, failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import (
    Budget,
    Budgets,
    LimitRaised,
    RaiseBudget,
    ReadBudgets,
    Release,
    Reserve,
    Reserved,
    ShowBudget,
)
from actors.messages.conversation import BrokenTry
from actors.messages.model import ResolvedModel
from actors.messages.usage import Usage
from actors.settings.config import Settings

WITHOUT_LIMIT = "this session has no limit in dollars, so there is nothing to raise."


class SpendingLimit:
    """Of one request after another: another one is begun when the last is settled or given back."""

    def __init__(
        self, mailbox: Mailbox, settings: Settings, history: History, journal: Journal, *, aside: bool = False
    ) -> None:
        """aside: of requests that are no part of the conversation and go on beside it."""
        self._mailbox = mailbox
        self._session_id = history.session_id
        self._budgets = of_session(settings, history.session_id)
        self._journal = journal
        self._aside = aside
        self._resolved: dict[str, ResolvedModel] = {}
        self._has_asked = False
        """Something may be reserved, by this life."""

    async def reserve(self, model: str, tokens: int) -> None:
        """tokens: about so many are sent. Raises Failed: over_budget, when no request may be begun."""
        if not self._budgets:
            return
        await self._journal.save()  # the answer before settles its own reservation, and not this
        bound = await self._bound(model, tokens)
        goes_on, self._has_asked = self._has_asked, True
        reserved = await self._mailbox.insist("store", bound, Reserved)
        if reserved.replaced and not goes_on:  # an earlier life died with its request, and that is billed
            await self._journal.save(BrokenTry(usage=Usage()))
            await self._mailbox.insist("store", msgspec.structs.replace(bound, id=_fresh_id()), Reserved)

    async def release(self) -> None:
        """Nothing more will be billed for the last request. There is nothing to do where it is settled."""
        if self._has_asked:
            with suppress(Failed):  # without a store this program ends, and what is reserved with it
                await self._mailbox.insist("store", Release(session_id=self._session_id, aside=self._aside), Done)
                self._has_asked = False

    async def _bound(self, model: str, tokens: int) -> Reserve:
        """Raises Failed."""
        if model not in self._resolved:
            self._resolved[model] = await resolve(self._mailbox, model)
        known = self._resolved[model]
        if not known.priced and any(budget.usd is not None for budget in self._budgets):
            raise Failed(unpriced(known.model))
        return Reserve(
            id=_fresh_id(),
            session_id=self._session_id,
            aside=self._aside,
            budgets=self._budgets,
            usd=most_usd(known.facts, tokens) if known.facts.prices else math.inf if known.priced else None,
            tokens=most_tokens(known.facts, tokens),
        )


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


def _fresh_id() -> str:
    return uuid.uuid4().hex
