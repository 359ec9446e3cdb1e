"""To other places of a session and to other sessions, in tmux before the real agent and store; and who dies then."""

import json
import re
import shutil
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import Event, Place, answer, until
from tests.system.screen.questions import decide
from tests.system.screen.tmux import Tmux

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed"),
]
Start = Callable[..., Tmux]
ECHO = answer("You said: {prompt}.")
GO_ON_AFTER = "Go on after which prompt?"
DIFFERENTLY = "Put which prompt differently?"
WHICH_SESSION = "Go on with which session?"


@pytest.fixture
def start(place: Place) -> Iterator[Start]:
    opened: list[Tmux] = []

    def open_session(*answers: Event, more: tuple[str, ...] = ()) -> Tmux:
        opened.append(Tmux(place, "--model", place.script(*(answers or [ECHO] * 9)), *more))
        opened[-1].wait_for(" default")
        return opened[-1]

    yield open_session
    for tmux in opened:
        tmux.close()
    until(lambda: place.left() == [])


def send(tmux: Tmux, text: str, *then: str) -> None:
    """then: what is there at the end."""
    tmux.type(text)
    tmux.press("Enter")
    for words in then:
        tmux.wait_for(words)
    if then:
        tmux.wait(lambda: "esc stops" not in tmux.visible)


def choose(tmux: Tmux, key: str, title: str) -> None:
    decide(tmux, key, title)
    tmux.wait(lambda: title not in tmux.visible)


def two_turns(start: Start) -> Tmux:
    tmux = start()
    say(tmux, "first question")
    say(tmux, "second question")
    return tmux


def say(tmux: Tmux, text: str) -> None:
    """And be answered."""
    before = tmux.text.count(f"You said: {text}.")
    send(tmux, text)
    tmux.wait(lambda: tmux.text.count(f"You said: {text}.") > before and "esc stops" not in tmux.visible)


def drafts(place: Place) -> list[str]:
    return [json.loads(value)["text"] for value in place.remembered("draft/")]


def prompts(place: Place, at: int = 0) -> list[str]:
    """What the user said on the active path of the session that was changed last, or of another one."""
    session = json.loads(place.run("sessions", "list", "--json").out)[at]
    entries = place.run("sessions", "export", session["session_id"]).events
    by_id = {entry["id"]: entry for entry in entries}
    path = [entries[-1]]
    while parent := path[-1].get("parent"):
        path.append(by_id[parent])
    return [entry["body"]["text"] for entry in reversed(path) if entry["body"]["type"] == "UserMessage"]


def pick(tmux: Tmux, words: str, title: str) -> None:
    """By typing them into a list."""
    tmux.type(words)
    tmux.wait(lambda: any("▸" in row and words in row for row in tmux.visible.split("\n")))
    tmux.press_until(lambda: title not in tmux.visible, "Enter")


def leave(tmux: Tmux, title: str) -> None:
    """A list, which hears Esc as soon as it is there."""
    tmux.press("Escape")
    tmux.wait(lambda: title not in tmux.visible)


def listed(tmux: Tmux) -> list[str]:
    """Rows of the list without their facts."""
    rows = tmux.visible.partition(" ──\n❯")[2].partition("   type to filter")[0].split("\n")[1:-1]
    return [re.split(r"\s{2,}", row.replace("▸", " ").strip())[0] for row in rows]


def test_going_to_a_place_of_the_tree_goes_on_from_there(start: Start, place: Place) -> None:
    tmux = two_turns(start)

    send(tmux, "/tree", GO_ON_AFTER)
    pick(tmux, "first question", GO_ON_AFTER)

    tmux.wait_for("the session goes on after prompt 1; /tree shows all")
    again = tmux.text.split("goes on after prompt 1")[1]
    assert "❯ first question" in again
    assert "You said: first question." in again
    assert "interrupted" not in again
    say(tmux, "another second")
    assert prompts(place) == ["first question", "another second"]
    send(tmux, "/tree", GO_ON_AFTER)
    assert listed(tmux) == ["1 ❯ first question", "2 │ ❯ second question", "3 │ ❯ another second"]
    assert next(row for row in tmux.visible.split("\n") if row.endswith("here")).startswith(" ▸ 3")
    leave(tmux, GO_ON_AFTER)
    send(tmux, "/tree 2", "the session goes on after prompt 2; /tree shows all")
    say(tmux, "third")
    assert prompts(place) == ["first question", "second question", "third"]


