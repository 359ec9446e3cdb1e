"""/context: where the window goes, as a bar and in words and numbers."""

from collections.abc import Callable
from dataclasses import dataclass

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.turn import Context, DescribeContext
from ui.common import harmless
from ui.common.amounts import thousands
from ui.screen.session_view import SessionView
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme

WIDEST = 72
"""Cells of the bar."""
SIGNS = "█▓▒░=+x%"
"""Told apart without colours, too."""
STYLES = ("keyword", "string", "number", "name", "type", "bad")
FREE = "·"


@dataclass(frozen=True)
class ContextBar:
    mailbox: Mailbox
    agent: str
    session: SessionView
    say: Callable[[str, str], None]
    """text, level."""

    async def show(self) -> None:
        try:
            self.session.say(ContextShown(await self.mailbox.insist(self.agent, DescribeContext(), Context)))
        except Failed as failure:
            self.say(str(failure), "error")


@dataclass(frozen=True)
class ContextShown:
    context: Context

    def rows(self, width: int, theme: Theme) -> list[str]:
        rows = ["", theme.row([("strong", _title(self.context))]), self._bar(min(width - 1, WIDEST), theme)]
        return [cells.clip(row, width) for row in (*rows, *self._parts(theme))]

    def _bar(self, room: int, theme: Theme) -> str:
        shares = _shares([part.tokens for part in self.context.parts], _whole(self.context), max(room, 1))
        filled = [theme.paint(_style(at), _sign(at) * share) for at, share in enumerate(shares)]
        return "".join(filled) + theme.paint("dim", FREE * (max(room, 1) - sum(shares)))

    def _parts(self, theme: Theme) -> list[str]:
        context = self.context
        named = [(_sign(at), _style(at), part.tokens, part.name, part.detail) for at, part in enumerate(context.parts)]
        if (free := context.window - _used(context)) > 0:
            named.append((FREE, "dim", free, "free", ""))
        return [
            theme.row(
                [
                    (style, sign),
                    ("", f" {thousands(tokens):>6} {_percent(tokens, _whole(context)):>5}  {harmless.one_line(name)}"),
                    ("dim", f"  {harmless.one_line(detail)}" if detail else ""),
                ]
            )
            for sign, style, tokens, name, detail in named
        ]


def _title(context: Context) -> str:
    """What matters most first: the rest may be cut."""
    used, model = thousands(_used(context)), harmless.one_line(context.model)
    if not context.window:
        return f"about {used}, in tokens, for the next request; how many fit is not known · {model}"
    share = _percent(_used(context), context.window)
    over = ", more than fits" if _used(context) > context.window else ""
    return f"about {used} of {thousands(context.window)} ({share}){over}, in tokens, for the next request · {model}"


def _used(context: Context) -> int:
    return sum(part.tokens for part in context.parts)


def _whole(context: Context) -> int:
    """What the bar stands for."""
    return max(context.window, _used(context), 1)


def _percent(tokens: int, whole: int) -> str:
    share = tokens * 100 / whole
    return f"{share:.0f} %" if share >= 1 or not tokens else "<1 %"


def _shares(parts: list[int], whole: int, room: int) -> list[int]:
    """Cells of each: together they are right to a cell, however many there are."""
    ends = [sum(parts[: at + 1]) * room // whole for at in range(len(parts))]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def _sign(at: int) -> str:
    return SIGNS[at % len(SIGNS)]


def _style(at: int) -> str:
    return STYLES[at % len(STYLES)]
