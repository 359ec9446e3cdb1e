"""Room is reserved in every budget before a request to a model, and given back where nothing comes of it.

What a request has cost is settled by the store, with the entry that says it.
"""

import math
import uuid
from collections.abc import Awaitable
from contextlib import suppress
from typing import Protocol

import msgspec

from actors.common.budget import most_tokens, most_usd, unpriced
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.budget import Budget, Release, Reserve, Reserved
from actors.messages.conversation import Body, BrokenTry
from actors.messages.model import ResolvedModel, ResolveModel
from actors.messages.usage import Usage


class Save(Protocol):
    def __call__(self, *bodies: Body) -> Awaitable[None]:
        """When it returns all that was said until now is on disk. Raises Failed."""


class SpendingLimit:
    """Of one request after another: another one is begun when the last is settled or given back."""

    def __init__(
        self, mailbox: Mailbox, session_id: str, budgets: tuple[Budget, ...], save: Save, *, aside: bool = False
    ) -> None:
        """save: entries of that session. aside: of requests beside the conversation, which they are no part of."""
        self._mailbox = mailbox
        self._session_id = session_id
        self._budgets = budgets
        self._save = save
        self._aside = aside
        self._resolved: dict[str, ResolvedModel] = {}
        self._has_asked = False
        """Something may be reserved, by this life."""

    async def reserve(self, model: str, tokens: int) -> None:
        """tokens: about so many are sent. Raises Failed: over_budget, when no request may be begun."""
        if not self._budgets:
            return
        await self._save()  # the answer before settles its own reservation, and not this
        bound = await self._bound(model, tokens)
        goes_on, self._has_asked = self._has_asked, True
        reserved = await self._mailbox.insist("store", bound, Reserved)
        if reserved.replaced and not goes_on:  # an earlier life died with its request, and that is billed
            await self._save(BrokenTry(usage=Usage()))
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
            self._resolved[model] = await self._mailbox.insist("providers", ResolveModel(model=model), ResolvedModel)
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


def _fresh_id() -> str:
    return uuid.uuid4().hex