def test_what_cannot_be_gone_to_and_a_list_that_is_left_change_nothing(start: Start, place: Place) -> None:
    tmux = start()
    send(tmux, "/tree", "nothing has been said in this session yet")
    send(tmux, "/fork", "there is no earlier prompt to go back to")
    say(tmux, "first question")
    say(tmux, "second question")

    send(tmux, "/tree 3", "there is no place 3: write /tree, or /tree 1 to 2")
    send(tmux, "/tree 2", "the session stands there already")
    for line, title in (("/tree", GO_ON_AFTER), ("/fork", DIFFERENTLY)):
        send(tmux, line, title)
        leave(tmux, title)

    say(tmux, "next")
    assert prompts(place) == ["first question", "second question", "next"]
    assert "goes on after" not in tmux.text


def test_a_place_gets_a_name_of_its_own(start: Start) -> None:
    tmux = two_turns(start)

    send(tmux, "/tree label it works", 'this place is now called "it works"')

    send(tmux, "/tree", GO_ON_AFTER)
    assert listed(tmux)[1] == "2 ❯ second question [it works]"
    leave(tmux, GO_ON_AFTER)
    send(tmux, "/tree label", "this place has no name any more")
    send(tmux, "/tree", GO_ON_AFTER)
    assert "[it works]" not in tmux.visible


def test_a_prompt_is_put_differently(start: Start, place: Place) -> None:
    tmux = two_turns(start)

    send(tmux, "/fork", DIFFERENTLY)
    pick(tmux, "first question", DIFFERENTLY)

    tmux.wait_for("the session goes on at its beginning; /tree shows all")
    tmux.wait(lambda: "❯ first question" in tmux.visible.split("at its beginning")[1])
    send(tmux, " in other words", "You said: first question in other words.")
    assert prompts(place) == ["first question in other words"]


def test_the_turn_that_runs_is_ended_first(start: Start, place: Place) -> None:
    tmux = start(ECHO, answer("Long.", delay_s=1000.0))
    say(tmux, "first question")
    send(tmux, "second question")
    tmux.wait(lambda: "esc stops" in tmux.visible)

    send(tmux, "/tree 1", "the session goes on after prompt 1; /tree shows all")

    assert tmux.text.index("■ interrupted") < tmux.text.index("goes on after prompt 1")
    assert "esc stops" not in tmux.visible
    assert prompts(place) == ["first question"]


def test_another_session_begins_and_the_one_before_is_gone_back_to(start: Start, place: Place) -> None:
    tmux = start()
    say(tmux, "about cats")

    send(tmux, "/new about dogs", " from here on; the one before goes on with: /resume ", "You said: about dogs.")
    send(tmux, "/resume birds", "✗ there is no session")
    send(tmux, "/resume", WHICH_SESSION)
    assert listed(tmux) == ["about cats"]
    tmux.press_until(lambda: WHICH_SESSION not in tmux.visible, "Enter")
    tmux.wait(lambda: tmux.text.count(" from here on; ") == 2)
    say(tmux, "still about cats")
    send(tmux, "/resume DOGS")
    tmux.wait(lambda: tmux.text.count(" from here on; ") == 3)
    say(tmux, "still about dogs")
    send(tmux, "/name pets", 'this session is now called "pets"')
    send(tmux, "/resume pets", "this is that session")

    assert prompts(place) == ["about dogs", "still about dogs"]
    assert prompts(place, 1) == ["about cats", "still about cats"]
    tmux.press("C-d")
    tmux.check_terminal()
    ids = [session["session_id"] for session in json.loads(place.run("sessions", "list", "--json").out)]
    assert f"trouper -r {ids[0][:8]} goes on with this session" in tmux.text


@pytest.mark.parametrize("killed", ["ui", "agent:main", "store"])
def test_who_dies_after_a_move_finds_the_new_place(start: Start, place: Place, killed: str) -> None:
    tmux = two_turns(start)
    tmux.type("/tree 1")
    until(lambda: drafts(place) == ["/tree 1"])  # what was done must not come back as a draft
    send(tmux, "", "the session goes on after prompt 1; /tree shows all")

    tmux.kill(killed)

    tmux.wait_for("the screen was restarted" if killed == "ui" else f"{killed} was restarted")
    tmux.wait(lambda: " default" in tmux.text.partition("was restarted")[2])
    say(tmux, "another second")
    assert prompts(place) == ["first question", "another second"]
    assert tmux.text.count("goes on after prompt 1") == 1
    assert tmux.text.count("❯ second question") == 1
    assert tmux.text.count("❯ first question") == 2
