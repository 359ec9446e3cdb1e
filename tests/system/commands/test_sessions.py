"""`trouper sessions`: what is there is found, named, deleted and had back, and resumed by what the user says of it."""

import json
import sqlite3
import sys
from typing import Any

import pytest

from tests.system.harness import LAUNCHER, Place, answer
from tests.ui.screen.pty_stage import PtyTerminal

pytestmark = pytest.mark.slow


def made(place: Place, prompt: str = "fix the login page", said: str = "The needle is here.") -> str:
    """A session's id."""
    done = place.run("-p", prompt, "--output", "json", "--model", place.script(answer(said), name=prompt[:5]))
    return str(json.loads(done.out)["session"])


def listed(place: Place) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(place.run("sessions", "list", "--json").out)
    return found


def test_what_was_said_is_found(place: Place) -> None:
    session_id = made(place)

    hits = json.loads(place.run("sessions", "search", "need", "--json").out)
    nothing = place.run("sessions", "search", "--json", "--", '"*', "AND", "-nobody")
    told = place.run("sessions", "search", "the", "needle")

    assert [(hit["session_id"], hit["snippet"], hit["role"]) for hit in hits] == [
        (session_id, "The needle is here.", "model")
    ]
    assert {"entry_id", "at"} < hits[0].keys()
    assert (nothing.code, json.loads(nothing.out)) == (0, [])
    assert [line.split() for line in told.out.splitlines()] == [
        [session_id[:8], "now", "model", "fix", "the", "login", "page"],
        ["The", "needle", "is", "here."],
    ]


def test_a_session_is_gone_on_with_by_words_of_its_first_prompt(place: Place) -> None:
    session_id = made(place)
    made(place, "write a test")

    done = place.run(
        "-r", "login", "-p", "and now?", "--output", "json", "--model", place.script(answer("Done."), name="on")
    )

    assert json.loads(done.out)["session"] == session_id


def test_on_a_terminal_the_list_says_how_to_go_on(place: Place) -> None:
    made(place)
    command = [sys.executable, "-P", str(LAUNCHER), "sessions", "list"]
    terminal = PtyTerminal(command, place.workspace, place.environment)
    try:
        assert terminal.wait_for_end() == 0
        assert "fix the login page" in terminal.text
        assert "Go on with one: trouper -r NUMBER" in terminal.text
    finally:
        terminal.close()


def test_a_session_is_named_copied_deleted_and_had_back(place: Place) -> None:
    session_id = made(place)

    named = place.run("sessions", "rename", "1", "The  login")
    copy_id = place.run("sessions", "fork", "the login").out.strip()
    asked = place.run("sessions", "delete", session_id)
    deleted = place.run("sessions", "delete", session_id, copy_id, "--yes")
    gone = listed(place)
    shown = place.run("sessions", "show", session_id)
    back = place.run("sessions", "restore", session_id[:8])

    assert named.err == f'trouper: session {session_id[:8]} is called "The login".\n'
    assert len(copy_id) == len(session_id)
    assert (asked.code, deleted.code, gone) == (2, 0, [])
    assert f"have it back with: trouper sessions restore {session_id[:8]}" in shown.err.lower()
    assert (back.code, [one["name"] for one in listed(place)]) == (0, ["The login"])


def test_whoever_deletes_on_a_terminal_is_asked(place: Place) -> None:
    made(place)
    for key, left in (("n", 1), ("y", 0)):
        command = [sys.executable, "-P", str(LAUNCHER), "sessions", "delete", "login"]
        terminal = PtyTerminal(command, place.workspace, place.environment)
        try:
            terminal.wait_for("(fix the login page)? [y/N]")
            terminal.type(f"{key}\r")
            assert terminal.wait_for_end() == left
        finally:
            terminal.close()

        assert len(listed(place)) == left


def test_places_of_a_session_are_drawn_and_named(place: Place) -> None:
    session_id = made(place)
    nodes = json.loads(place.run("sessions", "tree", session_id, "--json").out)

    named = place.run("sessions", "label", session_id, nodes[0]["entry_id"][:12], "start")
    drawn = place.run("sessions", "tree", "1").out
    forked = place.run("sessions", "fork", "1", "--at", nodes[1]["entry_id"][:12])

    ids = [node["entry_id"][:8] for node in nodes]
    assert named.code == 0
    assert drawn == f"* {ids[0]}  > fix the login page  [start]\n* {ids[1]}  ● The needle is here.\n"
    assert forked.code == 0
    assert len({one["entries"] for one in listed(place)}) == 1
    assert {one["session_id"] for one in listed(place)} == {session_id, forked.out.strip()}


def test_a_damaged_session_is_repaired_in_a_copy(place: Place) -> None:
    session_id = made(place)
    well = place.run("sessions", "doctor", session_id)
    (count,) = [one["entries"] for one in listed(place)]
    with sqlite3.connect(place.home / "trouper.db") as database:
        database.execute("UPDATE sessions SET entries = 99")
    database.close()

    ill = place.run("sessions", "doctor", session_id)
    repaired = place.run("sessions", "doctor", session_id, "--repair")

    assert (well.code, well.out) == (0, "")
    assert (ill.code, ill.out) == (1, f"the list says entries 99, and it is {count}\n")
    assert repaired.code == 0
    assert sorted(one["entries"] for one in listed(place)) == [count, 99]
