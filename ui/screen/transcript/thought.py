"""How long the model thought before it said anything of an answer: a row at its beginning. No clock."""

from dataclasses import dataclass

from actors.messages.conversation import AssistantMessage, Text, Thinking
from actors.messages.model import TextDelta, ThinkingDelta
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import OPENS


@dataclass(frozen=True)
class Thought:
    seconds: float | None
    """None: nobody has seen it begin."""
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        time = "" if self.seconds is None else f" for {_rounded(self.seconds)}"
        row = theme.paint("dim", cells.clip(f"✻ thought{time}{OPENS}", width))
        return ["", row] if self.gap else [row]


class Thoughts:
    """What was thought before the answer that is open."""

    def __init__(self, *, timed: bool = True) -> None:
        """timed: it was heard from its beginning."""
        self._timed = timed
        self._since: float | None = None
        self._is_due = self._over = False
        self._seconds: float | None = None

    def hear(self, delta: TextDelta | ThinkingDelta, at: float) -> None:
        """at: seconds since the epoch."""
        if isinstance(delta, TextDelta):
            self._end(at, thought=self._since is not None)
        elif self._since is None and delta.text.strip():
            self._since = at

    def whole(self, message: AssistantMessage, at: float) -> None:
        """The answer, of which nothing else may have been heard."""
        said = [block for block in message.blocks if not isinstance(block, Text | Thinking) or block.text.strip()]
        self._end(at, thought=bool(said) and isinstance(said[0], Thinking))

    def take(self, *, gap: bool) -> list[Thought]:
        """Once: what goes in front of the answer's first words, or of its calls."""
        due, self._is_due = self._is_due, False
        return [Thought(self._seconds, gap)] if due else []

    def _end(self, at: float, *, thought: bool) -> None:
        if self._over:
            return
        self._over, self._is_due = True, thought
        if self._timed and self._since is not None:
            self._seconds = max(at - self._since, 0.0)


def _rounded(seconds: float) -> str:
    whole = max(round(seconds), 1)
    return f"{whole}s" if whole < 60 else f"{whole // 60}:{whole % 60:02d}"
