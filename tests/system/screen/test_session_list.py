"""The list of /resume in tmux before the real store: sessions of two folders, deletion, and who is killed meanwhile."""

import base64
import json
import shlex
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from tests.system.harness import Place, answer, kill, until
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
WHICH = "Go on with which session?"
OPEN = " ──\n❯"
"""Where a list begins."""
ASKED = "delete? ctrl+d again"
PACE_S = 2.0
Start = Callable[..., Tmux]


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*more: str, shows: str = " default", **size: int) -> Tmux:
        opened.append(Tmux(place, "--model", place.script(end={"text": "Yes."}, name="rest"), *more, **size))
        opened[-1].wait_for(shows)
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


@pytest.fixture
def other(place: Place) -> Path:
    """Another folder, with a session of its own."""
    folder = place.workspace.parent / "other project"
    folder.mkdir()
    said(place, "about birds", "--cwd", str(folder))
    return folder


def said(place: Place, text: str, *more: str) -> str:
    """A session with this prompt; returns its id."""
    script = place.script(answer("Yes."))
    done = place.run("-p", text, "--model", script, "--output", "json", *more)
    return str(json.loads(done.out)["session"])


def titles(place: Place) -> list[str]:
    """Of all folders."""
    return sorted(one["title"] for one in json.loads(place.run("sessions", "list", "--all", "--json").out))


def words(tmux: Tmux) -> str:
    """However they are wrapped."""
    return " ".join(tmux.text.split())


def open_list(tmux: Tmux, line: str = "/resume") -> None:
    tmux.type(line)
    tmux.press("Enter")
    tmux.wait(lambda: OPEN in tmux.visible and "▸" in tmux.visible)


def mark(tmux: Tmux, words: str) -> None:
    tmux.press_until(lambda: any("▸" in row and words in row for row in tmux.visible.split("\n")), "Down")


def ask_to_delete(tmux: Tmux, words: str) -> None:
    mark(tmux, words)
    tmux.press("C-d")
    tmux.wait(lambda: ASKED in tmux.visible)


def say_so(tmux: Tmux, key: str) -> None:
    """The second key, which is not heard at first, and never where it is held: so at a pace."""
    pressed_at = float("-inf")

    def gone() -> bool:
        nonlocal pressed_at
        if "delete?" not in tmux.visible:
            return True
        if time.monotonic() > pressed_at + PACE_S:
            tmux.press(key)
            pressed_at = time.monotonic()
        return False

    tmux.wait(gone)


def close_list(tmux: Tmux) -> None:
    tmux.press("Escape")
    tmux.wait(lambda: OPEN not in tmux.visible)


def take_marked(tmux: Tmux) -> None:
    tmux.press_until(lambda: OPEN not in tmux.visible, "Enter")


def test_all_projects_are_shown_and_one_of_another_is_pointed_to(start: Start, place: Place, other: Path) -> None:
    said(place, "about cats")
    tmux = start()
    open_list(tmux)
    assert "about birds" not in tmux.visible

    tmux.type("abou")
    tmux.wait(lambda: "❯ abou" in tmux.visible)
    tmux.press("C-a")
    tmux.wait(lambda: "about birds" in tmux.visible and "/other project" in tmux.visible)
    assert "❯ abou" in tmux.visible
    tmux.press("C-a")
    tmux.wait(lambda: "about birds" not in tmux.visible and "about cats" in tmux.visible)
    tmux.press("C-a")
    mark(tmux, "about birds")
    written = tmux.record()
    take_marked(tmux)

    (far,) = (
        one for one in json.loads(place.run("sessions", "list", "--all", "--json").out) if one["cwd"] == str(other)
    )
    line = f"cd {shlex.quote(str(other))} && trouper -r {far['session_id'][:8]}"
    tmux.wait(lambda: line in words(tmux))
    tmux.wait(lambda: b"\x1b]52;c;" + base64.b64encode(line.encode()) in written.read_bytes())
    tmux.type("still here")
    tmux.press("Enter")
    tmux.wait_for_turn("Yes.")
    assert titles(place) == ["about birds", "about cats", "still here"]


