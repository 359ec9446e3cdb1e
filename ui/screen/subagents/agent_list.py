"""/agents: the subagents of this session, one to be chosen, and what is to be done with it."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from actors.messages.conversation import ToolCall
from actors.messages.subagent import SubagentIs
from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.common.amounts import clock
from ui.screen.questions.choice_list import Ask, choose
from ui.screen.shown import Shown
from ui.screen.subagents.onlooking import Onlooking
from ui.screen.subagents.orders import GO_ON, Orders
from ui.screen.transcript.subagents.blocks import first_line, used
from ui.screen.transcript.subagents.standing import OVER

NONE = "this session has no subagents; the model starts them with spawn_agent"
NOT_READ = "the session is still being opened"
LOOK, TELL, CANCEL, MERGE, RESUME, NOTHING = "look", "tell", "cancel", "merge", "resume", "nothing"
WORDS = 60
"""Characters of what it does, or came to."""


@dataclass(frozen=True)
class AgentList:
    shown: Shown
    onlooking: Onlooking
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    @property
    def orders(self) -> Orders:
        return self.onlooking.orders

    async def choose(self) -> None:
        listed = self.shown.own.subagents.all
        if not listed:
            self.say(NONE if self.shown.own.session_id else NOT_READ, "info")
            return
        chosen = await choose(self.ask, "Which agent?", in_list(listed, time.time()))
        if chosen is not None:
            await self._what_with(listed[chosen].name)

    async def look_at(self, name: str) -> None:
        if (one := self._named(name)) is not None:
            await self.onlooking.at(one)

    async def tell(self, name: str, text: str) -> None:
        if self._named(name) is not None:
            await self.orders.steer(name, text)

    async def cancel(self, name: str) -> None:
        if (one := self._named(name)) is None:
            return
        if one.state in OVER:
            self.say(f"{harmless.one_line(name)} is {one.state} already", "info")
        else:
            await self.orders.cancel(name)

    async def merge(self, name: str) -> None:
        if (one := self._named(name)) is None:
            return
        if one.state in OVER:
            await self.orders.merge(one)
        else:
            self.say(f"{harmless.one_line(name)} is {one.state}; its changes can be merged once it has ended", "info")

    async def resume(self, name: str) -> None:
        if (one := self._named(name)) is None:
            return
        if one.state in OVER:
            await self.orders.steer(name, GO_ON)
        else:
            self.say(f"{harmless.one_line(name)} is {one.state}", "info")

    async def _what_with(self, name: str) -> None:
        """By name: how it stands may be another by now."""
        if (one := self._named(name)) is None:
            return
        answer = await self.ask(question(one, time.time()))
        match answer.choice:
            case "look":
                await self.look_at(name)
            case "tell" if answer.text:
                await self.tell(name, answer.text)
            case "cancel":
                await self.cancel(name)
            case "merge":
                await self.merge(name)
            case "resume":
                await self.resume(name)
            case _:
                pass

    def _named(self, name: str) -> SubagentIs | None:
        if (one := self.shown.own.subagents.named(name)) is None:
            known = ", ".join(harmless.one_line(each.name) for each in self.shown.own.subagents.all)
            there = f"there are: {known}" if known else NONE
            self.say(f"there is no agent {harmless.one_line(name)}; {there}", "warning")
        return one


def in_list(listed: Sequence[SubagentIs], now: float) -> list[tuple[str, ...]]:
    """What each is called and does, and how it stands. now: seconds since the epoch."""
    return [(f"{harmless.one_line(one.name)}  {_words(one)}".rstrip(), *_facts(one, now)) for one in listed]


def question(one: SubagentIs, now: float) -> UserAsked:
    """What can be done with it as it stands."""
    over = one.state in OVER
    choices = [
        Choice(id=LOOK, key="a", label="look at its session" if over else "look at what it does, live"),
        Choice(id=TELL, key="s", label=f"tell it something{', and it goes on' * over}", takes_text=True),
        *([] if over else [Choice(id=CANCEL, key="c", label="cancel it")]),
        *([Choice(id=MERGE, key="m", label="merge what it has changed")] if one.patch_files else []),
        *([Choice(id=RESUME, key="r", label="let it go on where it stopped")] if over else []),
        Choice(id=NOTHING, key="n", label="nothing"),
    ]
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=_label(one, now),
        choices=tuple(choices),
        default=LOOK,
        escape=NOTHING,
        call=ToolCall(call_id=f"agent {one.name}", name="", arguments="{}"),
    )


def _label(one: SubagentIs, now: float) -> str:
    return f"{harmless.one_line(one.name)}  ({' · '.join(filter(None, _facts(one, now)))})  {_words(one)}".rstrip()


def _words(one: SubagentIs) -> str:
    words = harmless.one_line(one.doing) or first_line(one.summary)
    return words if len(words) <= WORDS else f"{words[: WORDS - 1]}…"


def _facts(one: SubagentIs, now: float) -> tuple[str, ...]:
    until = one.last_event_at if one.state in OVER else now
    return (
        harmless.one_line(one.kind),
        one.state,
        clock(max(until - one.started_at, 0.0)) if one.started_at and until else "",
        used(one.used),
        f"{one.patch_files} to merge" if one.patch_files else "",
    )
