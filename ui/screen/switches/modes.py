"""Another mode in the middle of a session: by its name, by the key that goes on to the next, and back again."""

from collections.abc import Callable
from dataclasses import dataclass, field

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.tool import Mode, ModeIs, SetMode
from ui.common import harmless
from ui.common.modes import NEXT
from ui.screen.session_view import SessionView


@dataclass
class Modes:
    mailbox: Mailbox
    agent: str
    session: SessionView
    say: Callable[[str, str], None]
    """text, level."""
    before: dict[Mode, Mode] = field(default_factory=dict)
    """Where one was when a mode was entered: leaving it goes back there."""
    wanted: Mode | None = None
    """By a key, and not there yet: the next press goes on from it."""
    _one_at_a_time: trio.Lock = field(default_factory=trio.Lock)
    """Else the last one asked for need not be the last one answered."""

    async def set(self, mode: Mode, *, quietly: bool = False) -> bool:
        """False when the gate did not; the user has been told. quietly: the status line is enough."""
        async with self._one_at_a_time:
            was = self.session.mode
            try:
                now = await self.mailbox.insist("gate", SetMode(agent=self.agent, mode=mode), ModeIs)
            except Failed as failure:
                self.say(str(failure), "error")
                return False
            if now.mode != was:
                self.before[now.mode] = was
            self.is_now(now, quietly=quietly)
        return True

    def is_now(self, now: ModeIs, *, quietly: bool = False) -> None:
        if now.agent not in {"", self.agent}:
            return
        self.session.mode = now.mode
        if not quietly:
            self.say(f"mode {now.mode}: {harmless.one_line(now.label)}", "info")

    async def cycle(self) -> None:
        mode = self.wanted = NEXT[self.wanted or self.session.mode]
        await self.set(mode, quietly=True)
        if self.wanted == mode:
            self.wanted = None

    async def toggle_plan(self) -> None:
        await self.set(self._back() if self.session.mode == "plan" else "plan")

    async def leave_research(self) -> None:
        await self.set(self._back())

    def _back(self) -> Mode:
        return self.before.get(self.session.mode, "default")
