"""Files and conversation go back to before a prompt, by the real program: what tools and commands have done to them."""

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
