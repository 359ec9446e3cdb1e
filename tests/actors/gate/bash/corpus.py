"""Reads the table of command lines and what is expected to be found in them."""

from dataclasses import dataclass

from actors.gate.bash.command_line import parts
from actors.gate.bash.language.parts import SEVERITY, Part
from tests import ROOT

TABLE = ROOT / "tests" / "data" / "commands.txt"
OPEN = "[open] "


@dataclass(frozen=True)
class Row:
    group: str
    expected: frozenset[str]
    command: str
    sandboxed: bool = True


def rows() -> list[Row]:
    found, group = [], ""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            group = line[3:]
        elif " :: " in line and not line.startswith("#"):
            expected, _, command = line.partition(" :: ")
            command = command.replace("⏎", "\n").replace("⇥", "\t")
            found.append(
                Row(group, frozenset(expected.split()) - {"execute"}, command.removeprefix(OPEN), OPEN not in command)
            )
    return found


def found_in(row: Row) -> frozenset[str]:
    """In the table's words; files only where the row names some."""
    words = summary(parts(row.command, sandboxed=row.sandboxed))
    names_files = any(word[0] in "<>" for word in row.expected)
    return frozenset(word for word in words if names_files or word[0] not in "<>")


def summary(found: tuple[Part, ...]) -> frozenset[str]:
    strongest: str = max((part.effect for part in found), key=SEVERITY.index)
    words = {strongest} - {"execute"}
    for part in found:
        words |= {
            flag
            for flag in ("denied", "danger", "danger_outside", "unsure", "unseen", "network", "unsandboxed", "once")
            if getattr(part, flag)
        }
        words |= {"lost"} if part.deletes or part.loses else set()
        words |= {f"<{path}" for path in part.reads} | {f">{path}" for path in part.writes}
    return frozenset(words)
