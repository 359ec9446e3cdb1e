"""How the agents of running programs are listed, for people and for programs."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.common.doors.visitor import Program
from actors.common.doors.words import Told
from actors.messages.usage import Usage
from tests.fakes.door import PORTER, SCOUT
from ui.cli.agents.listing import facts, listed, table
from ui.cli.running_programs import There

TOLD = Told(session_id="0123456789abcdef", cwd="/w", pid=7, terminal="/dev/pts/3")
BUSY = replace(
    SCOUT,
    session_id="0123456789abcdef.1",
    doing="read",
    used=Usage(input_tokens=9000, output_tokens=100, cost_usd=0.02),
    last_event_at=9_958.0,
)
DONE = replace(
    PORTER, session_id="0123456789abcdef.2", state="completed", summary="# A is in src\n\nIt rounds.", last_event_at=1.0
)
THERE = There([Program(Path("/h/run/r.door"), TOLD, (BUSY, DONE))], [])


def test_each_has_a_line_below_its_parent() -> None:
    assert table(THERE, 10_000.0) == (
        "session 01234567  /w  (process 7 on /dev/pts/3)\n"
        "  01234567.1  scout   explore  running    read           9.1k tok  $0.02  42s ago\n"
        "  01234567.2  porter  explore  completed  # A is in src\n"
    )


def test_what_comes_from_outside_steers_no_terminal() -> None:
    odd = replace(BUSY, name="a\x1b[31m\nb", doing="\x1b]0;t\x07" + "x" * 100, kind="\u202ekind")
    told = replace(TOLD, cwd="/w\x1b[2J", terminal="\x9b")

    shown = table(There([Program(Path("/h/run/r.door"), told, (odd,))], []), 10_000.0)

    assert shown.count("\n") == 2
    assert all(character.isprintable() for character in shown.replace("\n", ""))


def test_for_programs_all_is_there() -> None:
    known = facts(*THERE.agents[0])

    assert (known["session_id"], known["parent"], known["folder"]) == (BUSY.session_id, TOLD.session_id, "/w")
    assert (known["tokens"], known["cost_usd"], known["last_event_at"]) == (9100, 0.02, 9_958.0)


@pytest.mark.parametrize(
    ("there", "code", "said"),
    [
        (There([], []), 0, "no program runs now"),
        (There([Program(Path("/d"), TOLD, ())], []), 0, "1 program runs now, and none has agents"),
        (There([], ["process 7 does not answer."]), 1, "process 7 does not answer."),
    ],
)
def test_where_there_is_nothing_to_list_that_is_told(
    there: There, code: int, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert listed(there, json=False) == code
    assert said in capfd.readouterr().err


def test_an_empty_list_is_one_for_programs_too(capfd: pytest.CaptureFixture[str]) -> None:
    assert listed(There([], []), json=True) == 0
    assert capfd.readouterr().out.strip() == "[]"
