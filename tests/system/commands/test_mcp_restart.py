"""`trouper mcp restart` from another terminal, and what a headless run says of servers' tools."""

import json
import sys
from pathlib import Path

import pytest

from tests.fakes.mcp_server import FILE
from tests.system.harness import Place, answer, call, until

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def record(place: Place) -> Path:
    """A line for each time that the server was made ready."""
    server = {
        "command": sys.executable,
        "args": [FILE],
        "env": {"RECORD": str(place.temporary / "record" / "lines")},
        "write": [str(place.temporary / "record")],
        "start_timeout_s": 100,
    }
    (place.temporary / "record").mkdir()
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": {"fake": server}}))
    return place.temporary / "record" / "lines"


def lives(record: Path) -> int:
    return record.read_text().count("notifications/initialized") if record.exists() else 0


def test_a_call_that_hangs_ends_with_its_server(place: Place, record: Path) -> None:
    model = place.script(answer("", call("fake___silent")), answer("It is done."))
    session = place.prompt(model)
    session_id = session.wait_for("session")["id"]
    told = session.wait_for("tool_call")
    restarted = []
    while session.running and not any(event["type"] == "tool_result" for event in session.events()):
        known = len(restarted)
        until(lambda: lives(record) > known or not session.running)  # noqa: B023  # at once
        restarted.append(place.run("mcp", "restart", "fake", "fake"))
    finished = session.finish()

    assert (restarted[0].code, restarted[0].out, restarted[0].err) == (0, "fake was restarted in 1 session\n", "")
    assert finished.code == 0
    (result,) = [event for event in finished.events if event["type"] == "tool_result"]
    assert [(one["name"], one["shown"]) for one in (told, result)] == [("fake___silent", "fake:silent")] * 2
    assert result["failed"]
    assert "Whether the call took effect is not known." in result["output"]
    assert "● fake:silent {}" in place.run("sessions", "show", session_id).out


def test_what_cannot_be_restarted_is_told(place: Place) -> None:
    alone = [place.run("mcp", "restart", *names) for names in ((), ("fake",), ("fak",))]
    model = place.script(answer("", call("fake___silent")), answer("It is done."))
    session = place.prompt(model)
    session.wait_for("tool_call")
    place.run("mcp", "add", "new", "--", "sh")
    new = place.run("mcp", "restart", "new")
    unknown = place.run("mcp", "restart", "nowhere", "fake")
    session.close()

    nothing = "trouper: nothing was restarted: no session runs now; the next one starts its servers anew.\n"
    assert [(one.code, one.out, one.err) for one in alone[:2]] == [(1, "", nothing)] * 2
    assert (alone[2].code, alone[2].out) == (2, "")
    assert 'no MCP server is called "fak" here. Did you mean fake?' in alone[2].err
    assert (new.code, new.out) == (1, "")
    assert new.err.startswith(f"trouper: 1 session does not have new: process {session.pid}")
    assert new.err.endswith("What was added or trusted since a session began counts in the next one.\n")
    assert (unknown.code, unknown.out) == (2, "fake was restarted in 1 session\n")
    assert 'no MCP server is called "nowhere" here.' in unknown.err
