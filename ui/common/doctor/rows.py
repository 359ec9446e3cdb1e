"""A finding as a row: what is there, what that means, what to do about it."""

from collections.abc import Sequence
from typing import Literal

import msgspec

State = Literal["ok", "note", "warning", "problem"]
MARKS: dict[State, str] = {"ok": "ok", "note": "note", "warning": "WARNING", "problem": "PROBLEM"}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    state: State = "ok"
    found: str
    advice: str = ""
    """The next step."""


def table(found: Sequence[Row]) -> str:
    """For people."""
    width = max(len(row.name) for row in found)
    lines = [f"{row.name:{width}}  {MARKS[row.state]:7}  {row.found}" for row in found]
    steps = [f"  {row.name}: {row.advice}" for row in found if row.advice]
    return "\n".join([*lines, *(["", "what to do next:", *steps] if steps else [])]) + "\n"


def works(found: Sequence[Row]) -> bool:
    return all(row.state != "problem" for row in found)
