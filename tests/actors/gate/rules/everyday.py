"""Reads the table of commands that coding models issue, and what is wanted of each."""

from dataclasses import dataclass

from tests import ROOT

TABLE = ROOT / "tests" / "data" / "everyday.txt"
WANTED = {"a": "allow", "?": "ask", "!": "ask every time", "x": "deny"}


@dataclass(frozen=True)
class Row:
    wanted: tuple[str, ...]
    """In the modes default, accept-edits and auto."""
    command: str


def rows() -> list[Row]:
    found = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        wanted, sign, command = line.partition(" :: ")
        if sign and not line.startswith("#"):
            found.append(Row(tuple(WANTED[one] for one in wanted), command.replace("⏎", "\n")))
    return found
