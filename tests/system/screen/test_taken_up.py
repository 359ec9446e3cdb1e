"""A resumed session on the real screen: which mode and which grants it has again, whoever has died, and which not."""

import json
import shutil
from collections.abc import Callable, Iterator

import pytest

from actors.messages.store import GRANTS_OF, MODE_OF
from tests.system.harness import Event, Place, answer, call, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
CHECK = call("bash", command="./check")
WIDE = 240
"""Columns: no notice is wrapped."""
AT_LENGTH = " It is told at length." * 120
"""Else nothing would be gained by a summary."""
GIVEN = "Allowed for this session before: Bash(./check) (/permissions forget takes it back)."


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    """A session on the screen, whose model calls `./check` once with each prompt; it asks in every mode but auto."""
    opened: list[Tmux] = []
    check = place.workspace / "check"
    check.write_text("#!/bin/sh\necho ran >> ran.txt\n")
    check.chmod(0o755)

    def open_session(*more: str, script: str | None = None) -> Tmux:
        """script: "" for the model of the session."""
        named = model(place) if script is None else script
        opened.append(Tmux(place, *(("--model", named) if named else ()), *more, width=WIDE))
        opened[-1].wait_for("/help")
        opened[-1].wait_for(".json")  # it follows the session
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def model(place: Place) -> str:
    answers = [one for _ in range(4) for one in (answer("I check.", CHECK), answer("It is checked."))]
    return place.script(*answers)


def runs(place: Place) -> int:
    """Of the command."""
    ran = place.workspace / "ran.txt"
    return len(ran.read_text().splitlines()) if ran.exists() else 0


def say(tmux: Tmux, text: str) -> None:
    tmux.type(text)
    tmux.press("Enter")


def leave(tmux: Tmux) -> None:
    tmux.press("C-u", "C-d")
    tmux.check_terminal()
    tmux.close()


def given(tmux: Tmux, place: Place, key: str = "s", mode: str = "accept-edits") -> None:
    """The mode is set, and the check is allowed for the session."""
    say(tmux, f"/mode {mode}")
    tmux.wait_for(f"mode {mode}:")
    say(tmux, "check it")
    decide(tmux, key)
    tmux.wait_for_turn("It is checked.")
    assert runs(place) == 1


def given_and_left(start: Start, place: Place) -> None:
    tmux = start()
    given(tmux, place)
    leave(tmux)


def check_again(tmux: Tmux, place: Place, *, asked: bool) -> None:
    before = runs(place)
    say(tmux, "check it again")
    if asked:
        decide(tmux, "n")
        tmux.wait_for("denied by")
        assert runs(place) == before
    else:
        tmux.wait(lambda: runs(place) == before + 1 and "esc stops" not in tmux.visible)
        assert "Allow?" not in tmux.visible


def the_session(place: Place) -> str:
    listed: list[Event] = json.loads(place.run("sessions", "list", "--json").out)
    return str(listed[0]["session_id"])


def test_mode_and_grants_are_there_again_and_what_was_taken_back_is_not(start: Start, place: Place) -> None:
    given_and_left(start, place)

    again = start("-c")
    again.wait_for("The mode is accept-edits, as this session was left")
    again.wait_for(GIVEN)
    check_again(again, place, asked=False)
    say(again, "/permissions forget 1")
    again.wait_for("forgotten: Bash(./check)")
    say(again, "/mode plan")
    again.wait_for("mode plan:")
    leave(again)

    last = start("-c")
    last.wait_for("The mode is plan, as this session was left")
    assert GIVEN not in last.text
    say(last, "/mode default")
    last.wait_for("mode default:")
    check_again(last, place, asked=True)
    leave(last)


def test_a_flag_counts_more_and_is_what_the_session_is_left_in(start: Start, place: Place) -> None:
    given_and_left(start, place)

    flagged = start("-c", "--mode", "plan")
    flagged.wait_for("plan: read-only")
    assert "as this session was left" not in flagged.text
    leave(flagged)
    again = start("-c")

    again.wait_for("The mode is plan, as this session was left")
    leave(again)


@pytest.mark.parametrize("killed", ["gate", "agent:main", "store"])
def test_mode_and_grants_are_the_same_whoever_dies(start: Start, place: Place, killed: str) -> None:
    tmux = start()
    given(tmux, place)

    tmux.kill(killed)

    tmux.wait_for("was restarted")
    check_again(tmux, place, asked=False)
    assert "accept-edits: medium risk" in tmux.visible
    leave(tmux)


def test_they_outlive_the_whole_program(start: Start, place: Place) -> None:
    tmux = start()
    given(tmux, place)
    pids = [actor.pid for actor in place.tree().actors if actor.pid]

    tmux.kill_all([tmux.supervisor(), *pids])
    tmux.close()
    until(lambda: place.left() == [])

    again = start("-c")
    again.wait_for("The mode is accept-edits, as this session was left")
    check_again(again, place, asked=False)
    leave(again)


