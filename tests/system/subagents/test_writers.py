"""Subagents that write: in a worktree of their own, handed back as a patch, merged by a call of its own."""

import pytest

from tests.system.harness import Event, Place, answer
from tests.system.subagents.words import case, git, repository, spawn, tool

pytestmark = pytest.mark.slow


def writes(text: str) -> Event:
    return tool("write", path="made.txt", content=text)


def writer(prompt: str) -> Event:
    return spawn("writer", prompt, isolation="worktree", type="general")


def test_its_changes_stay_in_its_worktree_until_they_are_merged(place: Place) -> None:
    repository(place)
    model = place.script(
        answer("", writer("make it")),
        answer("{result}", tool("bash", command="ls")),
        answer("", tool("merge_agent", name="writer")),
        answer("{result}"),
        cases=[case("make it", answer("", writes("made\n")), answer("It is made."))],
    )

    finished = place.prompt(model).finish()

    results = {event["id"]: event["output"] for event in finished.events if event["type"] == "tool_result"}
    assert finished.code == 0
    assert "It is made." in results["call_0_0"]
    assert "It has changed 1 file in its own worktree" in results["call_0_0"]
    assert "made.txt" not in results["call_1_0"]
    assert "In the workspace now:\n- made.txt" in results["call_2_0"]
    assert (place.workspace / "made.txt").read_text() == "made\n"
    assert list((place.home / "worktrees").glob("[!.]*")) == []


def test_what_is_not_merged_is_kept_by_a_ref_when_the_program_ends_and_can_be_merged_later(place: Place) -> None:
    repository(place)
    model = place.script(
        answer("", writer("make it")),
        answer("Later."),
        answer("", tool("merge_agent", name="writer")),
        answer("{result}"),
        cases=[case("make it", answer("", writes("made\n")), answer("It is made."))],
    )
    first = place.prompt(model).finish()

    left = list((place.home / "worktrees").glob("[!.]*"))
    refs = git(place, "for-each-ref", "--format=%(refname)", "refs/trouper")
    merged = place.run("-c", "-p", "merge", "--mode", "auto", "--output", "stream-json")

    assert (first.code, left, (place.workspace / "made.txt").exists()) == (0, [], True)
    assert refs.startswith("refs/trouper/work/")
    assert "made.txt" in merged.events[-1]["answer"]


def test_conflicts_are_told_path_by_path(place: Place) -> None:
    repository(place)
    model = place.script(
        answer("", writer("make it")),
        answer("", tool("bash", command="echo mine > made.txt")),
        answer("", tool("merge_agent", name="writer")),
        answer("{result}"),
        cases=[case("make it", answer("", writes("made\n")), answer("It is made."))],
    )

    finished = place.prompt(model).finish()

    assert "Nothing was changed, for there are conflicts:\n- made.txt: " in finished.events[-1]["answer"]
    assert (place.workspace / "made.txt").read_text() == "mine\n"


def test_what_it_has_not_changed_cannot_be_merged_and_what_is_there_is_said_to_be(place: Place) -> None:
    repository(place)
    model = place.script(
        answer("", writer("make it")),
        answer("", tool("merge_agent", name="writer", paths=["other.txt"])),
        answer("{result}", tool("merge_agent", name="writer")),
        answer("", tool("merge_agent", name="writer")),
        answer("{result}"),
        cases=[case("make it", answer("", writes("made\n")), answer("It is made."))],
    )

    finished = place.prompt(model).finish()

    results = {event["id"]: event for event in finished.events if event["type"] == "tool_result"}
    assert results["call_1_0"]["failed"]
    assert '"writer" has changed none of these. It has: made.txt.' in results["call_1_0"]["output"]
    assert "In the workspace now:\n- made.txt" in results["call_2_0"]["output"]
    assert "is in the workspace already" in finished.events[-1]["answer"]


def test_what_comes_to_nothing_is_said_and_not_asked_about(place: Place) -> None:
    """Where nobody can be asked, what would ask is refused."""
    repository(place)
    model = place.script(
        answer("", spawn("scout", "look")),
        answer("", tool("merge_agent", name="scout")),
        answer("{result}"),
        cases=[case("look", answer("It is there."))],
    )

    finished = place.run("-p", "go on", "--output", "stream-json", "--model", model)

    (merge,) = (event for event in finished.events if event["type"] == "tool_result" and event["id"] == "call_1_0")
    assert 'what the agent "scout" has changed is nothing' in merge["output"]
    assert (merge["failed"], merge["denied"]) == (True, False)


def test_what_is_not_in_its_patch_is_told_and_stays(place: Place) -> None:
    repository(place)
    makes = answer("", tool("bash", command="git init -q inner && echo made > made.txt"))
    model = place.script(
        answer("", writer("make it")),
        answer("{result}"),
        cases=[case("make it", makes, answer("It is made."))],
    )

    finished = place.prompt(model).finish()

    told = finished.events[-1]["answer"]
    assert "It has changed 1 file in its own worktree" in told
    assert "> In its worktree, but not in what can be merged:\n> - inner" in told
