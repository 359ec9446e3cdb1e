"""A finding as a row: what is there, what that means, what to do about it; and all of them together."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from ui.common.harmless import exposed_line

State = Literal["ok", "note", "warning", "problem"]
MARKS: dict[State, str] = {"ok": "ok", "note": "note", "warning": "WARNING", "problem": "PROBLEM"}


class Row(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    state: State = "ok"
    found: str
    advice: str = ""
    """The next step."""


class Setting(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    value: str
    """For people; of a table the names in it, for values may be secret."""
    source: str
    """Where it is from: a file, a variable, a flag, or "default"."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    checks: Sequence[Row]
    config: Sequence[Setting] = ()

    @property
    def works(self) -> bool:
        return all(row.state != "problem" for row in self.checks)

    @property
    def object(self) -> dict[str, object]:
        """The same for programs."""
        return {"ok": self.works, "checks": self.checks, "config": self.config}


def table(report: Report) -> str:
    """For people: every finding, the settings that somebody has set, and what to do. A line each, whatever is in it."""
    return "\n".join([*_lines(report.checks), *_settings(report.config), *_steps(report.checks)]) + "\n"


def _lines(checks: Sequence[Row]) -> Iterator[str]:
    width = max(len(row.name) for row in checks)
    return (f"{row.name:{width}}  {MARKS[row.state]:7}  {exposed_line(row.found)}" for row in checks)


def _settings(config: Sequence[Setting]) -> Iterator[str]:
    own = [one for one in config if one.source != "default"]
    if not own:
        return
    yield from ("", "what is set, and where:")
    width = max(len(one.key) for one in own)
    yield from (f"  {one.key:{width}}  {exposed_line(one.value)}  ({exposed_line(one.source)})" for one in own)


def _steps(checks: Sequence[Row]) -> Iterator[str]:
    steps = [f"  {row.name}: {exposed_line(row.advice)}" for row in checks if row.advice]
    yield from ["", "what to do next:", *steps] if steps else []
