"""All that commands may have shown or taken out of the session, each a method that says what it comes to.

What makes a report is imported with the first one: no screen begins with it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.tool import OfferTools, Tools
from actors.settings.config import Settings
from ui.screen.questions.choice_list import Ask
from ui.screen.session_view import SessionView
from ui.screen.terminal.piece import Piece

PATIENCE_S = 1.0
LOOKING = "this machine is looked at, and the model's service is asked"
NO_STEPS = "the agent has noted no steps in this session yet"


@dataclass(frozen=True)
class Reports:
    mailbox: Mailbox
    agent: str
    settings: Settings
    session: SessionView
    session_id: Callable[[], Awaitable[str]]
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""
    show: Callable[[Piece], None]
    start: Callable[..., None]
    """A task: its function and arguments."""
    to_clipboard: Callable[[str], None]

    def cost(self) -> None:
        self._begin(self._cost)

    def status(self) -> None:
        self._begin(self._status)

    def doctor(self) -> None:
        self._begin(self._doctor)

    def terminal_setup(self) -> None:
        from ui.screen.reports import terminal_setup

        self.say(terminal_setup.in_words(), "info")

    def tools(self) -> None:
        self._begin(self._tools)

    def skills(self) -> None:
        self._begin(self._skills)

    def todo(self) -> None:
        from ui.screen.reports import offered

        if self.session.steps:
            self.show(offered.Steps(self.session.steps))
        else:
            self.say(NO_STEPS, "info")

    def changes(self) -> None:
        self._begin(self._changes)

    def changes_of_session(self) -> None:
        self._begin(self._changes_of_session)

    def copy(self, which: str) -> None:
        """which: the number of a block of code, or "" for the whole answer or to choose."""
        self._begin(self._copy, which)

    def export(self, file: str) -> None:
        """file: relative to the workspace; "" for a name made of the session's id."""
        self._begin(self._export, file)

    def _begin(self, report: Callable[..., Awaitable[None]], *arguments: str) -> None:
        self.start(self._told, report, *arguments)

    async def _told(self, report: Callable[..., Awaitable[None]], *arguments: str) -> None:
        try:
            await report(*arguments)
        except Failed as failure:
            self.say(str(failure), "error")

    async def _cost(self) -> None:
        from ui.screen.reports import costs

        self.say(costs.in_words(await costs.read(self.mailbox, await self.session_id())), "info")

    async def _status(self) -> None:
        from ui.screen.reports import standing

        session_id = await self.session_id()
        self.say(standing.in_words(self.settings, self.session, session_id), "info")

    async def _doctor(self) -> None:
        from ui.common.doctor import asking, rows

        model = self.session.name or self.settings.model
        settings = msgspec.structs.replace(
            self.settings, model=model, effort=self.session.effort, mode=self.session.mode
        )
        done = trio.Event()
        self.start(self._ask_for_patience, done)
        try:
            report = await asking.found(self.mailbox, settings, asking.Here(interactive=True))
        finally:
            done.set()
        self.say(rows.table(report).rstrip("\n"), "info" if report.works else "warning")

    async def _ask_for_patience(self, done: trio.Event) -> None:
        with trio.move_on_after(PATIENCE_S):
            await done.wait()
            return
        self.say(LOOKING, "info")

    async def _tools(self) -> None:
        from ui.screen.reports import offered

        tools = await self.mailbox.insist("gate", OfferTools(), Tools)
        self.say(offered.tools_in_words(tools, self.settings), "info")

    async def _skills(self) -> None:
        from ui.screen.reports import offered

        self.say(offered.skills_in_words(self.settings, Path.home()), "info")

    async def _changes(self) -> None:
        from ui.screen.reports import changes

        self.show(await changes.read(self.mailbox, self.agent, await self.session_id()))

    async def _changes_of_session(self) -> None:
        from ui.screen.reports import changes

        self.show(await changes.of_session(self.mailbox, self.agent, await self.session_id()))

    async def _copy(self, which: str) -> None:
        from ui.screen.reports import copying

        answer = await copying.last_answer(self.mailbox, await self.session_id())
        if not answer:
            self.say("there is no answer to copy yet", "warning")
            return
        pieces = copying.pieces(answer)
        if which and not (which.isdecimal() and 0 < int(which) < len(pieces)):
            there = f"write /copy, or /copy 1 to {len(pieces) - 1}" if len(pieces) > 1 else "write /copy"
            self.say(f"the last answer has no block of code {which}: {there}", "warning")
            return
        at = int(which) if which else await copying.chosen(self.ask, pieces)
        if at is None:
            return
        if why := copying.too_long(pieces[at].text):
            self.say(why, "warning")
            return
        self.to_clipboard(pieces[at].text)
        self.say(f"{pieces[at].what} is sent to the clipboard of your terminal", "info")

    async def _export(self, file: str) -> None:
        from ui.screen.reports import exporting

        path = await exporting.export(self.mailbox, await self.session_id(), Path(self.settings.cwd), file)
        self.say(f"this session is in {path}; look before you hand it on", "info")
