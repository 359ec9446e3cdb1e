"""Questions of the gate: which one is shown, what a key means for it, how it looks. No I/O."""

from dataclasses import dataclass

from actors.messages.tool import ApprovalAsked
from ui import cells, diff, harmless
from ui.editor import Editor
from ui.keymap import edit
from ui.keys import Event, Key, Text
from ui.theme import Theme

DEAF_S = 0.25
"""A question takes no keys at first: they were meant for what was there before."""
TYPING_S = 0.5
"""Nor so soon after something was typed into the composer."""
DETAIL_ROWS = 12
OPTIONS = (("yes", "y"), ("no, and tell the agent what to do instead", "n"))


@dataclass(frozen=True)
class Verdict:
    number: int
    """Of the question."""
    allowed: bool
    feedback: str = ""


class Approvals:
    """Those that wait, in the order they came; the first is shown."""

    def __init__(self) -> None:
        self._waiting: dict[int, ApprovalAsked] = {}
        self._number = 0
        self._asked = 0
        self._answered = 0
        self._shown_at = 0.0
        self._chosen = 0
        self.feedback: Editor | None = None

    @property
    def current(self) -> ApprovalAsked | None:
        return next(iter(self._waiting.values()), None)

    def add(self, question: ApprovalAsked, now: float) -> int:
        """Returns its number."""
        if not self._waiting:
            self._asked = self._answered = 0
            self._show_next(now)
        self._number += 1
        self._waiting[self._number] = question
        self._asked += 1
        return self._number

    def remove(self, number: int, now: float) -> None:
        """It was answered or withdrawn."""
        shown = next(iter(self._waiting), None) == number
        if self._waiting.pop(number, None) is not None:
            self._answered += 1
        if shown:
            self._show_next(now)

    def listens_at(self, typed_at: float) -> float:
        """When the shown question begins to take keys."""
        return max(self._shown_at + DEAF_S, typed_at + TYPING_S)

    def key(self, event: Event) -> Verdict | None:
        """A key for the shown question."""
        number = next(iter(self._waiting))
        if self.feedback is not None:
            return self._feedback_key(number, self.feedback, event)
        match event:
            case Text(text="y" | "Y" | "1"):
                return Verdict(number, allowed=True)
            case Key(name="enter") if self._chosen == 0:
                return Verdict(number, allowed=True)
            case Text(text="n" | "N" | "2") | Key(name="enter"):
                self._chosen, self.feedback = 1, Editor()
            case Key(name="esc" | "ctrl+c"):
                return Verdict(number, allowed=False)
            case Key(name="up" | "down" | "tab" | "ctrl+p" | "ctrl+n"):
                self._chosen = 1 - self._chosen
            case _:
                return None
        return None

    def _feedback_key(self, number: int, editor: Editor, event: Event) -> Verdict | None:
        match event:
            case Key(name="enter"):
                return Verdict(number, allowed=False, feedback=editor.expanded.strip())
            case Key(name="esc" | "ctrl+c"):
                return Verdict(number, allowed=False)
            case Key(name="up"):
                self._chosen, self.feedback = 0, None
            case _:
                edit(editor, event)
        return None

    def _show_next(self, now: float) -> None:
        self._shown_at, self._chosen, self.feedback = now, 0, None

    def rows(self, width: int, height: int, theme: Theme) -> tuple[list[str], tuple[int, int]]:
        """The panel, at most so high, and where the cursor is in it."""
        question = self.current
        if question is None:
            return [], (0, 0)
        count = f" {self._answered + 1} of {self._asked} ──" if self._asked > 1 else ""
        title = "── Allow? "
        head = [theme.paint("warning", title + "─" * max(width - len(title) - len(count), 0) + count)]
        head.append(_facts(question, width, theme))
        options = self._options(theme)
        foot = [theme.paint("dim", cells.clip("   y yes · n no, with a note · esc no", width))]
        room = max(height - len(head) - len(options) - len(foot), 0)
        detail = [cells.clip(row, width) for row in _detail(question, width, min(room, DETAIL_ROWS), theme)]
        rows = [cells.clip(row, width) for row in (*head, *detail, *options)] + foot
        return rows, self._cursor(len(head) + len(detail), width)

    def _options(self, theme: Theme) -> list[str]:
        rows = []
        for at, (words, _) in enumerate(OPTIONS):
            chosen = at == self._chosen
            row = f" {'▸' if chosen else ' '} {at + 1} {words}"
            rows.append(theme.paint("strong", row) if chosen else row)
        if self.feedback is not None:
            rows[1] = theme.paint("strong", " ▸ 2 no: ") + self.feedback.shown(self.feedback.text).replace("\n", " ")
        return rows

    def _cursor(self, first_option: int, width: int) -> tuple[int, int]:
        row = first_option + self._chosen
        if self.feedback is None:
            return row, 1
        before = self.feedback.shown(self.feedback.text[: self.feedback.cursor])
        return row, min(9 + cells.width(before), width - 1)


def _facts(question: ApprovalAsked, width: int, theme: Theme) -> str:
    risk = harmless.one_line(question.risk)
    who = "" if question.agent == "agent:main" else f" · {harmless.one_line(question.agent)}"
    name = harmless.one_line(question.call.name)
    title = cells.clip(_title(question), _title_room(question, width))
    return theme.row([("", " "), ("strong", name), ("", f"  {title}"), ("warning", f"  {risk}"), ("dim", who)])


def _title(question: ApprovalAsked) -> str:
    """The tool's name stands before it already."""
    return harmless.one_line(question.preview.title).removeprefix(f"{question.call.name} ")


def _title_room(question: ApprovalAsked, width: int) -> int:
    others = (question.call.name, question.risk, question.agent if question.agent != "agent:main" else "")
    return max(width - sum(cells.width(harmless.one_line(text)) for text in others) - 8, 8)


def _detail(question: ApprovalAsked, width: int, room: int, theme: Theme) -> list[str]:
    """The diff; or all of a command that its title does not show: nobody approves what cannot be seen."""
    title = _title(question)
    text = harmless.sanitise(question.preview.detail).rstrip("\n") or title
    if not room or (text.strip() == title and cells.width(title) <= _title_room(question, width)):
        return []
    if rows := diff.rows(text, room):
        return [theme.row(row) for row in rows]
    wrapped = [theme.row([("", "   "), *row]) for row in cells.wrap([("code", text)], width - 3)]
    if len(wrapped) <= room:
        return wrapped
    return [*wrapped[: room - 1], theme.paint("warning", f"   ⋯ {len(wrapped) - room + 1} more rows")]
