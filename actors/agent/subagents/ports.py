"""What all subagents of a session have in common: their parent's ways out, and the events they wait for."""

from collections.abc import Callable

import trio

from actors.agent.session.journal import Journal
from actors.agent.session.ledger import Ledger
from actors.mailbox import Mailbox
from actors.settings.config import Settings


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
        journal: Journal,
        planned: Callable[[], dict[str, tuple[str, ...]]],
    ) -> None:
        """planned: names that calls are about to spawn, and whom each is to wait for."""
        self.mailbox = mailbox
        self.settings = settings
        self.ledger = ledger
        self.save = journal.save
        self.save_soon = journal.save_soon
        self.planned = planned
        self.anything = Moment()
        """An entry is on disk, or one of them stands otherwise."""
        self.room = Moment()
        """One has ended."""
