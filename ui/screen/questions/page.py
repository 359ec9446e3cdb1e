"""What a question says, as rows: all of it and nothing interpreted, for nobody approves what cannot be seen."""

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice

from msgspec.structs import replace

from actors.messages.tool import MOST_SHOWN, UserAsked
from actors.settings.mcp.names import shown_tool
from ui.common import harmless
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.terminal.theme import Theme
from ui.screen.transcript import diff

MAIN = "agent:main"
PROSE = ("plan", "question")
"""Kinds whose text means the same however it is wrapped."""
TOO_LONG = "It is too long to be shown whole, so it can only be refused."
OF_TOO_LONG = 50_000
"""Characters that are shown of it."""
LONGEST_TITLE = 2000
"""Characters of one that may be in the first row, or is all there is to say."""
LONGEST_DIFF, DIFF_LINES = 200_000, 5000
"""Of one that is shown as such: it is read to its end before its first row is there."""
NEWLINE = "\\x0a"
"""In a title: a second line would pass for something else."""
_HEADING = re.compile(r" {0,3}#{1,6}\s")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_PIECE = re.compile(r"(?s).{4000}[^ -~]*+|.+")


class Laid:
    """Rows that are laid out as far as somebody looks."""

    def __init__(self, rows: Iterator[str]) -> None:
        self.rows: list[str] = []
        self.ended = False
        """There are no more."""
        self._left = rows

    def reach(self, count: int) -> None:
        """So many, where there are."""
        self.rows += islice(self._left, max(count - len(self.rows), 0))
        self.ended |= len(self.rows) < count


@dataclass(frozen=True)
class Page:
    laid: Laid
    whole: bool = True
    """Nothing of the question is left out."""
    tail: Sequence[str] = ()
    """Rows behind it."""

    @property
    def rows(self) -> list[str]:
        """Those that are laid out."""
        return [*self.laid.rows, *self.tail] if self.laid.ended and self.tail else self.laid.rows

    def reach(self, count: int) -> None:
        self.laid.reach(count)

    @property
    def ended(self) -> bool:
        """All of them are."""
        return self.laid.ended

    @property
    def all_rows(self) -> list[str]:
        """For who has no screen to fill."""
        self.reach(sys.maxsize)
        return self.rows


NOTHING = Page(Laid(iter(())))


def page(question: UserAsked, width: int, theme: Theme) -> Page:
    """What it is about, what it can do, why it needs care, and the detail: the same page as long as it looks so."""
    return _page(question, width, theme, theme.worn)


@lru_cache(maxsize=4)
def _page(question: UserAsked, width: int, theme: Theme, _worn: int) -> Page:
    whole = _is_whole(question)
    if not whole:
        question = replace(question, title=question.title[:OF_TOO_LONG], detail=question.detail[:OF_TOO_LONG])
    return Page(Laid(theme.row(row) for row in _rows(question, width, whole=whole)), whole)


def _rows(question: UserAsked, width: int, *, whole: bool) -> Iterator[Spans]:
    yield from _about(question, width)
    for warning in (question.warning, "" if whole else TOO_LONG):
        if text := harmless.exposed_line(warning):
            yield from cells.behind(("error", " ! "), cells.wrapping([("error strong", text)], width - 3))
    yield from _detail(question, width)


def _is_whole(question: UserAsked) -> bool:
    """What cannot be seen is shown by its number, and so made longer."""
    return sum(map(harmless.longest_exposed, (question.title, question.detail))) <= MOST_SHOWN


def _exposed(style: str, line: str) -> Iterator[Span]:
    """Piece by piece, as they are asked for; none begins with what belongs to the end of the one before."""
    return ((style, harmless.exposed(piece)) for piece in _PIECE.findall(line))


def _about(question: UserAsked, width: int) -> Iterator[Spans]:
    subject, facts = _subject(question, width), _facts(question)
    first = list(islice(subject, 2))
    together = [*first[0], ("", "  "), *facts]
    if facts and len(first) == 1 and sum(cells.width(text) for _, text in together) < width:
        first, facts = [together], []
    yield from _behind_margin(question, chain(first, subject))
    if facts:
        yield from _behind_margin(question, cells.wrapping(facts, width - 2))


def _subject(question: UserAsked, width: int) -> Iterator[Spans]:
    if question.kind != "approval":
        return cells.wrapping(_exposed("strong", question.title.strip()), width - 2)
    name, title = _name(question), _title(question)
    clipped = cells.clip(harmless.exposed(title[:LONGEST_TITLE]), _title_room(question, width))
    return cells.wrapping([("strong", name), ("", f"  {clipped}")], width - 2)


def _name(question: UserAsked) -> str:
    return harmless.exposed_line(shown_tool(question.call))


def _title(question: UserAsked) -> str:
    """On one line; the tool's name stands before it already."""
    title, name = question.title.strip(), shown_tool(question.call)
    return "" if title == name else title.removeprefix(f"{name} ").replace("\n", NEWLINE)


def _title_room(question: UserAsked, width: int) -> int:
    return max(width - cells.width(_name(question)) - 4, 8)


def _facts(question: UserAsked) -> Spans:
    asker = "" if question.agent == MAIN or question.asker else harmless.exposed_line(f"asked by {question.agent}")
    facts = [("warning", harmless.exposed_line(question.risk)), ("dim", asker)]
    shown = [(style, text) for style, text in facts if text]
    return [shown[0], ("dim", " · "), shown[1]] if len(shown) == 2 else shown


def _detail(question: UserAsked, width: int) -> Iterator[Spans]:
    text = question.detail.rstrip("\n")
    if question.kind != "approval":
        yield from _written(question, text, width)
        return
    title = _title(question)
    seen = harmless.exposed(title) if len(title) <= LONGEST_TITLE else ""
    seen = seen if cells.width(seen) <= _title_room(question, width) else ""
    if not seen and title not in text:
        yield from _indented(title, width)
    if text and harmless.exposed(text.strip() if len(text) <= LONGEST_TITLE else text[:LONGEST_TITLE]) != seen:
        yield from _told(text, width, seen)


def _told(text: str, width: int, title: str) -> Iterator[Spans]:
    """A diff as such, unless it is too long to be read anyway."""
    unified = harmless.exposed(text) if len(text) <= LONGEST_DIFF and text.startswith("--- ") else ""
    if unified.count("\n") <= DIFF_LINES and diff.is_whole(unified):
        return diff.whole_rows(unified, width, title)
    return _indented(text, width)


def _indented(text: str, width: int) -> Iterator[Spans]:
    for line in text.split("\n"):
        yield from cells.behind(("", "   "), cells.wrapping(_exposed("code", line), width - 3))


def _behind_margin(question: UserAsked, line: Iterable[Spans]) -> Iterator[Spans]:
    margin = ("", " ")
    return ([margin, *row] for row in line) if question.kind in PROSE else cells.behind(margin, line)


def _written(question: UserAsked, text: str, width: int) -> Iterator[Spans]:
    """Markdown as it is written: what a renderer leaves out would be approved unseen."""
    fenced = False
    room = width - (1 if question.kind in PROSE else 2)
    for line in text.split("\n") if text else []:
        fence = bool(_FENCE.match(line))
        style = "dim" if fence else "code" if fenced else "strong" if _HEADING.match(line) else ""
        fenced ^= fence
        yield from _behind_margin(question, cells.wrapping(_exposed(style, line), room))
