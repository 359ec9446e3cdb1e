"""How many commands run in the background, for the status line: asked after what may begin one, told when one ends.

Nothing is asked at intervals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.conversation import ShellEnded, ToolResult
from actors.messages.job import AwaitJobs, DescribeJobs, JobIs, JobsAre
from actors.messages.turn import CaughtUp, EntryAdded
from ui.screen.jobs import words
from ui.screen.session_view import SessionView

MAY_BEGIN_OR_END = ("bash", "bash_background", "bash_kill")
MOST_NAMED = 3


@dataclass
class JobCount:
    mailbox: Mailbox
    agent: str
    session: SessionView
    say: Callable[[str, str], None]
    """text, level."""
    poke: Callable[[], None]
    _running: tuple[JobIs, ...] = ()
    _news: trio.Event = field(default_factory=trio.Event)
    _caught_up: bool = False
    """What was heard before is of an earlier life: no worker is started to ask it."""

    def begin_again(self) -> None:
        """This screen had an earlier life, and the workers may have jobs of that time."""
        self._news.set()

    def heard(self, event: Message) -> None:
        match event:
            case CaughtUp():
                self._caught_up = True
            case EntryAdded(entry=entry) if self._caught_up:
                body = entry.body
                if isinstance(body, ShellEnded) or (isinstance(body, ToolResult) and body.name in MAY_BEGIN_OR_END):
                    self._news.set()

    async def run(self) -> None:
        """A task of the screen's."""
        while True:
            async with trio.open_nursery() as nursery:
                if self._running:
                    nursery.start_soon(self._until_one_is_over)
                await self._news.wait()
                nursery.cancel_scope.cancel()
            self._news = trio.Event()
            try:
                await self._look()
            except Failed:
                self._are(())  # nobody knows of one; who asks for the list is told why

    async def _until_one_is_over(self) -> None:
        wanted = AwaitJobs(agent=self.agent, jobs=tuple(job.id for job in self._running))
        try:
            await self.mailbox.insist("gate", wanted, Done)
        except Failed:
            pass  # looking says how it is
        self._news.set()

    async def _look(self) -> None:
        """Raises Failed."""
        jobs = (await self.mailbox.insist("gate", DescribeJobs(agent=self.agent), JobsAre)).jobs
        known = {job.id for job in jobs}
        if lost := [job for job in self._running if job.id not in known]:
            self.say(_lost(lost), "warning")
        self._are(tuple(job for job in jobs if not job.ended))

    def _are(self, running: tuple[JobIs, ...]) -> None:
        self._running, self.session.jobs = running, len(running)
        self.poke()


def _lost(jobs: Sequence[JobIs]) -> str:
    named = "; ".join(words.command(job) for job in jobs[:MOST_NAMED])
    return f"{how_many(len(jobs), 'background job')} ended with the worker: {named}. Nothing starts them anew by itself"
