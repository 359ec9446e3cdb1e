"""What all subagents of a session have in common: their parent's ways out, and the events they wait for."""

from collections.abc import Callable
from typing import Protocol

import trio

from actors.agent.session.ledger import Ledger
from actors.mailbox import Mailbox
from actors.messages.conversation import Body
from actors.settings.config import Settings


class Save(Protocol):
    async def __call__(self, *bodies: Body) -> None:
        """On disk when it returns. Raises Failed."""


class Moment:
    """Something that happens again and again."""

    def __init__(self) -> None:
        self._waiting = trio.lowlevel.ParkingLot()

    async def wait(self) -> None:
        """Until it happens next."""
        await self._waiting.park()

    def happen(self) -> None:
        self._waiting.unpark_all()


class Ports:
    def __init__(
        self,
        mailbox: Mailbox,
        settings: Settings,
        ledger: Ledger,
        save: Save,
        save_soon: Callable[[Body], None],
        planned: Callable[[], dict[str, tuple[str, ...]]],
    ) -> None:
        """save_soon: part of the history at once, and on disk with what is saved next. planned: names that calls are about to spawn, and whom each is to wait for."""
        self.mailbox = mailbox
        self.settings = settings
        self.ledger = ledger
        self.save = save
        self.save_soon = save_soon
        self.planned = planned
        self.anything = Moment()
        """An entry is on disk, or one of them stands otherwise."""
        self.room = Moment()
        """One has ended."""
