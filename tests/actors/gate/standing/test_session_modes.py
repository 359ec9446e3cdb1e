"""In which mode a run begins that goes on with a session."""

import pytest

from actors.gate.standing.session_modes import Kept, begun, taken_up
from actors.messages.tool import Mode
from actors.settings.config import Settings

FIRST = "run1"


def run(mode: Mode = "default", *, run_id: str = "run2", flag: bool = False) -> Settings:
    return Settings(home="/h", cwd="/w", session_id="s", run_id=run_id, mode=mode, mode_chosen=flag)


@pytest.mark.parametrize(
    ("left", "start", "begins"),
    [
        ("accept-edits", run(), "accept-edits"),
        ("plan", run(), "plan"),
        ("default", run("accept-edits"), "default"),
        ("plan", run("auto"), "plan"),
        ("auto", run(), "default"),
        ("auto", run("accept-edits"), "accept-edits"),
        ("auto", run("auto"), "auto"),
        ("auto", run(run_id=FIRST), "auto"),
        ("plan", run("auto", run_id=FIRST, flag=True), "plan"),
        ("plan", run("default", flag=True), "default"),
        ("accept-edits", run("plan"), "plan"),
        ("research", run("plan"), "research"),
    ],
)
def test_it_begins_as_it_was_left_but_never_in_auto_and_a_flag_counts_more(
    left: Mode, start: Settings, begins: Mode
) -> None:
    assert begun(Kept(left, "default", FIRST), start).mode == begins


def test_who_leaves_plan_mode_does_not_come_to_the_auto_of_an_earlier_run() -> None:
    assert begun(Kept("plan", "auto", FIRST), run()).before == "default"
    assert begun(Kept("plan", "accept-edits", FIRST), run()).before == "accept-edits"
    assert begun(Kept("plan", "auto", FIRST), run(run_id=FIRST)).before == "auto"


@pytest.mark.parametrize(
    ("left", "start", "told"),
    [
        ("plan", run(), "The mode is plan, as this session was left"),
        ("auto", run(), "left in the mode auto, which is not taken up again: the mode is default."),
        ("accept-edits", run("plan"), "left in the mode accept-edits, which is not taken up again: the mode is plan."),
        ("auto", run("auto"), ""),
        ("default", run(), ""),
        ("accept-edits", run(flag=True), ""),
        ("accept-edits", run(run_id=FIRST), ""),
    ],
)
def test_the_user_is_told_what_is_not_as_it_would_begin_anyway(left: Mode, start: Settings, told: str) -> None:
    kept = Kept(left, "default", FIRST)
    said = taken_up(kept, begun(kept, start), start)

    assert told in said
    assert bool(said) == bool(told)
