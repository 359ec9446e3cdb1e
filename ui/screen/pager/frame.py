"""The rows of the pager: the blocks around the cursor, and below them where one is and what keys do. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal, Protocol

from ui.screen.composer.editor import Editor
from ui.screen.pager.block import Block, Code, Line
from ui.screen.pager.place import Layout, Place
from ui.screen.pager.window import Window
from ui.screen.terminal import cells
from ui.screen.terminal.theme import RESET, Theme
from ui.screen.transcript.blocks import ModelSaid

Order = Literal["before", "behind", "first", "last", "older_match", "newer_match"]
"""What of the store is wanted next: a page beside the window, one of its ends, or where something stands."""

_STYLES = re.compile(r"\x1b\[[0-9;]*m")


class Pager(Protocol):
    """As it is drawn. What is seen of it is put right on the way."""

    window: Window
    layout: Layout
    theme: Theme
    order: Order | None
    at: Place
    row: int
    height: int
    search: Editor
    searching: bool
    needle: str
    told: str

    @property
    def blocks(self) -> Sequence[Block]: ...

    @property
    def hints(self) -> list[str]: ...


def bare(row: str) -> str:
    return _STYLES.sub("", row)


@lru_cache(maxsize=64)
def said(block: Block) -> list[str]:
    """What each of its pieces says, as it is searched."""
    return [_text(piece).casefold() for piece in block.pieces]


def _text(piece: object) -> str:
    match piece:
        case Line(text=text):
            return text
        case Code(spans=spans):
            return "".join(text for _, text in spans)
        case ModelSaid(chunk=chunk):
            return getattr(chunk, "source", "")
        case _:
            return ""


def draw(pager: Pager, width: int, height: int) -> tuple[list[str], tuple[int, int]]:
    pager.layout.resize(width)
    pager.height = room = max(height - 1, 1)
    if not pager.blocks:
        return [*([""] * (room - 1)), "", _foot(pager, width)][-height:], (height - 1, 0)
    pager.at = pager.layout.valid(pager.at)
    places = _seen(pager, room)
    rows = [_row(pager, place, width) for place in places]
    rows += [""] * (room - len(rows))
    foot, column = _foot(pager, width), 0
    if pager.searching:
        return [*rows, foot][-height:], (height - 1, min(cells.width(bare(foot)), width - 1))
    return [*rows, foot][-height:], (pager.row, column)


def _seen(pager: Pager, room: int) -> list[Place]:
    """From so many rows above the cursor on; where the session ends below that, its last row is the last one."""
    layout = pager.layout
    above: list[Place] = []
    at: Place | None = pager.at
    while len(above) < min(pager.row, room - 1) and at is not None and (at := layout.before(at)) is not None:
        above.insert(0, at)
    below = [pager.at]
    while len(above) + len(below) < room and (behind := layout.next(below[-1])) is not None:
        below.append(behind)
    first: Place | None = above[0] if above else pager.at
    while len(above) + len(below) < room and first is not None and (first := layout.before(first)) is not None:
        above.insert(0, first)
    pager.row = len(above)
    _want(pager, first if above and first is None else (above or below)[0], below[-1], len(above) + len(below) < room)
    return [*above, *below]


def _want(pager: Pager, first: Place | None, last: Place, short: bool) -> None:
    """What is near the edge of the window is read before one comes there."""
    if pager.order is not None:
        return
    near = first is None or short or first.block == 0
    if near and not pager.window.begins:
        pager.order = "before"
    elif last.block >= len(pager.blocks) - 1 and not pager.window.ends:
        pager.order = "behind"


def _row(pager: Pager, place: Place, width: int) -> str:
    row = pager.layout.text(place)
    text = bare(row)
    needle = pager.needle.casefold()
    if needle and needle in (lowered := text.casefold()) and len(lowered) == len(text):
        at = lowered.index(needle)
        parts = text[:at], pager.theme.paint("chosen", text[at : at + len(needle)]), text[at + len(needle) :]
        row = "".join(parts)
    if place == pager.at and not pager.searching:
        return pager.theme.paint("strong", cells.clip(bare(row), width)) if text else row
    return row


def _foot(pager: Pager, width: int) -> str:
    if pager.searching:
        return cells.clip(f"/{pager.search.text[-max(width - 2, 1) :]}", width - 1)
    match pager.order:
        case "older_match" | "newer_match":
            told = f"looking for {pager.needle} · esc stops"
        case None:
            told = pager.told
        case _:
            told = pager.told or "reading"
    if told:
        return pager.theme.paint("chosen", cells.clip(f" {told} ", width))
    words = pager.hints
    while len(words) > 1 and cells.width(" · ".join(words)) > width - 2:
        words.pop()
    return pager.theme.paint("chosen", cells.clip(f" {' · '.join(words)} ", width)) or RESET
