"""Asks for what the status line shows and nobody tells: the session's name, the model and its window, the branch."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import ShellEnded, ToolResult, TurnEnded
from actors.messages.model import ResolvedModel, ResolveModel
from actors.messages.system import ActorGivenUp, ActorRestarted
from actors.messages.turn import EntryAdded, SessionInfo
from actors.settings.config import Settings
from ui.screen.session_view import SessionView
from ui.screen.surroundings.checkout import branch_of
from ui.screen.surroundings.known import Surroundings
from ui.screen.surroundings.session_name import SessionName

MAY_CHANGE_FILES = (TurnEnded, ToolResult, ShellEnded)


@dataclass
class Lookups:
    mailbox: Mailbox
    settings: Settings
    session: SessionView
    found: Surroundings
    resolved: Callable[[str, str], Awaitable[str]]
    """Who would answer, as of FirstModel."""
    start: Callable[..., None]
    """A task: its function and arguments."""
    poke: Callable[[], None]
    say: Callable[[str, str], None]
    """text, level."""
    painted: trio.Event
    """The first frame is on the screen."""
    _looking: bool = field(default=False, init=False)
    _outdated: bool = field(default=False, init=False)
    """The files may have changed since the look that goes on began."""

    def __post_init__(self) -> None:
        self.name = SessionName(self.mailbox, self.session, self.poke)

    def died(self, told: ActorRestarted | ActorGivenUp) -> None:
        """That the screen itself did, what was on it says."""
        if told.name == "ui":
            return
        if isinstance(told, ActorRestarted):
            self.found.died(told, self.session, time.time())
        self.say(*self.session.subagents.died(told))

    def heard(self, event: Message) -> None:
        """After the session has."""
        if self.name.is_told_by(event):
            self.start(self.name.look)
        if isinstance(event, SessionInfo) or (
            isinstance(event, EntryAdded) and isinstance(event.entry.body, MAY_CHANGE_FILES)
        ):
            self.start(self._look_at_checkout)
        if self.session.read_only:  # no model is asked there
            return
        if isinstance(event, SessionInfo) and not self.session.name:
            self.start(self._resolve)
        elif self.session.name and self.session.name not in self.found.windows:
            self.start(self._look_at_window, self.session.name)

    async def _resolve(self) -> None:
        if name := await self.resolved(self.settings.model, self.session.effort):
            self.session.name = name
            self.poke()
            await self._look_at_window(name)

    async def _look_at_window(self, model: str) -> None:
        """Where the providers cannot say, nothing is shown."""
        if model in self.found.windows:
            return
        self.found.windows[model] = 0
        try:
            facts = (await self.mailbox.insist("providers", ResolveModel(model=model), ResolvedModel)).facts
        except Failed:
            return
        self.found.windows[model] = facts.max_input or facts.context
        self.poke()

    async def _look_at_checkout(self) -> None:
        """One look at a time, in a thread that nobody waits for who leaves."""
        self._outdated = True
        if self._looking:
            return
        self._looking = True
        await self.painted.wait()
        while self._outdated:
            self._outdated = False
            cwd = Path(self.settings.cwd)
            self.found.branch = await trio.to_thread.run_sync(branch_of, cwd, abandon_on_cancel=True)
            self.poke()
        self._looking = False
