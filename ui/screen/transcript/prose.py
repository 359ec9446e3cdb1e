"""One closed markdown block as rows: markdown-it's tokens, our wrapping, no boxes and no padding around text."""

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from ui.common.allowance import Allowance
from ui.screen.terminal import cells
from ui.screen.terminal.cells import Span, Spans
from ui.screen.transcript import code

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_INLINE = {"strong": "strong", "em": "em", "s": "strike", "link": "link"}
_ADDRESS = re.compile(r"https?://(?>(?:[.,;:!?)\]]*+[^\s<>\"'`{}|\\^.,;:!?)\]])+)")
"""What ends a sentence is no end of an address."""
_BULLETS = "•◦▪"
NARROWEST_COLUMN = 3
_ALLOWANCE = Allowance(at_once_s=0.08, together_s=1.5)
"""A block of 10,000 characters takes 20 ms; some that are written for it take minutes."""


@cache
def parser() -> "MarkdownIt":
    """Imported when the first block closes, or in the background after the first frame."""
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def rows(source: str, width: int) -> list[Spans]:
    """As it is written where its layout would take too long."""
    markdown = parser()
    laid_out = _ALLOWANCE.spend(lambda: _laid_out(markdown, source, width))
    return cells.wrap([("", source.rstrip("\n"))], width) if laid_out is None else laid_out


def _laid_out(markdown: "MarkdownIt", source: str, width: int) -> list[Spans]:
    renderer = _Renderer(width)
    tokens = iter(markdown.parse(source))
    for token in tokens:
        renderer.take(token, tokens)
    return renderer.rows


class _Indent:
    """What stands before the rows of a list item or a quote."""

    def __init__(self, first: Span, rest: Span) -> None:
        self._first: Span | None = first
        self._rest = rest
        self.width = cells.width(rest[1])

    def take(self) -> Span:
        now, self._first = self._first or self._rest, None
        return now


class _List:
    def __init__(self, number: int | None) -> None:
        self.number = number
        self.items = 0


class _Renderer:
    def __init__(self, width: int) -> None:
        self.rows: list[Spans] = []
        self._width = width
        self._indents: list[_Indent] = []
        self._lists: list[_List] = []
        self._gap_due = False

    def take(self, token: "Token", following: Iterator["Token"]) -> None:
        match token.type:
            case "inline":
                self._emit(cells.wrap(spans(token), self._room))
            case "heading_open":
                self._gap()
                style = "title" if token.tag == "h1" else "heading"
                self._emit(cells.wrap(spans(next(following), style), self._room))
            case "paragraph_open":
                if not token.hidden:
                    self._gap()
            case "paragraph_close" | "heading_close":
                self._gap_due = not token.hidden
            case "fence" | "code_block":
                self._code(token)
            case "html_block":
                self._gap()
                self._emit(cells.wrap([("dim", token.content.rstrip("\n"))], self._room))
                self._gap_due = True
            case "hr":
                self._gap()
                self._emit([[("dim", "─" * min(self._room, 40))]])
                self._gap_due = True
            case "table_open":
                self._gap()
                self._emit(_table(following, self._room))
                self._gap_due = True
            case _:
                self._container(token)

    def _container(self, token: "Token") -> None:
        match token.type:
            case "bullet_list_open":
                self._lists.append(_List(None))
            case "ordered_list_open":
                self._lists.append(_List(int(token.attrs.get("start", 1))))
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._gap()
                self._indents.append(self._item(self._lists[-1]))
            case "blockquote_open":
                self._gap()
                self._indents.append(_Indent(("quote", "│ "), ("quote", "│ ")))
            case "list_item_close" | "blockquote_close":
                self._indents.pop()
            case _:
                return

    def _item(self, level: _List) -> _Indent:
        if level.number is None:
            marker = f"{_BULLETS[min(len(self._lists), len(_BULLETS)) - 1]} "
        else:
            marker = f"{level.number + level.items}. "
        level.items += 1
        return _Indent(("dim", marker), ("", " " * cells.width(marker)))

    @property
    def _room(self) -> int:
        return max(self._width - sum(indent.width for indent in self._indents), 1)

    def _gap(self) -> None:
        """A blank row, if something came before at this place."""
        if self._gap_due and self.rows:
            self._emit([[]])
        self._gap_due = False

    def _code(self, token: "Token") -> None:
        self._gap()
        lexer = code.LineLexer(token.info.strip().split(" ")[0] if token.info else "")
        self._emit([lexer.line(line) for line in token.content.removesuffix("\n").split("\n")])
        self._gap_due = True

    def _emit(self, rows: list[Spans]) -> None:
        self.rows += [[*(indent.take() for indent in self._indents), *row] for row in rows]


