"""What the screen asks of the parent of subagents: Esc in two steps, steering, cancelling, merging, going elsewhere."""

import json
import subprocess
import sys
from typing import Any

import pytest

from actors.agent.session.ledger import QUOTED
from tests import ROOT
from tests.system.harness import BOUND_S, Event, Place, answer, call
from tests.system.subagents.words import case, repository, spawn, tool

pytestmark = pytest.mark.slow
SLOW = answer("It is here.", delay_s=100)
QUICK = answer("", call("list", path="."), delay_s=0.2)


def play(place: Place, scene: str, model: str) -> dict[str, Any]:
    finished = subprocess.run(
        [sys.executable, "-m", "tests.fakes.subagent_scenes", scene, str(place.home), model],
        cwd=ROOT,
        env=place.environment,
        capture_output=True,
        timeout=BOUND_S,
        check=True,
    )
    said: dict[str, Any] = {}
    for line in finished.stdout.splitlines():
        said |= json.loads(line)
    assert place.left() == []
    return said


def in_background(place: Place, *answers: Event) -> str:
    return place.script(answer("", spawn("back", "look", background=True)), cases=[case("look", *answers)])


def test_esc_ends_the_turn_with_whom_it_waits_for_and_a_second_one_the_rest(place: Place) -> None:
    both = answer("", spawn("back", "look", background=True), spawn("front", "look"))

    said = play(place, "esc_twice", place.script(both, cases=[case("look", SLOW)]))

    assert (said["after_one"], said["back"], said["reason"]) == ({"front": "cancelled"}, "running", ["interrupted"])
    assert said["after_two"] == {"front": "cancelled", "back": "cancelled"}


def test_who_ends_after_the_turn_is_told_of_with_the_next_one(place: Place) -> None:
    said = play(place, "told_with_the_next_turn", in_background(place, answer("It is here.", delay_s=2)))

    assert said["notes"] == [f'Agent "back" has completed. {QUOTED}\n\n> It is here.']


def test_a_prompt_comes_through_while_the_turn_waits(place: Place) -> None:
    assert play(place, "prompt_while_it_waits", in_background(place, SLOW)) == {"state": "running"}


def test_one_is_steered_once_and_cancelled(place: Place) -> None:
    said = play(place, "steered_and_cancelled", in_background(place, SLOW))

    assert said == {"refused": "bad_request", "state": "cancelled", "said": 1}


def test_its_changes_are_merged_for_the_user(place: Place) -> None:
    repository(place)
    writer = spawn("writer", "make it", isolation="worktree", type="general")
    made = answer("", tool("write", path="made.txt", content="made\n"))
    model = place.script(answer("", writer), cases=[case("make it", made, answer("It is made."))])

    said = play(place, "merged", model)

    assert said == {"patch_files": 1, "files": ["made.txt"]}
    assert (place.workspace / "made.txt").read_text() == "made\n"


def test_a_path_that_is_left_has_its_subagents_cancelled_and_numbers_are_given_once(place: Place) -> None:
    assert play(place, "rewound", in_background(place, SLOW)) == {"before": ".1", "after": ".2"}


def test_their_sessions_are_not_listed_and_go_with_their_parents(place: Place) -> None:
    model = place.script(answer("", spawn("one", "look")), cases=[case("look", answer("Here."))])

    said = play(place, "hidden_and_thrown_away", model)

    assert said == {"listed": 1, "below": [".1"]}


def test_who_watches_is_told_of_them_and_what_they_use_counts(place: Place) -> None:
    spoken = answer("word " * 50, chunks=50, usage={"input_tokens": 5, "output_tokens": 7})
    model = place.script(answer("", spawn("one", "look")), cases=[case("look", *[QUICK] * 3, spoken)])

    assert play(place, "told_while_they_work", model) == {"used": 7, "session": 7}


def test_a_copy_has_them_as_ended(place: Place) -> None:
    model = place.script(answer("", spawn("one", "look")), cases=[case("look", answer("Here."))])

    said = play(place, "copied", model)

    assert said["state"] == "completed"
    assert "this session is a copy" in said["refused"]


def test_one_is_watched_as_its_parent_is_while_it_works_and_read_afterwards(place: Place) -> None:
    speaking = answer("word " * 2000, chunks=2000, chunk_delay_s=0.3)

    said = play(place, "watched_itself", in_background(place, QUICK, speaking))

    before = ["UserMessage", "AssistantMessage", "ToolResult"]
    assert (said["past"], said["live"]) == (before, True)
    assert (said["later"], said["end"]) == ([*before, "AssistantMessage"], "TurnEnded")
