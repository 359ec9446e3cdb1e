"""How a list looks that one is chosen from: what is typed, those that are left by it, and which one is marked.

Only the rows that there is room for are made, so that a list of thousands costs what a short one does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from actors.messages.tool import Choice, UserAsked
from ui.common import harmless
from ui.screen.questions.page import NOTHING
from ui.screen.questions.queue import Questions
from ui.screen.questions.session_keys import SESSION_LISTS, YES
from ui.screen.terminal import cells
from ui.screen.terminal.theme import Theme
from ui.start.first_frame import PROMPT

KEYS = "type to filter · enter: take it · esc: close"
NONE = "   nothing has this; backspace brings the others back"
SURE = ("{key} or {yes}: delete it · any other key: keep it", "{yes}: delete · else: keep", "{yes}: delete")
"""The same in words of several lengths."""
MOST = 15
"""Rows of a list, also on a high screen: what is above it stays in view."""
LEAST = 16
"""Cells that a label has beside its facts."""
NARROW = 30
"""Cells; with fewer the facts are left out."""


def draw(
    questions: Questions, question: UserAsked, size: tuple[int, int], theme: Theme
) -> tuple[list[str], tuple[int, int]]:
    """At most as high as size, which is cells and rows; and where the cursor is in it."""
    width, height = size
    questions.reading.fit(NOTHING, 0, width)  # nothing has to be read before one is taken
    places = questions.filter.places(question.choices)
    rule = [_rule(question, len(places), width, theme)][: max(height - 2, 0)]
    foot = [theme.paint("dim", f"   {_keys(questions, question, width - 3)}")][: max(height - 5, 0)]
    typed, column = _typed(questions, width, theme)
    room = min(height - len(rule) - len(foot) - 1, MOST)
    rows = _window(questions, question, (places, room), width, theme)
    if not places and room > 0:
        rows = [theme.paint("warning", NONE if question.choices else f"   {question.detail}")]
    painted = [cells.clip(row, width) for row in (*rule, typed, *rows, *foot)]
    return painted, (len(rule), min(column, width - 1))


def _rule(question: UserAsked, found: int, width: int, theme: Theme) -> str:
    count = f" {found} of {len(question.choices)} ──"
    heading = cells.clip(f"── {harmless.exposed_line(question.title)}", max(width - len(count) - 2, 3)) + " "
    return theme.paint("warning", heading + "─" * max(width - cells.width(heading) - len(count), 0) + count)


def _keys(questions: Questions, question: UserAsked, width: int) -> str:
    if question.kind not in SESSION_LISTS:
        return KEYS
    switch, delete = questions.session_keys.shown
    if questions.session_keys.doomed:
        words = [text.format(key=delete, yes=YES) for text in SURE]
    else:
        own = (f"{switch} {SESSION_LISTS[question.kind]}" * bool(switch), f"{delete} delete" * bool(delete))
        ways = (("type to filter", "enter resume", *own, "esc"), own, (switch, delete))
        words = [" · ".join(filter(None, way)) for way in ways]
    return next((text for text in words if cells.width(text) <= width), words[-1])


def _typed(questions: Questions, width: int, theme: Theme) -> tuple[str, int]:
    """One row, of which the end is seen where it is too long."""
    editor, inner = questions.filter.typed, max(width - len(PROMPT) - 1, 1)
    row, column = editor.caret(inner)
    laid = editor.layout(inner)[row]
    return theme.paint("busy", PROMPT) + editor.shown(editor.text[laid.start : laid.end]), column + len(PROMPT)


def _window(
    questions: Questions, question: UserAsked, found: tuple[Sequence[int], int], width: int, theme: Theme
) -> list[str]:
    """found: the places that are left, and the room for them. The marked one is among what is seen."""
    places, room = found
    marked = places.index(questions.chosen) if questions.chosen in places else 0
    first = max(min(marked - room // 2, len(places) - room), 0)
    seen = [_Shown.of(question.choices[at]) for at in places[first : first + max(room, 0)]]
    facts = max(cells.width(one.facts) for one in seen) if seen else 0
    longest = max(cells.width(one.label) for one in seen) if seen else 0
    labels = min(longest, max(width - 4 - facts - 2, LEAST))
    rows = [_row(one, labels, "▸" if at + first == marked else " ", width, theme) for at, one in enumerate(seen)]
    if questions.session_keys.doomed and rows:
        rows[marked - first] = _doomed(seen[marked - first], questions.session_keys.shown[1], width, theme)
    return rows


@dataclass(frozen=True)
class _Shown:
    label: str
    facts: str

    @classmethod
    def of(cls, choice: Choice) -> "_Shown":
        return cls(harmless.exposed_line(choice.label), harmless.exposed(choice.facts).replace("\n", " ").rstrip())


def _doomed(one: _Shown, key: str, width: int, theme: Theme) -> str:
    """What is asked comes first: it is what must not be cut."""
    asked = f"delete? {YES if width < NARROW else f'{key} again'}"
    return theme.row([("error strong", f" ▸ {asked}"), ("strong", f"  {one.label}"), ("dim", f"  {one.facts}")])


def _row(one: _Shown, room: int, sign: str, width: int, theme: Theme) -> str:
    """room: cells of the label, where there is something beside it."""
    style = "strong" if sign == "▸" else ""
    if not one.facts or width < NARROW:
        return theme.row([(style, f" {sign} {one.label}")])
    label = cells.clip(one.label, room)
    padded = label + " " * (room - cells.width(label))
    return theme.row([(style, f" {sign} {padded}"), ("dim", f"  {one.facts}")])
