"""The agent's way to the store: entries in order, one append at a time, everything that waits in one append."""

from collections import deque
from collections.abc import Callable

import trio

from actors.agent.session.history import History
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Body, Entry
from actors.messages.store import Append

SOON_S = 0.05
"""So long an answer that is whole waits for what follows from it; nobody sees whether it came so much later."""


class _Waiter:
    def __init__(self, last: str) -> None:
        self.last = last
        self.over = trio.Event()
        self.failure: Failed | None = None


class Journal:
    """What could not be saved is kept and tried again with the next save."""

    def __init__(self, mailbox: Mailbox, history: History, on_saved: Callable[[Entry], None]) -> None:
        self._mailbox = mailbox
        self._history = history
        self._on_saved = on_saved
        self._pending: deque[Entry] = deque()
        self._waiters: deque[_Waiter] = deque()
        self._wanted = trio.Event()
        self._until_wanted = trio.CancelScope()
        self._closed: Failed | None = None
        self.lost = trio.Event()
        """Another program has got the session, while our store was dead: what it wrote is not known here."""

    @property
    def saved(self) -> tuple[Entry, ...]:
        """What is on disk, oldest first."""
        return tuple(self._history.entries[: len(self._history.entries) - len(self._pending)])

    def save_soon(self, *bodies: Body) -> None:
        """They are part of the history at once, and on disk with what is saved next, or after SOON_S."""
        self._pending += [self._history.next_entry(body) for body in bodies]
        self._until_wanted.deadline = min(self._until_wanted.deadline, trio.current_time() + SOON_S)

    async def close(self, why: Failed) -> None:
        """Nothing is added any more: every later save fails so. What waits is on disk then; else it stays open.

        Raises Failed.
        """
        self._closed = why
        try:
            await self.save()
        except Failed:
            self.open_again()
            raise

    def open_again(self) -> None:
        """What is lost stays closed."""
        if not self.lost.is_set():
            self._closed = None

    async def save(self, *bodies: Body) -> None:
        """They are part of the history at once; when this returns all of it is on disk. Raises Failed."""
        if self._closed is not None and (bodies or self.lost.is_set()):
            raise self._closed
        self._pending += [self._history.next_entry(body) for body in bodies]
        if not self._pending:
            return
        waiter = _Waiter(self._pending[-1].id)
        self._waiters.append(waiter)
        self._wanted.set()
        await waiter.over.wait()
        if waiter.failure is not None:
            raise waiter.failure

    async def run(self) -> None:
        """Beside the turn, so that a cancelled turn does not take back what it has said."""
        while True:
            with self._until_wanted:
                await self._wanted.wait()
            self._wanted, self._until_wanted = trio.Event(), trio.CancelScope()
            if self._pending:
                await self._append()
            while self._waiters:
                await self._append()

    async def _append(self) -> None:
        batch = tuple(self._pending)
        if self.lost.is_set():
            self._settle(batch, self._closed)
            return
        try:
            await self._mailbox.insist("store", Append(entries=batch), Done)
        except Failed as failure:
            if failure.problem.code == "session_in_use":
                self._closed = failure
                self.lost.set()
            self._settle(batch, failure)
            return
        for entry in batch:
            self._pending.popleft()
            self._on_saved(entry)
        self._settle(batch, None)

    def _settle(self, batch: tuple[Entry, ...], failure: Failed | None) -> None:
        ids = {entry.id for entry in batch}
        while self._waiters and self._waiters[0].last in ids:
            waiter = self._waiters.popleft()
            waiter.failure = failure
            waiter.over.set()