def spans(token: "Token", base: str = "") -> Spans:
    """The text of an inline token with its styles."""
    found: Spans = []
    styles = [base] if base else []
    target = ""
    for child in token.children or []:
        style = " ".join(styles)
        name = child.type.removesuffix("_open").removesuffix("_close")
        if name in _INLINE:
            if child.nesting > 0:
                target = str(child.attrs.get("href", "")) if name == "link" else target
                styles.append(_style(name, target))
            else:
                styles.remove(_style(name, target))
                if name == "link" and target and not _shown(found, target):
                    found += [
                        ("dim", " ("),
                        (f"dim {target}" if _ADDRESS.fullmatch(target) else "dim", target),
                        ("dim", ")"),
                    ]
            continue
        match child.type:
            case "softbreak":
                found.append((style, " "))
            case "hardbreak":
                found.append((style, "\n"))
            case "code_inline":
                found.append((f"{style} code".strip(), child.content))
            case "image":
                found.append((style, f"[image: {child.content}]"))
            case _:
                found += [(style, child.content)] if "://" in style else _with_addresses(style, child.content)
    return found


def _style(name: str, target: str) -> str:
    return f"link {target}" if name == "link" and _ADDRESS.fullmatch(target) else _INLINE[name]


def _with_addresses(style: str, text: str) -> Spans:
    """Those that stand in the text lead there, too: a terminal that finds them itself loses them where they wrap."""
    found: Spans = []
    at = 0
    for address in _ADDRESS.finditer(text) if "://" in text else ():
        found += [(style, text[at : address.start()]), (f"{style} {address[0]}".strip(), address[0])]
        at = address.end()
    return [span for span in (*found, (style, text[at:])) if span[1]] or [(style, text)]


def _shown(found: Spans, target: str) -> bool:
    """The link's text is its address already."""
    return bool(found) and found[-1][1].removeprefix("mailto:") in {target, target.removeprefix("mailto:")}


def _table(following: Iterator["Token"], room: int) -> list[Spans]:
    table: list[list[Spans]] = []
    for token in following:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            table.append([])
        elif token.type == "inline":
            table[-1].append(spans(token, "" if len(table) > 1 else "strong"))
    columns = max(len(row) for row in table)
    for row in table:
        row += [[] for _ in range(columns - len(row))]
    widths = _fitted([max(_width(row[at]) for row in table) for at in range(columns)], room - 3 * (columns - 1))
    rule: Spans = [("dim", "─┼─".join("─" * width for width in widths))]
    rows = [line for row in table for line in _table_row(row, widths)]
    first = len(_table_row(table[0], widths))
    return [*rows[:first], rule, *rows[first:]]


def _fitted(widths: list[int], room: int) -> list[int]:
    """The widest column gives way first."""
    while sum(widths) > room and max(widths) > NARROWEST_COLUMN:
        widest = widths.index(max(widths))
        others = sorted(widths)[-2] if len(widths) > 1 else 0
        excess = sum(widths) - room
        widths[widest] = max(widths[widest] - excess, min(others, widths[widest] - 1), NARROWEST_COLUMN)
    return widths


def _table_row(row: list[Spans], widths: list[int]) -> list[Spans]:
    columns = [cells.wrap(cell, width) for cell, width in zip(row, widths, strict=True)]
    lines: list[Spans] = []
    for at in range(max(len(column) for column in columns)):
        line: Spans = []
        for number, (column, width) in enumerate(zip(columns, widths, strict=True)):
            cell = column[at] if at < len(column) else []
            last = number == len(widths) - 1
            line += [*cell, ("", "" if last else " " * (width - _width(cell)))]
            line += [] if last else [("dim", " │ ")]
        lines.append(line)
    return lines


def _width(row: Spans) -> int:
    return sum(cells.width(text) for _, text in row)