def test_what_is_as_wide_as_auto_is_of_its_run(start: Start, place: Place) -> None:
    tmux = start()
    given(tmux, place, key="e")
    say(tmux, "/mode auto")
    tmux.wait_for("mode auto:")
    tmux.kill("gate")
    tmux.wait_for("was restarted")
    check_again(tmux, place, asked=False)
    assert "auto: high risk" in tmux.visible
    leave(tmux)

    again = start("-c")
    again.wait_for("This session was left in the mode auto, which is not taken up again: the mode is default.")
    assert "Allowed for this session before" not in again.text
    check_again(again, place, asked=True)
    leave(again)


def test_a_new_session_has_the_mode_and_not_the_grants(start: Start, place: Place) -> None:
    tmux = start()
    given(tmux, place)
    first = the_session(place)

    say(tmux, "/new")
    tmux.wait_for("from here on; the one before")
    check_again(tmux, place, asked=True)
    assert "accept-edits: medium risk" in tmux.visible
    say(tmux, f"/resume {first}")
    tmux.wait(lambda: tmux.text.count("from here on; the one before") > 1)
    check_again(tmux, place, asked=False)
    leave(tmux)


def test_a_copy_has_the_mode_and_not_the_grants(start: Start, place: Place) -> None:
    given_and_left(start, place)
    copy_id = place.run("sessions", "fork", the_session(place)).out.strip()

    copied = start("-r", copy_id)

    copied.wait_for("The mode is accept-edits, as this session was left")
    assert GIVEN not in copied.text
    check_again(copied, place, asked=True)
    leave(copied)


def test_without_a_screen_they_count_and_a_denial_counts_more(start: Start, place: Place) -> None:
    given_and_left(start, place)

    restored = place.run("-c", "-p", "check it", "--model", model(place))
    stricter = place.run("-c", "-p", "check it", "--model", model(place), "--deny", "Bash(./check)")

    assert (restored.code, runs(place)) == (0, 2)
    assert GIVEN in restored.err
    assert "The mode is accept-edits" in restored.err
    assert "denied" in stricter.out + stricter.err


def test_what_was_allowed_in_one_folder_is_not_in_another_of_its_name(start: Start, place: Place) -> None:
    given_and_left(start, place)
    before = place.workspace.rename(place.workspace.with_name("before"))
    shutil.copytree(before, place.workspace)

    again = start("-c")

    again.wait_for("The mode is accept-edits, as this session was left")
    check_again(again, place, asked=True)
    leave(again)


def test_what_was_imported_brings_none_and_what_adds_to_a_session_takes_them(start: Start, place: Place) -> None:
    given_and_left(start, place)
    database, session_id = place.home / "trouper.db", the_session(place)
    archive, before = place.home.parent / "one.trouper", place.home.parent / "before.db"
    shutil.copy(database, before)
    place.run("-c", "-p", "go on", "--model", model(place))
    place.run("sessions", "export", session_id, "--format", "trouper", "--out", str(archive))
    kept = place.remembered(GRANTS_OF)
    place.run("sessions", "import", str(archive))
    after_the_same = place.remembered(GRANTS_OF)
    shutil.copy(before, database)
    place.run("sessions", "import", str(archive))
    after_more = place.remembered(GRANTS_OF)
    database.unlink()
    place.run("sessions", "import", str(archive))

    assert "./check" in kept[0]
    assert (after_the_same, after_more) == (kept, [""])
    assert (place.remembered(GRANTS_OF), place.remembered(MODE_OF)) == ([""], [""])
    imported = start("-r", session_id)
    check_again(imported, place, asked=True)
    assert "as this session was left" not in imported.text
    leave(imported)


def test_model_list_tokens_and_cost_are_what_they_were_also_after_a_compaction(start: Start, place: Place) -> None:
    items = [{"task": "write the parser", "status": "in_progress"}, {"task": "test it", "status": "pending"}]
    used = {"input_tokens": 6000, "output_tokens": 100, "cost_usd": 0.25}
    answers = (answer("I plan.", call("todo", items=items), usage=used), answer(f"Planned.{AT_LENGTH}", usage=used))
    more = [answer(f"Answer {number}.", usage=used) for number in range(3)]
    tmux = start(script=place.script(*answers, *more, name="planned"))
    for text in ("Planned.", *(f"Answer {number}." for number in range(3))):
        say(tmux, "go on")
        tmux.wait_for_turn(text)
    say(tmux, "/compact")
    tmux.wait_for("compacted: ")
    tmux.wait(lambda: "write the parser" in tmux.visible and "$1.50" in last_row(tmux))  # with the summary's
    before = last_row(tmux)
    leave(tmux)

    again = start("-c", script="")
    assert "planned.json" in before
    again.wait(lambda: last_row(again) == before and "write the parser" in again.visible.rpartition("compacted: ")[2])
    leave(again)


def last_row(tmux: Tmux) -> str:
    return tmux.visible.rstrip().splitlines()[-1]
