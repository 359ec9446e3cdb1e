"""When an agent cannot have its session: it can only say why, unless the user has it go on with a copy."""

import msgspec
import trio

from actors.agent.session.history import History
from actors.agent.session.resume import load
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAnswered, UserAsked
from actors.messages.turn import Notice
from actors.settings.config import Settings

COPY = "copy"
QUESTION = UserAsked(
    agent="agent:main",
    kind="question",
    title="This session is open in another terminal. Go on here with a copy of it?",
    detail="It has every turn that has come to its end. From then on the two know nothing of each other, "
    "but both work in this folder.",
    choices=(Choice(id=COPY, key="y", label="yes, with a copy"), Choice(id="no", key="n", label="no")),
    default=COPY,
    escape="no",
    call=ToolCall(call_id="copy", name="", arguments="{}"),
)


async def history_instead(mailbox: Mailbox, settings: Settings, failure: Failed) -> History | None:
    """The copy; None when the inbox has ended. Until then every request fails as loading did."""
    copies: list[History] = []
    async with trio.open_nursery() as nursery:

        async def offer() -> None:
            if (copy := await _copied(mailbox, settings)) is not None:
                copies.append(copy)
                nursery.cancel_scope.cancel()

        if failure.problem.code == "session_in_use" and settings.interactive:
            nursery.start_soon(offer)
        async for request in mailbox:
            request.fail(failure.problem)
        nursery.cancel_scope.cancel()
    return copies[0] if copies else None


async def _copied(mailbox: Mailbox, settings: Settings) -> History | None:
    """None: not wanted, or not to be had, which the user is told."""
    try:
        if (await mailbox.insist("ui", QUESTION, UserAnswered)).choice == COPY:
            return await load(mailbox, msgspec.structs.replace(settings, copy=True))
    except Failed as failure:
        mailbox.tell("ui", Notice(text=str(failure), level="error"))
    return None
