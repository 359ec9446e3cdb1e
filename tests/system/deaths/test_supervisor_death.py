"""SIGKILL to the supervisor: nothing of the session is left, and `-c` goes on with all acknowledged."""

import pytest

from tests.system.harness import Event, Place, Session, answer, call, transcript, until
from tests.system.stubborn import STUBBORN

pytestmark = pytest.mark.slow
ANSWERS = (
    answer("I look first.", call("write", path="a.md", content="a\n")),
    answer("Word by word by word.", call("bash", command=STUBBORN), chunks=10, chunk_delay_s=0.03),
)
MOMENTS = ("at the start", "after a result", "streaming", "in a call")


def reach(session: Session, place: Place, moment: str) -> None:
    match moment:
        case "at the start":
            session.wait_for("session")
        case "after a result":
            session.wait_for("tool_result")
        case "streaming":
            session.wait_for("text", delta="Wo")
        case _:
            session.wait_for("tool_call", name="bash")
            until((place.workspace / "daemon").exists)


def acknowledged(session: Session) -> list[Event]:
    """Entries that were shown, and so are on disk."""
    events = [event for event in session.events() if event["type"] in {"message", "tool_result"}]
    return [{key: event[key] for key in ("text", "output") if key in event} for event in events]


@pytest.mark.parametrize("way", ["fork", "exec"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_nothing_is_left_and_the_session_goes_on(place: Place, moment: str, way: str) -> None:
    session = place.prompt(place.script(*ANSWERS), TROUPER_SPAWN=way)
    reach(session, place, moment)

    assert session.kill_supervisor() == []
    until(lambda: place.left() == [])  # what was just being started, too
    shown = acknowledged(session)
    resumed = place.prompt(place.script(name="rest"), "-c").finish()

    assert resumed.code == 0
    entries = transcript(place.entries(resumed.events[-1]["session"]))
    assert [text for text in texts(entries) if text in shown] == shown
    assert entries[-1]["reason"] == "done"
    called = [block["call_id"] for body in entries for block in body.get("blocks", ()) if "call_id" in block]
    assert [body["call_id"] for body in entries if body["type"] == "ToolResult"] == called


def texts(entries: list[Event]) -> list[Event]:
    """As the lines of stream-json show them."""
    said = []
    for body in entries:
        if body["type"] == "AssistantMessage":
            said.append({"text": "".join(block.get("text", "") for block in body["blocks"])})
        elif body["type"] == "ToolResult":
            said.append({"output": body["output"]})
    return said


def test_a_call_that_ran_when_everything_died_is_reported_and_not_run_again(place: Place) -> None:
    command = "echo once >> ran; : > reached; sleep 300"
    session = place.prompt(place.script(answer("Now.", call("bash", command=command))))
    until((place.workspace / "reached").exists)
    assert session.kill_supervisor() == []

    resumed = place.prompt(place.script(name="rest"), "-c").finish()

    results = [event["output"] for event in resumed.events if event["type"] == "tool_result"]
    stored = transcript(place.entries(resumed.events[-1]["session"]))
    assert [body["output"] for body in stored if body["type"] == "ToolResult"] == [
        "interrupted, outcome unknown: the process that ran this died. Look before you do it again."
    ]
    assert results == []
    assert (place.workspace / "ran").read_text() == "once\n"


def test_one_session_cannot_be_open_twice(place: Place) -> None:
    first = place.prompt(place.script(answer("Slow.", delay_s=300)))
    session_id = first.wait_for("session")["id"]

    second = place.prompt(place.script(name="quick"), "-r", session_id[:8]).finish()

    assert second.code == 6
    assert "is open in another terminal" in second.err
    assert "or start a new session here: trouper" in second.err
    assert first.kill_supervisor() == []
