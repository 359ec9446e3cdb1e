"""Which agent a few words mean: never another one than the user can have meant."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.common.doors.visitor import Program
from actors.common.doors.words import Told
from actors.messages.subagent import SubagentIs
from tests.fakes.door import SCOUT
from ui.cli.agents.meant import meant, short_ids
from ui.cli.running_programs import There
from ui.common.usage_errors import Usage

ABC, ABD = "abc0000000000", "abd0000000000"


def agents(parent: str, *names: str) -> tuple[SubagentIs, ...]:
    return tuple(replace(SCOUT, name=name, session_id=f"{parent}.{at}") for at, name in enumerate(names, 1))


def program(parent: str, *names: str) -> Program:
    return Program(Path("/h/run/r.door"), Told(session_id=parent, cwd="/w", pid=7), agents(parent, *names))


TEN = ("scout", *(f"agent-{number}" for number in range(2, 11)))
TWO = There([program(ABC, *TEN), program(ABD, "scout", "porter")], [])


@pytest.mark.parametrize(
    ("said", "session_id"),
    [
        (f"{ABC}.1", f"{ABC}.1"),  # not .10
        ("abc.1", f"{ABC}.1"),
        ("abc.10", f"{ABC}.10"),
        ("abd.2", f"{ABD}.2"),
        ("porter", f"{ABD}.2"),
        ("agent-10", f"{ABC}.10"),
    ],
)
def test_one_is_meant_by_its_id_a_beginning_with_its_number_or_its_name(said: str, session_id: str) -> None:
    assert meant(TWO, said)[1].session_id == session_id


@pytest.mark.parametrize("said", ["ab.1", "scout", "abd", "ab"])
def test_where_several_may_be_meant_they_are_named_and_none_is_taken(said: str) -> None:
    with pytest.raises(Usage, match=rf'"{said}" may be any of \d+ agents: abc00000\.1 \(scout\)|abd00000\.1 \(scout\)'):
        meant(TWO, said)


@pytest.mark.parametrize("said", ["", ".", ".1", "abc.", "abc.11", "nobody", "abc.1.1", "ABC.1", "\x1b[2J"])
def test_what_is_nobody_is_told_with_the_next_step_and_harmless(said: str) -> None:
    with pytest.raises(Usage) as refused:
        meant(TWO, said)

    assert "no running program has an agent" in str(refused.value)
    assert "See: trouper agents list" in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_who_does_not_answer_may_have_it_and_is_named() -> None:
    silent = There([], ["process 7 on /dev/pts/3 does not answer."])

    with pytest.raises(Usage, match="process 7 on /dev/pts/3 does not answer"):
        meant(silent, "scout")


def test_ids_are_as_short_as_they_can_be_and_still_mean_one() -> None:
    one, other, third = "run-00000-aaaa.1", "run-00000-bbbb.12", "0123456789abcdef.3"

    shown = short_ids([one, other, third])

    assert shown == {one: "run-00000-a.1", other: "run-00000-b.12", third: "01234567.3"}
