"""How a question of the gate looks: what it says above, its choices below. What does not fit is scrolled, never cut."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions import listing
from ui.screen.questions.page import Page, page
from ui.screen.questions.queue import IN_ROWS, Questions
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.start.first_frame import PROMPT

HEADINGS = {
    "approval": "Allow?",
    "plan": "Approve this plan?",
    "question": "Question",
    "trust": "Trust this folder?",
    "server": "Ask this server?",
}
WRITING = " enter sends it · esc: back to the choices"
IN_EDITOR = " · ctrl+g: your editor"
UNSEEN = " only dots are shown · enter keeps it · esc: back"
DOT = "•"
DRAFTING = "tab, then enter: answer · esc: no answer of these · all else goes into your draft"
TEXT_ROWS = 4
"""Of what is written with an answer."""


@dataclass(frozen=True)
class Choices:
    """Their rows, and where the cursor is in them."""

    rows: list[str]
    row: int
    column: int


def draw(
    questions: Questions, width: int, height: int, theme: Theme, *, drafting: bool = False
) -> tuple[list[str], tuple[int, int]]:
    """The panel, at most so high, and where the cursor is in it. Tells the questions what is seen of it.

    drafting: letters go into the composer.
    """
    question = questions.current
    if question is None or height < 1:
        return [], (0, 0)
    if question.kind in IN_ROWS:
        return listing.draw(questions, question, (width, height), theme)
    said, choices = page(question, width, theme), _choices(questions, question, (width, height), theme)
    said.reach(height)
    foot = [theme.paint("dim", _keys(questions, question, drafting))][: height - 1 - len(said.rows) - len(choices.rows)]
    if 1 + len(said.rows) + len(choices.rows) > height:
        foot = []
        if 2 + _share(said, height) + len(choices.rows) > height:
            said = replace(said, tail=_listed(question, width, theme))
            choices = _choices(questions, question, (width, 1), theme)
        choices = _window(choices, max(height - 1 - _share(said, height), 1))
    above = height - len(choices.rows) - len(foot)
    rule = [_rule(question, questions.place, width, theme)][: max(above - 1 - _share(said, height), 0)]
    if any(cells.width(row) > width for row in choices.rows):
        said = replace(said, whole=False)
    shown = _read(questions, said, (width, above - len(rule)), theme, "pgdn" if drafting else "space")
    painted = [cells.clip(row, width) for row in (*rule, *shown, *choices.rows, *foot)]
    return painted, (len(rule) + len(shown) + choices.row, min(choices.column, width - 1))


def _share(said: Page, height: int) -> int:
    """Rows of what is said that are seen whatever else there is."""
    return min(len(said.rows), height * 3 // 5)


def _rule(question: UserAsked, place: tuple[int, int], width: int, theme: Theme) -> str:
    heading = f"── {HEADINGS[question.kind]} "
    count = f" {place[0]} of {place[1]} ──" if place[1] > 1 else ""
    return theme.paint("warning", heading + "─" * max(width - cells.width(heading) - len(count), 0) + count)


def _read(questions: Questions, said: Page, size: tuple[int, int], theme: Theme, key: str) -> list[str]:
    """What of it fits, from where it is scrolled to, and how to see the rest: by that key. size: cells and rows."""
    width, room = size
    scrolls = len(said.rows) > room > 1
    shown = questions.reading.fit(said, room - scrolls, width if said.whole else 0)
    if not scrolls:
        return shown
    style = "error" if questions.hurried and questions.reading.unseen else "warning"
    words = _how_to_go_on(questions, len(shown), key)
    fitting = next((text for text in words if cells.width(text) + 5 <= width), words[-1])
    return [*shown, theme.paint(style, f"   ⋯ {fitting}")]


def _how_to_go_on(questions: Questions, shown: int, key: str) -> list[str]:
    """The same in words of several lengths, the longest first."""
    reading = questions.reading
    where = f"{reading.first + 1}-{reading.first + shown} of {reading.total}"
    if questions.writing:
        return [f"{where} ·{WRITING}{IN_EDITOR}", f"{where} ·{WRITING}", WRITING.lstrip(), "enter sends it"]
    if not reading.readable:
        return ["not all of it can be shown here: it can only be refused", "only to be refused"]
    if reading.unseen and questions.hurried:
        return [f"not yet shown: {reading.counted(reading.unseen)} · {key}: go on", f"not yet · {key}"]
    if reading.unseen and questions.must_be_read:
        return [f"{where} · {key}: go on; allowed only after the last", f"{where} · {key}: go on", f"more: {key}"]
    if reading.unseen:
        return [f"{where} · {key}: go on", f"more: {key}"]
    return [f"{where} · pgup pgdn", "pgup pgdn"]


def _listed(question: UserAsked, width: int, theme: Theme) -> list[str]:
    """The choices in full, where there is no room for that below."""
    return ["", *(row for choice in question.choices for row in _choice(choice, "   ", (width, None), theme))]


def _choices(questions: Questions, question: UserAsked, size: tuple[int, int], theme: Theme) -> Choices:
    """size: cells, and so many rows of each."""
    rows: list[str] = []
    row = column = 0
    digits = len(str(len(question.choices)))
    for at, choice in enumerate(question.choices):
        chosen = at == questions.chosen
        if chosen:
            row, column = len(rows), 1
        rows += _choice(choice, f" {'▸' if chosen else ' '} {at + 1:>{digits}} ", size, theme)
        if chosen and (questions.writing or questions.text.text):
            written, caret = _written(questions, digits + 4, size[0], theme)
            if questions.writing:
                row, column = len(rows) + caret[0], caret[1]
            rows += written
    return Choices(rows, row, column)


def _choice(choice: Choice, sign: str, size: tuple[int, int | None], theme: Theme) -> Sequence[str]:
    return _choice_rows(choice, sign, size, theme, theme.worn)


@lru_cache(maxsize=64)
def _choice_rows(choice: Choice, sign: str, size: tuple[int, int | None], theme: Theme, _worn: int) -> tuple[str, ...]:
    """Its number, its label, and at the right its key where that is another one. size: cells; rows, if not all."""
    width, most = size
    style, label = "strong" if "▸" in sign else "", harmless.exposed_line(choice.label)
    key = "" if choice.key == sign.strip("▸ ") else harmless.exposed_line(choice.key)
    room = max(width - cells.width(sign) - (cells.width(key) + 3 if key else 1), 1)
    label = cells.clip(label, room) if most == 1 else label
    wrapped = islice(cells.wrapping([(style, label)], room), most)
    rows = [theme.row(row) for row in cells.behind((style, sign), wrapped)]
    if key:
        rows[0] += " " * max(width - cells.width(rows[0]) - cells.width(key) - 1, 1) + theme.paint("dim", key)
    return tuple(rows)


def _written(questions: Questions, indent: int, width: int, theme: Theme) -> tuple[list[str], tuple[int, int]]:
    editor, inner = questions.text, max(width - indent - len(PROMPT) - 1, 1)
    if questions.secret:
        dots = DOT * min(len(editor.expanded), inner)
        return [" " * indent + theme.paint("busy", PROMPT) + dots], (0, len(dots) + indent + len(PROMPT))
    row, column = editor.caret(inner)
    laid = editor.layout(inner)
    first = max(min(row - TEXT_ROWS + 1, len(laid) - TEXT_ROWS), 0)
    rows = []
    for at, piece in list(enumerate(laid))[first : first + TEXT_ROWS]:
        sign = theme.paint("busy", PROMPT) if at == 0 else " " * len(PROMPT)
        rows.append(" " * indent + sign + editor.shown(editor.text[piece.start : piece.end]))
    return rows, (row - first, column + indent + len(PROMPT))


def _window(choices: Choices, room: int) -> Choices:
    """Those around the cursor, where not all fit."""
    first = max(min(choices.row - room // 2, len(choices.rows) - room), 0)
    return Choices(choices.rows[first : first + room], choices.row - first, choices.column)


def _keys(questions: Questions, question: UserAsked, drafting: bool) -> str:
    if questions.writing:
        return f"  {UNSEEN if questions.secret else WRITING + IN_EDITOR}"
    if drafting:
        return f"   {DRAFTING}"
    leave = next((choice.label for choice in question.choices if choice.id == question.escape), "no answer")
    return f"   enter: the marked one · esc: {harmless.exposed_line(leave)}"
