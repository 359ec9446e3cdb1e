"""Many questions to a model without tools, so many at a time, each answered once whatever is killed meanwhile."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import partial
from typing import Protocol

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.model import Retrying
from actors.messages.store import ListSessions, Sessions
from ui.inquiry.question import Asked, Heard, Question, Terms, key_of

ITS_OWN = frozenset({"bad_request", "context_overflow"})
"""Codes of problems that are one question's and not the others'."""

AHEAD = 2
"""So many questions are made ready, or their answers looked at, while others are asked: the service need not wait."""


class Ears(Protocol):
    """Who is told how it goes."""

    def begins(self, question_id: str) -> None: ...

    def waits(self, question_id: str, why: Retrying) -> None:
        """Its answer has to be waited for, or it is asked again."""

    async def hears(self, heard: Heard) -> None:
        """It is answered, and that is on disk."""

    def misses(self, question_id: str, why: Failed) -> None:
        """It cannot be answered; the others can."""


class Inquiry:
    def __init__(self, mailbox: Mailbox, terms: Terms, workers: int) -> None:
        """workers: so many questions are under way at most."""
        self._mailbox = mailbox
        self._terms = terms
        self._workers = workers
        self._asking = trio.CapacityLimiter(workers)

    async def unanswered(self, questions: Sequence[Asked]) -> tuple[Asked, ...]:
        """In their order. It builds all their prompts, one at a time, unless nothing is answered. Raises Failed."""
        below = await self._mailbox.insist("store", ListSessions(below=self._terms.run_id), Sessions)
        known = frozenset(one.session_id.partition(".")[2] for one in below.sessions if one.model)
        if not known:
            return tuple(questions)
        return await trio.to_thread.run_sync(self._without, questions, known, abandon_on_cancel=True)

    def _without(self, questions: Iterable[Asked], known: Container[str]) -> tuple[Asked, ...]:
        keys = ((asked, key_of(self._terms, asked.system, asked.prompt())) for asked in questions)
        return tuple(asked for asked, key in keys if key not in known)

    async def ask_all(self, questions: Iterable[Asked], ears: Ears) -> None:
        """Raises Failed where it is no single question's: those under way are cancelled then, and asked again later.

        The first of them where several fail.
        """
        waiting, failures = iter(questions), list[Failed]()
        async with trio.open_nursery() as nursery:

            async def work() -> None:
                try:
                    await self._work(waiting, ears)
                except Failed as failure:
                    failures.append(failure)
                    nursery.cancel_scope.cancel()

            for _ in range(self._workers + AHEAD):
                nursery.start_soon(work)
        if failures:
            raise failures[0]

    async def _work(self, waiting: Iterator[Asked], ears: Ears) -> None:
        for asked in waiting:
            try:
                prompt = await _built(asked)
                async with self._asking:
                    ears.begins(asked.id)
                    heard = await self._answer(asked, prompt, partial(ears.waits, asked.id))
            except Failed as failure:
                if failure.problem.code not in ITS_OWN:
                    raise
                ears.misses(asked.id, failure)
            else:
                await ears.hears(heard)

    async def answer(self, asked: Asked, wait: Callable[[Retrying], None]) -> Heard:
        """Of one question. wait: is told when it has to be waited for. Raises Failed."""
        return await self._answer(asked, await _built(asked), wait)

    async def _answer(self, asked: Asked, prompt: str, wait: Callable[[Retrying], None]) -> Heard:
        return await Question(self._mailbox, self._terms, asked, prompt, wait).answer()


async def _built(asked: Asked) -> str:
    """Raises Failed."""
    return await trio.to_thread.run_sync(asked.prompt, abandon_on_cancel=True)
