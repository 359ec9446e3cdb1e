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
    """None: it is not known, as of older sessions."""
    gap: bool

    def rows(self, width: int, theme: Theme) -> list[str]:
        time = "" if self.seconds is None else f" for {_rounded(self.seconds)}"
        row = theme.paint("dim", cells.clip(f"✻ thought{time}{OPENS}", width))
        return ["", row] if self.gap else [row]


class Thoughts:
    """What was thought before the answer that is open; the times are its agent's."""

    def __init__(self) -> None:
        self._since: float | None = None
        self._is_due = self._over = False
        self._seconds: float | None = None

    def hear(self, delta: TextDelta | ThinkingDelta) -> None:
        if isinstance(delta, TextDelta):
            seconds = delta.at - self._since if self._since and delta.at else None
            self._end(seconds, thought=self._since is not None)
        elif self._since is None and delta.text.strip():
            self._since = delta.at

    def whole(self, message: AssistantMessage) -> None:
        """The answer, of which nothing else may have been heard."""
        said = [block for block in message.blocks if not isinstance(block, Text | Thinking) or block.text.strip()]
        seconds = message.thought_ms / 1000 if message.thought_ms else None
        self._end(seconds, thought=bool(said) and isinstance(said[0], Thinking))

    def take(self, *, gap: bool) -> list[Thought]:
        """Once: what goes in front of the answer's first words, or of its calls."""
        due, self._is_due = self._is_due, False
        return [Thought(self._seconds, gap)] if due else []

    def _end(self, seconds: float | None, *, thought: bool) -> None:
        if not self._over:
            self._over, self._is_due, self._seconds = True, thought, seconds


def _rounded(seconds: float) -> str:
    whole = max(round(seconds), 1)
    return f"{whole}s" if whole < 60 else f"{whole // 60}:{whole % 60:02d}"
