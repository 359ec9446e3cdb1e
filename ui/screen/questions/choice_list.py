"""One of many, chosen by the user where questions are answered; and how long ago something was, in a word."""

from collections.abc import Awaitable, Callable, Sequence

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAnswered, UserAsked

Ask = Callable[[UserAsked], Awaitable[UserAnswered]]
UNITS = ((60.0, "min"), (3600.0, "h"), (86400.0, "d"))


async def choose(ask: Ask, title: str, labels: Sequence[str], marked: int = 0) -> int | None:
    """The place of the one that was chosen; None: all stays as it is."""
    choices = tuple(Choice(id=str(at), key=str(at + 1), label=label) for at, label in enumerate(labels))
    question = UserAsked(
        agent="agent:main",
        kind="list",
        title=title,
        choices=choices,
        default=str(marked),
        escape="",
        call=ToolCall(call_id="list", name="", arguments="{}"),
    )
    chosen = (await ask(question)).choice
    return int(chosen) if chosen else None


def age(seconds: float) -> str:
    """Rounded down, in its largest unit."""
    for unit_s, name in reversed(UNITS):
        if seconds >= unit_s:
            return f"{int(seconds // unit_s)} {name}"
    return "now"
