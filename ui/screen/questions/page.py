"""What a question says, as rows: all of it and nothing interpreted, for nobody approves what cannot be seen."""

import re
from dataclasses import dataclass
from functools import lru_cache

from actors.messages.tool import MOST_SHOWN, UserAsked
from actors.settings.mcp.names import shown_tool
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Spans
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import diff

MAIN = "agent:main"
PROSE = ("plan", "question")
"""Kinds whose text means the same however it is wrapped."""
TOO_LONG = "It is too long to be shown whole, so it can only be refused."
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_FENCE = re.compile(r" {0,3}(```|~~~)")


@dataclass(frozen=True)
class Page:
    rows: list[str]
    whole: bool = True
    """Nothing of the question is left out."""


def page(question: UserAsked, width: int, theme: Theme) -> Page:
    """What it is about, what it can do, why it needs care, and the detail."""
    return _page(question, width, theme, theme.worn)


@lru_cache(maxsize=4)
def _page(question: UserAsked, width: int, theme: Theme, _worn: int) -> Page:
    rows, whole = _about(question, width, theme), _is_whole(question)
    for warning in (question.warning, "" if whole else TOO_LONG):
        if text := harmless.exposed_line(warning):
            wrapped = cells.wrap([("error strong", text)], width - 3)
            rows += [theme.row(row) for row in cells.behind(("error", " ! "), wrapped)]
    return Page([*rows, *(theme.row(row) for row in _detail(question, width))], whole)


def _is_whole(question: UserAsked) -> bool:
    """What cannot be seen is shown by its number, and so made longer."""
    texts = (question.title, question.detail)
    return sum(map(len, texts)) <= MOST_SHOWN and sum(len(harmless.exposed(text)) for text in texts) <= MOST_SHOWN


def _shown(text: str) -> str:
    return harmless.exposed(text[:MOST_SHOWN])[:MOST_SHOWN]


def _about(question: UserAsked, width: int, theme: Theme) -> list[str]:
    rows, facts = _subject(question, width), _facts(question)
    together = [*rows[0], ("", "  "), *facts]
    if facts and len(rows) == 1 and sum(cells.width(text) for _, text in together) < width:
        rows, facts = [together], []
    lines = [rows, cells.wrap(facts, width - 2)] if facts else [rows]
    return [theme.row(row) for line in lines for row in _behind_margin(question, line)]


def _subject(question: UserAsked, width: int) -> list[Spans]:
    if question.kind != "approval":
        return cells.wrap([("strong", _shown(question.title).strip())], width - 2)
    name, title = _name(question), _title(question)
    return cells.wrap([("strong", name), ("", f"  {cells.clip(title, _title_room(question, width))}")], width - 2)


def _name(question: UserAsked) -> str:
    return harmless.exposed_line(shown_tool(question.call))


def _title(question: UserAsked) -> str:
    """The tool's name stands before it already."""
    title, name = harmless.exposed_line(question.title[:MOST_SHOWN])[:MOST_SHOWN], _name(question)
    return "" if title == name else title.removeprefix(f"{name} ")


def _title_room(question: UserAsked, width: int) -> int:
    return max(width - cells.width(_name(question)) - 4, 8)


def _facts(question: UserAsked) -> Spans:
    asker = "" if question.agent == MAIN or question.asker else harmless.exposed_line(f"asked by {question.agent}")
    facts = [("warning", harmless.exposed_line(question.risk)), ("dim", asker)]
    shown = [(style, text) for style, text in facts if text]
    return [shown[0], ("dim", " · "), shown[1]] if len(shown) == 2 else shown


def _detail(question: UserAsked, width: int) -> list[Spans]:
    text = _shown(question.detail).rstrip("\n")
    if question.kind != "approval":
        return _written(question, text, width)
    title = _title(question)
    seen = title if cells.width(title) <= _title_room(question, width) else ""
    rows: list[Spans] = []
    if not seen and title not in text:
        rows += _indented(title, width)
    if text and text.strip() != seen:
        rows += diff.whole_rows(text, width, seen) if diff.is_whole(text) else _indented(text, width)
    return rows


def _indented(text: str, width: int) -> list[Spans]:
    lines = (cells.wrap([("code", line)], width - 3) for line in text.split("\n"))
    return [row for line in lines for row in cells.behind(("", "   "), line)]


def _behind_margin(question: UserAsked, line: list[Spans]) -> list[Spans]:
    margin = ("", " ")
    return [[margin, *row] for row in line] if question.kind in PROSE else cells.behind(margin, line)


def _written(question: UserAsked, text: str, width: int) -> list[Spans]:
    """Markdown as it is written: what a renderer leaves out would be approved unseen."""
    rows: list[Spans] = []
    fenced = False
    for line in text.split("\n") if text else []:
        fence = bool(_FENCE.match(line))
        style = "dim" if fence else "code" if fenced else "strong" if _HEADING.match(line) else ""
        fenced ^= fence
        room = width - (1 if question.kind in PROSE else 2)
        rows += _behind_margin(question, cells.wrap([(style, line)], room))
    return rows
