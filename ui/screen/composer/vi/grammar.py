"""Commands as they are typed: counts, operator, motion or object. Pure text."""

import re
from dataclasses import dataclass
from typing import Literal

MOST = 999
"""No count is larger: it might be a cat's."""
REDO = "\x12"
"""Ctrl-R."""
LINES = "lines"
"""The motion of an operator typed twice."""
_COUNT = r"[1-9]\d*"
_MOTION = r"[hjklwbeWBE0^$G;,]|gg|[fFtT].+"
_OBJECT = r"""[ia][wW"'`()b{}B\[\]<>]"""
_COMMAND = re.compile(
    rf"(?P<count>{_COUNT})?"
    rf"(?:(?P<operator>[dcy])(?P<again>{_COUNT})?(?P<over>(?P=operator)|{_MOTION}|{_OBJECT})"
    rf"|(?P<alone>{_MOTION}|r.+|[xXDCsSYpPuJ~.iaIAoO{REDO}]))",
    re.DOTALL,
)
_BEGUN = re.compile(rf"(?:{_COUNT})?(?:[dcy](?:{_COUNT})?[gfFtTia]?|[gfFtTr])?")
_SHORT = {"x": "dl", "X": "dh", "D": "d$", "C": "c$", "s": "cl", "S": "cc", "Y": "yy"}


@dataclass(frozen=True)
class Command:
    count: int | None
    operator: Literal["", "d", "c", "y"]
    motion: str
    """What the operator goes over; without one a motion or a command of its own."""
    character: str = ""
    """That f, F, t, T or r is about."""

    @property
    def times(self) -> int:
        return self.count or 1


def parse(keys: str) -> Command | Literal["unfinished"] | None:
    """None: there is no such command."""
    if _BEGUN.fullmatch(keys):
        return "unfinished"
    if not (found := _COMMAND.fullmatch(keys)):
        return None
    counts = [int(digits[:4]) for digits in (found["count"], found["again"]) if digits]
    count = min(counts[0] * counts[-1] if len(counts) > 1 else counts[0], MOST) if counts else None
    operator, motion = found["operator"] or "", found["over"] or found["alone"]
    if not operator and motion in _SHORT:
        operator, motion = _SHORT[motion][0], _SHORT[motion][1]
    if motion == operator:
        motion = LINES
    if motion[0] in "fFtTr":
        return Command(count, operator, motion[0], motion[1:])  # type: ignore[arg-type]  # the pattern has no other
    return Command(count, operator, motion)  # type: ignore[arg-type]
