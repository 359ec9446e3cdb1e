"""How a question of the gate looks. What it asks for is never cut: it wraps or scrolls."""

from dataclasses import dataclass
from functools import lru_cache

from actors.messages.tool import Choice, UserAsked
from ui import cells, diff, harmless, prose
from ui.blocks import hanging
from ui.boot import PROMPT
from ui.cells import Spans
from ui.md import CodeLine, MarkdownStream
from ui.questions import Questions
from ui.theme import Theme

HEADINGS = {"approval": "Allow?", "plan": "Approve this plan?", "question": "Question"}
MAIN = "agent:main"
TEXT_ROWS = 4
"""Of what is written with an answer."""


@dataclass(frozen=True)
class Choices:
    """Their rows, and where the cursor is in them."""

    rows: list[str]
    row: int
    column: int


def draw(questions: Questions, width: int, height: int, theme: Theme) -> tuple[list[str], tuple[int, int]]:
    """The panel, at most so high, and where the cursor is in it. Tells the questions what there is to scroll."""
    question = questions.current
    if question is None or height < 1:
        return [], (0, 0)
    head = _head(question, questions.place, width, theme)
    choices = _choices(questions, question, width, theme)
    foot = [theme.paint("dim", _keys(questions, question))]
    if len(head) + len(choices.rows) + len(foot) > height:
        foot = []
    choices = _window(choices, max(height - len(head) - len(foot), 1))
    head = head[: height - len(choices.rows) - len(foot)]
    room = height - len(head) - len(choices.rows) - len(foot)
    detail = _page(questions, _detail(question, width, theme), room, theme)
    rows = [cells.clip(row, width) for row in (*head, *detail, *choices.rows, *foot)]
    return rows, (len(head) + len(detail) + choices.row, min(choices.column, width - 1))


def _head(question: UserAsked, place: tuple[int, int], width: int, theme: Theme) -> list[str]:
    """The rule, what it is about, what it can do, and why it needs care."""
    heading = f"── {HEADINGS[question.kind]} "
    count = f" {place[0]} of {place[1]} ──" if place[1] > 1 else ""
    rule = heading + "─" * max(width - cells.width(heading) - len(count), 0) + count
    rows = [theme.paint("warning", rule), *_about(question, width, theme)]
    if warning := harmless.sanitise(question.warning).strip():
        rows += hanging(theme, ("error", " ! "), cells.wrap([("error strong", warning)], width - 3))
    return rows


def _about(question: UserAsked, width: int, theme: Theme) -> list[str]:
    rows, facts = _subject(question, width), _facts(question)
    together = [*rows[0], ("", "  "), *facts]
    if facts and len(rows) == 1 and sum(cells.width(text) for _, text in together) < width:
        rows, facts = [together], []
    rows += cells.wrap(facts, width - 2) if facts else []
    return [theme.row([("", " "), *row]) for row in rows]


def _subject(question: UserAsked, width: int) -> list[Spans]:
    if question.kind != "approval":
        return cells.wrap([("strong", harmless.sanitise(question.title).strip())], width - 2)
    return [[("strong", _name(question)), ("", f"  {cells.clip(_title(question), _title_room(question, width))}")]]


def _name(question: UserAsked) -> str:
    return harmless.one_line(question.call.name)


def _title(question: UserAsked) -> str:
    """The tool's name stands before it already."""
    return harmless.one_line(question.title).removeprefix(f"{_name(question)} ")


def _title_room(question: UserAsked, width: int) -> int:
    return max(width - cells.width(_name(question)) - 4, 8)


def _facts(question: UserAsked) -> Spans:
    asker = "" if question.agent == MAIN else harmless.one_line(f"asked by {question.agent}")
    facts = [("warning", harmless.one_line(question.risk)), ("dim", asker)]
    shown = [(style, text) for style, text in facts if text]
    return [shown[0], ("dim", " · "), shown[1]] if len(shown) == 2 else shown


