"""How many commands run in the background, for the status line: asked after what may begin one, told when one ends.

Nothing is asked at intervals.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import trio

from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.conversation import ShellEnded, ToolResult
from actors.messages.job import AwaitJobs, DescribeJobs, JobIs, JobsAre
from actors.messages.turn import CaughtUp, EntryAdded, SessionInfo
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
    start: Callable[..., None]
    """A task: its function and arguments."""
    again: bool
    """This screen had an earlier life, and the workers may have jobs of that time."""
    _running: tuple[JobIs, ...] = ()
    _news: trio.Event = field(default_factory=trio.Event)
    _caught_up: bool = False
    """What was heard before is of an earlier run: no worker is started to ask it."""
    _follows: bool = False

    def heard(self, event: Message) -> None:
        match event:
            case SessionInfo():
                self._caught_up = False
            case CaughtUp():
                self._caught_up = True
                if self.again:
                    self._ask_now()
            case EntryAdded(entry=entry) if self._caught_up:
                body = entry.body
                if isinstance(body, ShellEnded) or (isinstance(body, ToolResult) and body.name in MAY_BEGIN_OR_END):
                    self._ask_now()

    def _ask_now(self) -> None:
        self._news.set()
        if not self._follows:
            self._follows = True
            self.start(self._follow)

    async def _follow(self) -> None:
        """As long as one runs."""
        while self._running or self._news.is_set():
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
        self._follows = False

    async def _until_one_is_over(self) -> None:
        wanted = AwaitJobs(agent=self.agent, jobs=tuple(job.id for job in self._running))
        with suppress(Failed):  # looking says how it is
            await self.mailbox.insist("gate", wanted, Done)
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
