"""A subagent of another program, whose session is looked at: through its parent's door it is told things, or cancelled.

What it is told is what its parent's own screen would have told it: it is the parent that writes it down.
"""

import msgspec

from actors.common import holders
from actors.common.doors import visitor
from actors.common.doors.lines import CannotAsk, Gone
from actors.common.doors.visitor import Program, Refused
from actors.common.doors.words import Ordered
from actors.errors import Failed, failed
from actors.messages.store import Holder
from actors.messages.subagent import CancelSubagent, SteerSubagent, SubagentIs
from actors.messages.turn import Prompt

MOST_SHUT = 10
"""Looks: its parent may be just being restarted; then it is gone, such as the task of a batch that is over."""
OVER = ("completed", "failed", "cancelled")
LIVE = "the agent {name} ({kind}) of {who}: what you send goes to it, esc cancels it."
ENDED = "the agent {name} of {who} has ended ({state})."
GO_ON = "To go on with it: trouper agents resume {session_id}, or /agents resume {name} there."
NO_FILES = "images and files can only go to the main agent."
ONLY = "this is the session of an agent of {who}: here it can be told something and cancelled, nothing else."


class Steered(msgspec.Struct):
    program: Program
    agent: SubagentIs
    """As it stood when it was asked last."""
    shut: int = 0
    """How often the door of its parent was, since it was answered last."""

    @property
    def has_ended(self) -> bool:
        return self.agent.state in OVER

    @property
    def who(self) -> str:
        there = self.program.told
        return holders.in_words(Holder(session_id="", pid=there.pid, terminal=there.terminal))

    @property
    def notice(self) -> str:
        """What can be done with it, for people."""
        facts = {"name": self.agent.name, "kind": self.agent.kind, "who": self.who, "state": self.agent.state}
        return f"{ENDED.format(**facts)} {self._go_on}" if self.has_ended else LIVE.format(**facts)

    @property
    def refusal(self) -> Failed:
        """Of all else that may be asked of an agent."""
        return failed("session_in_use", ONLY.format(who=self.who))

    async def look(self) -> bool:
        """How it stands now, if its parent says so; False: that has ended."""
        try:
            now = await visitor.program(self.program.path, self.agent.session_id)
        except Gone:
            self.shut += 1
            return self.program.lives and self.shut < MOST_SHUT
        except CannotAsk:
            return True
        self.shut = 0
        self.agent = next(iter(now.agents), self.agent)
        return True

    async def steer(self, prompt: Prompt) -> None:
        """On disk when this returns. Raises Failed."""
        if prompt.attachments:
            raise failed("bad_request", NO_FILES)
        order = SteerSubagent(name=self.agent.name, prompt_id=prompt.prompt_id, text=prompt.text)
        await self._order(order)

    async def cancel(self) -> None:
        """All of it is gone when this returns. Raises Failed."""
        await self._order(CancelSubagent(name=self.agent.name))

    async def _order(self, order: SteerSubagent | CancelSubagent) -> None:
        """Raises Failed."""
        if self.has_ended:
            facts = {"name": self.agent.name, "who": self.who, "state": self.agent.state}
            raise failed("bad_request", ENDED.format(**facts), self._go_on)
        wanted = Ordered(session_id=self.program.told.session_id, order=order)
        try:
            await visitor.order(self.program, wanted)
        except Refused as why:
            raise failed("bad_request", str(why)) from why
        except CannotAsk as why:
            raise failed("gone", f"{self.who} cannot be asked: {why}.", "See: trouper agents") from why

    @property
    def _go_on(self) -> str:
        return GO_ON.format(session_id=self.agent.session_id, name=self.agent.name)


async def found(home: str, session_id: str) -> Steered | None:
    """The subagent of a running program that has this session; None where it is none, or nobody answers for it."""
    program = await visitor.parent_of(home, session_id) if "." in session_id else None
    return None if program is None else Steered(program, program.agents[0])
