"""The agent's list of steps: from the arguments of its call to a checklist. Pure."""

from typing import Literal

import msgspec

from actors.messages.conversation import ToolCall
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans

TOOL = "todo"
Status = Literal["pending", "in_progress", "completed"]
SIGNS: dict[Status, Span] = {"completed": ("good", "✔"), "in_progress": ("busy", "▸"), "pending": ("dim", "○")}
TEXTS: dict[Status, str] = {"completed": "dim", "in_progress": "strong", "pending": ""}


class Step(msgspec.Struct, frozen=True):
    task: str
    status: Status = "pending"


class _Arguments(msgspec.Struct, frozen=True):
    items: tuple[Step, ...]


def steps(call: ToolCall) -> tuple[Step, ...]:
    """() where the call is of another tool, or is none that the tool understands."""
    if call.name != TOOL:
        return ()
    try:
        return msgspec.json.decode(call.arguments, type=_Arguments).items
    except (msgspec.DecodeError, RecursionError):
        return ()


def over(steps: tuple[Step, ...]) -> bool:
    """There is nothing left to do."""
    return all(step.status == "completed" for step in steps)


def rows(steps: tuple[Step, ...]) -> list[Spans]:
    return [[("", "  "), SIGNS[step.status], ("", " "), _text(step)] for step in steps]


def listed(steps: tuple[Step, ...], most: int) -> list[Spans]:
    """A row each, around the first that is not done where there are too many; what is left out is counted."""
    title: Spans = [("dim", " Plan · ctrl+t")]
    done = next((at for at, step in enumerate(steps) if step.status != "completed"), 0)
    first = max(min(done - 1, len(steps) - most), 0)
    last = min(first + most, len(steps))
    if len(steps) > most:
        title.append(("dim", f" · {first + 1}-{last} of {len(steps)}"))
    return [title, *rows(steps[first:last])]


def row(steps: tuple[Step, ...], width: int) -> Spans:
    """All in one row; where the room is short, what is done becomes a number."""
    row = _joined(steps, 0)
    if sum(cells.width(text) for _, text in row) > width:
        row = _joined(tuple(step for step in steps if step.status != "completed"), len(steps))
    return row


def _joined(shown: tuple[Step, ...], of: int) -> Spans:
    row: Spans = [("dim", " Plan")]
    if (done := of - len(shown)) > 0:
        row += [("", "  "), SIGNS["completed"], ("dim", f" {done} of {of}")]
    for step in shown:
        row += [("", "  "), SIGNS[step.status], ("", " "), _text(step)]
    return row


def _text(step: Step) -> Span:
    return TEXTS[step.status], harmless.one_line(step.task)
