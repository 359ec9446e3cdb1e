"""A session that another program has open: the user looks at it, has it handed over, takes a copy, or lets it be."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass

from actors.common import holders
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall
from actors.messages.store import Holder
from actors.messages.tool import Choice, UserAsked
from actors.messages.turn import OpenOther, WhoHas
from ui.common import harmless
from ui.screen.questions.choice_list import Ask

VIEW, TAKE, COPY, NO = "view", "take", "copy", "no"
QUIT, STAY = Choice(id=NO, key="q", label="quit"), Choice(id=NO, key="n", label="no, stay in this session")
"""What else there is: at the start, and later."""
ABOUT = (
    "A take-over ends a turn that runs there; its screen then only looks on, and can take it back. "
    "A copy has every turn that has come to its end; from then on the two know nothing of each other, "
    "but both work in this folder."
)


@dataclass(frozen=True)
class HeldSession:
    mailbox: Mailbox
    agent: str
    ask: Ask
    say: Callable[[str, str], None]
    """text, level."""

    async def settle(self, session_id: str, otherwise: Choice) -> bool:
        """False when the user wants none of it. session_id: "" for the one of the command line. Raises Failed."""
        tried = False
        while True:
            holder = await self.mailbox.insist(self.agent, WhoHas(session_id=session_id), Holder)
            known = holder.pid or tried
            choice = (await self.ask(question(holder, otherwise))).choice if known else TAKE
            if choice == NO:
                return False
            try:
                await self._open(holder.session_id, choice)
            except Failed as failure:
                if failure.problem.code != "session_in_use":
                    raise
                self.say(str(failure), "error")
                tried = True
            else:
                return True

    async def take(self, session_id: str) -> None:
        """Raises Failed."""
        await self.mailbox.insist(self.agent, OpenOther(session_id=session_id, held="take"), Done)
        self.say("the session is open here now", "info")

    async def _open(self, session_id: str, how: str) -> None:
        """Raises Failed."""
        if how == TAKE:
            await self.take(session_id)
            return
        view = OpenOther(session_id=session_id, held="view")
        copy = OpenOther(session_id=session_id, copy_id=uuid.uuid4().hex)
        await self.mailbox.insist(self.agent, view if how == VIEW else copy, Done)


def question(holder: Holder, otherwise: Choice) -> UserAsked:
    """Esc changes nothing."""
    state = f"Now: {holder.state}. " if holder.state else ""
    return UserAsked(
        agent="agent:main",
        kind="question",
        title=harmless.one_line(f"This session is open elsewhere{holders.named(holder)}. What now?"),
        detail=harmless.one_line(f"{state}{ABOUT}"),
        choices=(
            Choice(id=VIEW, key="v", label="look at it here, read-only"),
            Choice(id=TAKE, key="t", label="take it over"),
            Choice(id=COPY, key="c", label="go on with a copy of it"),
            otherwise,
        ),
        default=VIEW,
        escape=NO if otherwise is STAY else VIEW,
        call=ToolCall(call_id="held", name="", arguments="{}"),
    )