@pytest.mark.usefixtures("other")
def test_one_is_deleted_after_a_second_key_and_can_be_had_back(start: Start, place: Place) -> None:
    session_id = said(place, "about cats")
    before = place.entries(session_id)
    said(place, "about dogs")
    tmux = start()
    open_list(tmux)

    ask_to_delete(tmux, "about cats")
    tmux.press("n")
    tmux.wait(lambda: ASKED not in tmux.visible)
    assert "▸ about cats" in tmux.visible
    ask_to_delete(tmux, "about cats")
    say_so(tmux, "y")
    tmux.wait(lambda: "▸ about dogs" in tmux.visible)
    tmux.wait_for(f"is deleted. Have it back with: trouper sessions restore {session_id[:8]}")
    tmux.press("C-a")
    tmux.wait(lambda: "about birds" in tmux.visible)
    ask_to_delete(tmux, "about birds")
    say_so(tmux, "C-d")
    tmux.wait(lambda: "about birds" not in tmux.visible.partition(WHICH)[2])
    close_list(tmux)

    assert titles(place) == ["about dogs"]
    assert place.run("sessions", "restore", session_id[:8]).code == 0
    assert place.entries(session_id) == before


def test_one_that_another_program_has_open_is_not_deleted_and_it_is_said_who_that_is(
    start: Start, place: Place
) -> None:
    session_id = said(place, "about cats")
    said(place, "about dogs")
    holder = start("-r", session_id)
    holder.wait_for("about cats")
    tmux = start()
    open_list(tmux)

    ask_to_delete(tmux, "about cats")
    say_so(tmux, "C-d")

    tmux.wait_for("It is not deleted: close it there first.")
    assert "is open in another terminal: process" in words(tmux)
    assert "▸ about cats" in tmux.visible
    close_list(tmux)
    assert titles(place) == ["about cats", "about dogs"]


def test_a_screen_that_is_killed_while_it_asks_has_deleted_nothing(start: Start, place: Place) -> None:
    said(place, "about cats")
    tmux = start()
    open_list(tmux)
    ask_to_delete(tmux, "about cats")

    tmux.kill("ui")
    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: ASKED not in tmux.visible)
    assert titles(place) == ["about cats"]
    open_list(tmux)
    ask_to_delete(tmux, "about cats")
    say_so(tmux, "y")
    tmux.wait(lambda: "no other session of this folder" in tmux.visible)

    assert titles(place) == []


@pytest.mark.parametrize("killed", [("store",), ("ui",), ("store", "ui")])
def test_whoever_is_killed_while_it_is_deleted_it_is_there_as_a_whole_or_not_at_all(
    start: Start, place: Place, killed: tuple[str, ...]
) -> None:
    session_id = said(place, "about cats")
    before = place.entries(session_id)
    tmux = start()
    open_list(tmux)
    ask_to_delete(tmux, "about cats")
    pids = [tmux.pid(actor) for actor in killed]
    psutil.Process(tmux.pid("store")).send_signal(signal.SIGSTOP)  # so that it is under way
    say_so(tmux, "C-d")

    for pid in pids:
        with suppress(ProcessLookupError):  # a store that is stopped is taken for hung, and killed
            kill(pid)
    if "store" not in killed:
        psutil.Process(tmux.pid("store")).send_signal(signal.SIGCONT)

    tmux.wait_for("was restarted")
    if "ui" not in killed:
        tmux.wait_for("is deleted. Have it back")
    listed = titles(place)
    assert listed in ([], ["about cats"])
    if not listed:
        assert place.run("sessions", "restore", session_id).code == 0
    assert place.entries(session_id) == before


def test_hostile_titles_and_folders_are_shown_harmlessly_and_never_copied(start: Start, place: Place) -> None:
    folder = place.workspace.parent / "evil\x1b]52;c;ZXZpbA==\x07\u202e"
    folder.mkdir()
    said(place, "title\x1b[2J\x07\u202egnp", "--cwd", str(folder))
    tmux = start()
    written = tmux.record()
    open_list(tmux)
    tmux.wait(lambda: "title" in tmux.visible and "(all projects)" in tmux.visible)
    take_marked(tmux)
    tmux.wait_for("Start there: trouper -r ")

    raw = written.read_bytes()
    assert b"\x1b]52" not in raw
    assert b"\x1b[2J" not in raw
    assert "\u202e".encode() not in raw


def test_at_twenty_columns_what_is_asked_is_read(start: Start, place: Place) -> None:
    said(place, "about cats")
    tmux = start(width=20, height=12)
    open_list(tmux)

    tmux.press("C-d")
    tmux.wait(lambda: "▸ delete? y  about" in tmux.visible and "y: delete" in tmux.visible)
    say_so(tmux, "y")

    tmux.wait(lambda: "no other" in tmux.visible)
    close_list(tmux)
    assert titles(place) == []


