"""One of many, chosen by the user where questions are answered; and how long ago something was, in a word."""

from collections.abc import Awaitable, Callable, Sequence

from actors.messages.conversation import ToolCall
from actors.messages.tool import Choice, UserAnswered, UserAsked
from ui.screen.terminal import cells

Ask = Callable[[UserAsked], Awaitable[UserAnswered]]
UNITS = ((60.0, "min"), (3600.0, "h"), (86400.0, "d"))


async def choose(
    ask: Ask,
    title: str,
    rows: Sequence[tuple[str, ...]],
    marked: int = 0,
    unused: Callable[[str], None] = lambda _: None,
) -> int | None:
    """The place of the one that was chosen; None: all stays as it is. Each row: what it is, and facts in columns.

    unused: gets what was typed where none was chosen.
    """
    answer = await ask(question(title, rows, marked))
    if not answer.choice:
        unused(answer.text)
    return int(answer.choice) if answer.choice else None


def question(title: str, rows: Sequence[tuple[str, ...]], marked: int = 0) -> UserAsked:
    choices = tuple(
        Choice(id=str(at), key="", label=row[0], facts=facts)
        for at, (row, facts) in enumerate(zip(rows, in_columns([row[1:] for row in rows]), strict=True))
    )
    return UserAsked(
        agent="agent:main",
        kind="list",
        title=title,
        choices=choices,
        default=str(marked),
        escape="",
        call=ToolCall(call_id="list", name="", arguments="{}"),
    )


def in_columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Each as long as its longest; all rows have as many, and a column that is empty in all takes no room."""
    widths = [max(map(cells.width, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_padded(text, width) for text, width in zip(row, widths, strict=True) if width) for row in rows]


def _padded(text: str, width: int) -> str:
    return text + " " * (width - cells.width(text))


def age(seconds: float) -> str:
    """Rounded down, in its largest unit."""
    for unit_s, name in reversed(UNITS):
        if seconds >= unit_s:
            return f"{int(seconds // unit_s)} {name}"
    return "now"
