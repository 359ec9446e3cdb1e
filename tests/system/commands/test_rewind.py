"""Files and conversation go back to before a prompt, by the real program: what tools and commands have done to them."""

import hashlib
import json
import zipfile

import pytest

from tests.system.harness import Place, answer, call

pytestmark = pytest.mark.slow


def two_turns(place: Place) -> str:
    """The session; the first turn writes with a tool, the second with a command."""
    (place.workspace / "a.txt").write_text("mine\n")
    (place.workspace / "gone.txt").write_text("mine\n")
    write = call("write", path="a.txt", content="changed\n")
    command = call("bash", command="rm gone.txt; mkdir -p made; echo new > made/b.txt; echo again >> a.txt")
    read = call("read", path="a.txt")
    model = place.script(
        *(answer("", one) for one in (read, write)), answer("One."), answer("", command), answer("Two.")
    )
    first = place.prompt(model)
    assert first.finish().code == 0
    session_id = str(first.wait_for("session")["id"])
    second = place.prompt(model, "-r", session_id, "--allow", "Bash(rm gone.txt)")
    assert second.finish().code == 0
    (place.workspace / "notes.txt").write_text("the user's\n")
    return session_id


def files(place: Place) -> dict[str, str]:
    return {
        str(path.relative_to(place.workspace)): path.read_text()
        for path in place.workspace.rglob("*")
        if path.is_file() and ".trouper" not in path.parts
    }


def test_it_is_shown_then_done_then_taken_back(place: Place) -> None:
    session_id = two_turns(place)
    edited = files(place)

    shown = place.run("sessions", "rewind", session_id, "--to", "1")
    untouched = files(place)
    done = place.run("sessions", "rewind", session_id, "--to", "1", "--yes")
    back = files(place)
    said = place.run("sessions", "show", session_id).out
    undone = place.run("sessions", "rewind", session_id, "--undo", "--yes")

    assert (shown.code, done.code, undone.code) == (2, 0, 0), shown.err + done.err + undone.err
    assert "+mine\n" in shown.out
    assert "made/b.txt" in shown.out
    assert untouched == edited
    assert back == {"a.txt": "mine\n", "gone.txt": "mine\n", "notes.txt": "the user's\n"}
    assert "One." not in said
    assert files(place) == edited
    assert "Two." in place.run("sessions", "show", session_id).out


def test_the_last_prompt_alone_goes_back_with_its_files(place: Place) -> None:
    session_id = two_turns(place)

    done = place.run("sessions", "rewind", session_id[:8], "--yes", "--remove-new")

    assert done.code == 0, done.err
    assert files(place) == {"a.txt": "changed\n", "gone.txt": "mine\n"}
    assert "One." in place.run("sessions", "show", session_id).out


def test_what_is_said_after_a_rewind_follows_on_it(place: Place) -> None:
    session_id = two_turns(place)
    assert place.run("sessions", "rewind", session_id, "--yes", "--conversation").code == 0

    third = place.prompt(place.script(*[answer("Three.")] * 4), "-r", session_id).finish()

    assert third.code == 0
    said = place.run("sessions", "show", session_id).out
    assert [word for word in ("One.", "Two.", "Three.") if word in said] == ["One.", "Three."]
    assert files(place)["a.txt"] == "changed\nagain\n"


def test_where_the_files_alone_went_back_the_model_is_told(place: Place) -> None:
    session_id = two_turns(place)
    assert place.run("sessions", "rewind", session_id, "--yes", "--files").code == 0

    third = place.prompt(place.script(*[answer("Three.")] * 6), "-r", session_id).finish()

    assert third.code == 0
    said = [entry["body"]["text"] for entry in place.entries(session_id) if entry["body"]["type"] == "UserMessage"]
    (note,) = [text for text in said if text.startswith("The user has taken the files")]
    assert "\nAs they were then: a.txt, gone.txt\nRemoved: made/b.txt" in note


def test_a_prompt_that_came_during_a_turn_is_taken_back(place: Place) -> None:
    session_id, steered = _with_a_prompt_that_steers(place, two_turns(place))

    shown = place.run("sessions", "rewind", session_id)
    done = place.run("sessions", "rewind", session_id, "--to", steered, "--yes", "--conversation")
    went_on = place.prompt(place.script(*[answer("Three.")] * 6), "-r", session_id).finish()

    assert (shown.code, done.code, went_on.code) == (2, 0, 0), shown.err + done.err + went_on.err
    assert "back to before: and this" in shown.out
    said = place.run("sessions", "show", session_id).out
    assert [word for word in ("Before.", "and this", "Steered.", "Three.") if word in said] == ["Before.", "Three."]
    stored = place.run("sessions", "export", session_id).events
    reasons = [entry["body"]["reason"] for entry in stored if entry["body"]["type"] == "TurnEnded"]
    assert reasons[-3:] == ["done", "interrupted", "done"]