@pytest.mark.usefixtures("other")
def test_other_keys_of_the_user_count_in_the_list_and_are_shown_there(start: Start, place: Place) -> None:
    (place.home / "keys.toml").write_text('[sessions]\nall-projects = "ctrl+t"\ndelete-session = "ctrl+k"\n')
    said(place, "about cats")
    tmux = start()
    open_list(tmux)
    assert "ctrl+t all projects · ctrl+k delete" in tmux.visible

    tmux.press("C-t")
    tmux.wait(lambda: "about birds" in tmux.visible)
    mark(tmux, "about birds")
    tmux.press("C-k")
    tmux.wait(lambda: "delete? ctrl+k again" in tmux.visible)
    say_so(tmux, "C-k")
    tmux.wait(lambda: "about birds" not in tmux.visible.partition(WHICH)[2])

    close_list(tmux)
    assert titles(place) == ["about cats"]


@pytest.mark.usefixtures("other")
def test_words_that_fit_several_sessions_are_looked_for_in_all_projects_too(start: Start, place: Place) -> None:
    said(place, "about cats")
    said(place, "about cats and dogs")
    tmux = start()
    open_list(tmux, "/resume about")
    assert "about birds" not in tmux.visible

    tmux.press("C-a")
    tmux.wait(lambda: "about birds" in tmux.visible)
    close_list(tmux)


def test_one_of_another_project_that_is_chosen_at_the_start_ends_with_the_line_that_goes_there(
    start: Start, place: Place, other: Path
) -> None:
    said(place, "about cats")
    said(place, "about cats and dogs")
    tmux = start("-r", "about", shows=WHICH)
    tmux.press("C-a")
    mark(tmux, "about birds")
    take_marked(tmux)

    tmux.check_terminal()
    assert f"cd {shlex.quote(str(other))} && trouper -r " in words(tmux)


def test_r_alone_begins_with_the_list_and_goes_on_with_the_chosen_one(start: Start, place: Place) -> None:
    session_id = said(place, "about cats")
    said(place, "about dogs")
    tmux = start("-r", shows=WHICH)

    mark(tmux, "about cats")
    take_marked(tmux)
    tmux.wait_for("❯ about cats")
    assert "the one before goes on" not in tmux.text  # nothing was said in it
    tmux.type("and more of them")
    tmux.press("Enter")
    tmux.wait(lambda: tmux.text.count("Yes.") == 2 and "esc stops" not in tmux.visible)
    tmux.press("C-d")

    tmux.wait_for(f"trouper -r {session_id[:8]} goes on with this session")
    listed = json.loads(place.run("sessions", "list", "--json").out)
    assert [one["title"] for one in listed] == ["about cats", "about dogs"]


def test_the_list_that_it_begins_with_is_there_again_when_the_screen_is_killed_and_not_once_one_is_chosen(
    start: Start, place: Place
) -> None:
    said(place, "about cats")
    tmux = start("-r", shows=WHICH)

    tmux.kill("ui")
    tmux.wait_for("the screen was restarted")
    tmux.wait(lambda: OPEN in tmux.visible and "▸ about cats" in tmux.visible)
    take_marked(tmux)
    tmux.wait_for("❯ about cats")
    tmux.kill("ui")
    tmux.wait(lambda: tmux.text.count("the screen was restarted") == 2)
    tmux.type("and dogs")
    tmux.wait_for("❯ and dogs")

    assert OPEN not in tmux.visible


@pytest.mark.usefixtures("other")
def test_r_alone_may_show_all_projects_and_after_esc_a_new_session_begins(start: Start, place: Place) -> None:
    said(place, "about cats")
    tmux = start("-r", "--all", shows=WHICH)
    tmux.wait(lambda: "about birds" in tmux.visible and "about cats" in tmux.visible)

    close_list(tmux)
    tmux.type("about dogs")
    tmux.press("Enter")
    tmux.wait_for_turn("Yes.")

    assert titles(place) == ["about birds", "about cats", "about dogs"]


def test_r_alone_where_there_is_no_session_begins_one(start: Start) -> None:
    tmux = start("-r", shows="there is no other session")

    tmux.type("about cats")
    tmux.press("Enter")

    tmux.wait_for_turn("Yes.")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [(("go on", "-r"), "say which session: trouper -r ID."), (("-r", "--copy"), "--copy is of a session")],
)
def test_r_alone_goes_with_nothing_that_needs_the_session_at_once(
    start: Start, arguments: tuple[str, ...], expected: str
) -> None:
    tmux = start(*arguments, shows=expected)

    tmux.wait_for("ended with 2")
    tmux.check_terminal()


def test_r_alone_on_the_plain_screen_is_answered_by_a_number(start: Start, place: Place) -> None:
    said(place, "about cats")
    tmux = start("--plain", "-r", shows=WHICH)

    tmux.wait_for("1. about cats")
    tmux.press_until(lambda: "none of the answers" in tmux.text, "Enter")  # before that it is deaf
    tmux.type("1")
    tmux.press("Enter")

    tmux.wait_for("you: about cats")