def _detail(question: UserAsked, width: int, theme: Theme) -> list[str]:
    """All of it: nobody approves what cannot be seen."""
    if question.kind != "approval":
        return _markdown(question.detail, width, theme)
    title = _title(question)
    whole = cells.width(title) <= _title_room(question, width)
    return _changes(title if whole else "", title, question.detail, width, theme)


@lru_cache(maxsize=4)
def _markdown(text: str, width: int, theme: Theme) -> list[str]:
    """As answers look, but that lines of code are wrapped."""
    stream = MarkdownStream()
    rows: list[str] = []
    for chunk in (*stream.feed(harmless.sanitise(text)), *stream.finish()):
        rows += [""] if chunk.gap else []
        spans = [list(chunk.spans)] if isinstance(chunk, CodeLine) else prose.rows(chunk.source, width)
        rows += [theme.row(piece) for row in spans for piece in cells.wrap(row, width)]
    return rows


@lru_cache(maxsize=4)
def _changes(seen: str, title: str, detail: str, width: int, theme: Theme) -> list[str]:
    """A diff as one; anything else, such as a command, as it is. seen: the title, where all of it is seen above."""
    text = harmless.sanitise(detail).rstrip("\n")
    if not seen and title not in text:
        text = f"{title}\n{text}".rstrip("\n")
    if text.strip() == seen:
        return []
    if diff.is_whole(text):
        return [theme.row(row) for row in diff.whole_rows(text, width, seen)]
    return [theme.row([("", "   "), *row]) for row in cells.wrap([("code", text)], width - 3)] if text else []


def _page(questions: Questions, rows: list[str], room: int, theme: Theme) -> list[str]:
    """What of the detail fits, from where it is scrolled to."""
    if len(rows) <= room:
        questions.fit(len(rows), len(rows))
        return rows
    page = max(room - 1, 0)
    questions.fit(len(rows), page)
    first = questions.first_row
    where = f"{first + 1}-{first + page} of {len(rows)} rows · pgup pgdn" if page else f"{len(rows)} rows do not fit"
    return [*rows[first : first + page], theme.paint("warning", f"   ⋯ {where}")][:room]


def _choices(questions: Questions, question: UserAsked, width: int, theme: Theme) -> Choices:
    rows: list[str] = []
    row = column = 0
    digits = len(str(len(question.choices)))
    for at, choice in enumerate(question.choices):
        chosen = at == questions.chosen
        if chosen:
            row, column = len(rows), 1
        rows += _choice(choice, f" {'▸' if chosen else ' '} {at + 1:>{digits}} ", width, theme)
        if chosen and (questions.writing or questions.text.text):
            written, caret = _written(questions, digits + 4, width, theme)
            if questions.writing:
                row, column = len(rows) + caret[0], caret[1]
            rows += written
    return Choices(rows, row, column)


def _choice(choice: Choice, sign: str, width: int, theme: Theme) -> list[str]:
    """Its number, its label, and at the right its key where that is another one."""
    style = "strong" if "▸" in sign else ""
    key = "" if choice.key == sign.split()[-1] else harmless.one_line(choice.key)
    room = width - cells.width(sign) - (cells.width(key) + 3 if key else 1)
    wrapped = cells.wrap([(style, harmless.sanitise(choice.label).strip())], max(room, 1))
    rows = hanging(theme, (style, sign), wrapped)
    if key:
        rows[0] += " " * max(width - cells.width(rows[0]) - cells.width(key) - 1, 1) + theme.paint("dim", key)
    return rows


def _written(questions: Questions, indent: int, width: int, theme: Theme) -> tuple[list[str], tuple[int, int]]:
    editor, inner = questions.text, max(width - indent - len(PROMPT) - 1, 1)
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


def _keys(questions: Questions, question: UserAsked) -> str:
    if questions.writing:
        return "   enter sends it · esc: back to the choices"
    leave = next((choice.label for choice in question.choices if choice.id == question.escape), "no answer")
    return f"   enter: the marked one · esc: {harmless.one_line(leave)}"