def _with_a_prompt_that_steers(place: Place, session_id: str) -> tuple[str, str]:
    """A copy of the session in which it is the last, and its entry; all is as an agent leaves it."""
    file, grown = place.workspace.parent / "s.trouper", place.workspace.parent / "grown.trouper"
    place.run("sessions", "export", session_id, "--format", "trouper", "--out", str(file), "--without-files")
    turn = "f" * 32
    bodies = [
        {"type": "UserMessage", "text": "first", "turn_id": turn, "prompt_id": turn},
        {"type": "PromptQueued", "text": "and this", "prompt_id": "f" * 31},
        {"type": "AssistantMessage", "blocks": [{"type": "Text", "text": "Before."}], "stop_reason": "end_turn",
         "model": "m"},
        {"type": "UserMessage", "text": "and this", "turn_id": turn, "prompt_id": "f" * 31},
        {"type": "AssistantMessage", "blocks": [{"type": "Text", "text": "Steered."}], "stop_reason": "end_turn",
         "model": "m"},
        {"type": "TurnEnded", "turn_id": turn, "reason": "done"},
    ]  # fmt: skip
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(grown, "w") as new:
        own = "e" * 32
        lines = whole.read("entries.jsonl").replace(session_id.encode(), own.encode()).splitlines()
        parent = json.loads(lines[-1])["id"]
        for number, body in enumerate(bodies):
            entry = {"type": "Entry", "id": f"{number}" * 32, "session_id": own, "parent": parent, "body": body}
            lines.append(json.dumps(entry | {"at": 2_000_000_000.0}).encode())
            parent = f"{number}" * 32
        text = b"\n".join(lines) + b"\n"
        manifest = json.loads(whole.read("manifest.json")) | {"session_id": own}
        manifest["files"]["entries.jsonl"] = {"bytes": len(text), "sha256": hashlib.sha256(text).hexdigest()}
        new.writestr("entries.jsonl", text)
        new.writestr("manifest.json", json.dumps(manifest))
    assert place.run("sessions", "import", str(grown)).code == 0
    return own, "3" * 32


@pytest.mark.parametrize("to", ["7", "nothing"])
def test_a_prompt_that_is_not_there_is_named(place: Place, to: str) -> None:
    session_id = two_turns(place)

    refused = place.run("sessions", "rewind", session_id, "--to", to, "--yes")

    assert refused.code == 1
    assert to in refused.err


def test_what_only_looks_starts_no_checkpoints(place: Place) -> None:
    (place.workspace / "a.txt").write_text("mine\n")
    session = place.prompt(place.script(answer("", call("read", path="a.txt")), answer("Seen.")))

    assert session.finish().code == 0
    assert not (place.home / "checkpoints").exists()
    assert not [event for event in place.log() if event.get("actor") == "checkpoints"]


@pytest.mark.parametrize("chaos", ["checkpoints:kill@message:1", "checkpoints:crash@message:1"])
def test_checkpoints_that_die_are_asked_again(place: Place, chaos: str) -> None:
    path = place.workspace / "a.txt"
    path.write_text("mine\n")
    model = place.script(answer("", call("bash", command="echo new > a.txt")), answer("Done."))
    session = place.prompt(model, TROUPER_CHAOS=chaos)
    assert session.finish().code == 0
    edited = path.read_text()

    done = place.run("sessions", "rewind", str(session.wait_for("session")["id"]), "--yes")

    assert (done.code, edited, path.read_text()) == (0, "new\n", "mine\n"), done.err


def test_where_they_keep_dying_the_turn_goes_on_and_cannot_be_taken_back(place: Place) -> None:
    path = place.workspace / "a.txt"
    path.write_text("mine\n")
    model = place.script(answer("", call("bash", command="echo new > a.txt")), answer("Done."))
    session = place.prompt(model, TROUPER_CHAOS=",".join(["checkpoints:crash@message:1"] * 9))
    ended = session.finish()
    session_id = str(session.wait_for("session")["id"])

    refused = place.run("sessions", "rewind", session_id, "--yes")
    alone = place.run("sessions", "rewind", session_id, "--yes", "--conversation")

    assert (ended.code, refused.code, alone.code) == (0, 1, 0), ended.err + refused.err + alone.err
    assert "were not recorded" in refused.err
    assert path.read_text() == "new\n"
