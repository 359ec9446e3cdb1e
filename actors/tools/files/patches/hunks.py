"""What a patch says, in whichever format, and how its hunks are put into a text. Pure."""

import contextlib
from collections.abc import Callable, Sequence
from itertools import product

import msgspec

from actors.confinement.errors import ToolFailed
from actors.tools.text import line_ends
from actors.tools.text.invisible_differences import ALIKE
from actors.tools.text.line_ends import Line
from actors.tools.text.lookalikes import Lookalike, parted
from actors.tools.text.nearest_lines import nearest

Level = Callable[[str], str]


def _as_it_is(line: str) -> str:
    return line


def _plain(line: str) -> str:
    return line.strip().translate(ALIKE)


LEVELS: tuple[Level, ...] = (_as_it_is, str.rstrip, str.strip, _plain)
"""How lines are compared: the first level on which they are found counts."""
SHOWN = 10
"""Lines of a hunk in an error."""


class Hunk(msgspec.Struct, frozen=True):
    lines: tuple[tuple[str, str], ...]
    """Each with its sign: " " stays, "-" goes, "+" comes."""
    anchors: tuple[str, ...] = ()
    """Lines to look for first, one after the other: the class, then its method."""
    at_end: bool = False
    """Of the file."""
    expected: int | None = None
    """Index of its first line, where the patch says one: the nearest place counts, not the first."""
    ends_line: bool | None = None
    """Whether the last line of the new file ends with a line end; None: the patch does not say."""

    @property
    def old(self) -> list[str]:
        return [text for sign, text in self.lines if sign != "+"]


class Add(msgspec.Struct, frozen=True):
    path: str
    text: str


class Delete(msgspec.Struct, frozen=True):
    path: str


class Update(msgspec.Struct, frozen=True):
    path: str
    hunks: tuple[Hunk, ...]
    to: str = ""
    """Where it is moved."""


Operation = Add | Delete | Update


class _Text:
    """Lines, as each level compares them."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines
        self._levels: dict[Level, list[str]] = {_as_it_is: lines}

    def seen(self, level: Level) -> list[str]:
        if level not in self._levels:
            self._levels[level] = [level(line) for line in self.lines]
        return self._levels[level]


def applied(text: str, hunks: Sequence[Hunk], name: str) -> str:
    """Raises ToolFailed that names the hunk. Line ends stay as the file has them."""
    mark, text = line_ends.without_mark(text)
    lines = line_ends.split(text)
    ended = not lines or lines[-1][1] != ""
    have = _Text([line for line, _ in lines])
    made: list[Line] = []
    position = 0
    for number, hunk in enumerate(hunks, start=1):
        start, hunk = _place(have, _without(mark, hunk), position, f"Hunk {number} of {name}")
        made += lines[position:start]
        position = start + len(hunk.old)
        made += _replaced(lines[start:position], hunk)
        if position == len(lines) and hunk.lines:
            touched = hunk.lines[-1][0] != " "
            ended = hunk.ends_line if hunk.ends_line is not None else (ended or touched)
    made += lines[position:]
    return mark + line_ends.joined(made, ended=ended, usual=lines[0][1] or "\n" if lines else "\n")


def _without(mark: str, hunk: Hunk) -> Hunk:
    """Of a file that begins with the mark its first line may be given with it."""
    if not mark:
        return hunk
    return msgspec.structs.replace(hunk, lines=tuple((sign, text.removeprefix(mark)) for sign, text in hunk.lines))


def _replaced(found: list[Line], hunk: Hunk) -> list[Line]:
    """What stays is as the file has it, also where the patch has it a little differently.

    What comes ends as the line before it that stays or goes.
    """
    stays = iter(found)
    made = []
    end = ""
    for sign, text in hunk.lines:
        if sign == "+":
            made.append((text, end))
            continue
        kept = next(stays)
        end = kept[1]
        if sign == " ":
            made.append(kept)
    return made


def _place(text: _Text, hunk: Hunk, position: int, label: str) -> tuple[int, Hunk]:
    """Where it begins; and the hunk, perhaps without an empty last line that only ended the patch."""
    for anchor in hunk.anchors:
        position = _anchor(text, anchor, position, label) + 1
    shorter = (msgspec.structs.replace(hunk, lines=hunk.lines[:-1]),) if hunk.lines[-1:] == ((" ", ""),) else ()
    starts = (position, position - 1) if hunk.anchors else (position,)  # some say the anchor again as the first line
    for wanted, start in product((hunk, *shorter), starts):
        found = _find(text, wanted, start) if wanted.old else _insertion(text.lines, wanted, start)
        if found is not None:
            return found, wanted
    raise ToolFailed(_missing(text, hunk, position, label))


def _insertion(lines: list[str], hunk: Hunk, position: int) -> int:
    """Of what has no lines around it: where the patch says, after its anchor, or at the end."""
    if hunk.expected is not None:
        return min(max(hunk.expected, position), len(lines))
    return position if hunk.anchors and not hunk.at_end else len(lines)


def _anchor(text: _Text, anchor: str, position: int, label: str) -> int:
    for level in LEVELS:
        with contextlib.suppress(ValueError):
            return text.seen(level).index(level(anchor), position)
    for index, line in enumerate(text.seen(str.strip)[position:], start=position):
        if line.startswith(anchor.strip()):
            return index
    where = f" after line {position}" if position else ""
    raise ToolFailed(f"{label}: there is no line `{anchor}` (its @@){where}.{_near(text.lines, anchor)}")


def _find(text: _Text, hunk: Hunk, position: int) -> int | None:
    last = len(text.lines) - len(hunk.old)
    if hunk.at_end and last >= position and any(_places(text, hunk.old, last, level) for level in LEVELS):
        return last
    for level in LEVELS:
        if places := _places(text, hunk.old, position, level, every=hunk.expected is not None):
            expected = hunk.expected if hunk.expected is not None else places[0]
            return min(places, key=lambda place: abs(place - expected))
    return None


def _places(text: _Text, old: list[str], position: int, level: Level, *, every: bool = False) -> list[int]:
    wanted = [level(line) for line in old]
    have = text.seen(level)
    places: list[int] = []
    for index in range(position, len(have) - len(wanted) + 1):
        if have[index] == wanted[0] and have[index : index + len(wanted)] == wanted:
            places.append(index)
            if not every:
                break
    return places


def _missing(text: _Text, hunk: Hunk, position: int, label: str) -> str:
    before = _find(_Text(text.lines[:position]), Hunk(hunk.lines), 0)
    if before is not None:
        return f"{label}: its lines are only at line {before + 1}, before the hunk above. Give hunks in file order."
    wanted = "\n".join(hunk.old[:SHOWN]) + ("\n..." if len(hunk.old) > SHOWN else "")
    near = _alike(text.lines, hunk.old) or _near(text.lines, next((line for line in hunk.old if line.strip()), ""))
    where = f" after line {position}" if position else ""
    return f"{label}: these lines are not in the file{where}:\n{wanted}{near}\nRead it again and give them exactly."


def _alike(have: list[str], old: list[str]) -> str:
    lines, wanted = [(line, "") for line in have], [(line, "") for line in old]
    alike = Lookalike(lines, wanted)
    if places := alike.places(whole=True):
        return "\n".join(["\nThere are lines that look the same:", *alike.said(places[0])])
    parting = parted(lines, wanted, "the hunk")
    return f"\n{parting}" if parting else ""


def _near(lines: list[str], wanted: str) -> str:
    near = nearest(lines, wanted)
    return "\nNearest lines:\n" + "\n".join(near) if near else ""
