"""Leaving while subagents work in the background: they end with the program, so the user is asked, once."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions.choice_list import Ask
from ui.screen.shown import Shown

LEAVE, STAY = "leave", "stay"


@dataclass
class Leaving:
    shown: Shown
    ask: Ask
    leave: Callable[[], None]
    _asked: bool = False

    @property
    def must_ask(self) -> bool:
        own = self.shown.own
        return own.subagents.in_background > 0 and not own.read_only and not self._asked

    async def asked(self) -> None:
        """Whoever says it again while this is on the screen means it."""
        self._asked = True
        try:
            if (await self.ask(question(self.shown))).choice == LEAVE:
                self.leave()
        finally:
            self._asked = False


def question(shown: Shown) -> UserAsked:
    """Esc stays."""
    at_work = [one for one in shown.own.subagents.at_work if one.background]
    names = ", ".join(harmless.one_line(one.name) for one in at_work)
    work = "works" if len(at_work) == 1 else "work"
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=f"{how_many(len(at_work), 'agent')} still {work} in the background. Leave?",
        detail=f"{names}\n\nThey end with the program; after trouper -c, /agents resume NAME goes on with one.",
        choices=(
            Choice(id=LEAVE, key="l", label="leave, and end them"),
            Choice(id=STAY, key="n", label="no, stay", refuses=True),
        ),
        default=STAY,
        escape=STAY,
        call=ToolCall(call_id="leave", name="", arguments="{}"),
    )
