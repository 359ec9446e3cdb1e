"""A command that the user has run, and what came of it, as a piece of the transcript."""

from dataclasses import dataclass

from actors.common.plurals import how_many
from actors.messages.conversation import ShellEnded
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.blocks import CallRow, seconds

SIGN = "$"
HEAD_ROWS, TAIL_ROWS = 20, 20
"""Of its output; how many are between is said."""
NOT_SENT = "  not sent to the model"
LONGEST_TITLE = 1000


def title(command: str) -> str:
    return harmless.one_line(command)[:LONGEST_TITLE]


@dataclass(frozen=True)
class ShellDone:
    ended: ShellEnded

    def rows(self, width: int, theme: Theme) -> list[str]:
        ended = self.ended
        style = "warning" if ended.denied else "bad" if ended.failed else "good"
        outcome: Spans = [("warning", "  denied")] if ended.denied else [("bad", "  ✗")] if ended.failed else []
        if not ended.told:
            outcome.append(("dim", NOT_SENT))
        head = CallRow((style, "●"), SIGN, title(ended.command), outcome, seconds(ended.ms / 1000))
        return ["", head.row(width, theme), *(theme.row(row) for row in _output(ended, width))]


def _output(ended: ShellEnded, width: int) -> list[Spans]:
    text = ended.summary or ended.output if ended.denied else ended.output
    lines = harmless.sanitise(text).strip("\n").split("\n")
    between = len(lines) - HEAD_ROWS - TAIL_ROWS
    if between > 1:
        lines = [*lines[:HEAD_ROWS], f"… {how_many(between, 'more line')}", *lines[-TAIL_ROWS:]]
    rows = [row for line in lines for row in cells.wrap([("", line)], width - 4)]
    between = len(rows) - HEAD_ROWS - TAIL_ROWS
    if between > HEAD_ROWS + TAIL_ROWS:  # long lines
        rows = [*rows[:HEAD_ROWS], [("dim", f"… {how_many(between, 'more row')}")], *rows[-TAIL_ROWS:]]
    return [[("dim", "  │ "), *row] for row in rows]
