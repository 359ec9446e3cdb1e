"""A real server of more than 200 tools: they are searched, called through one tool, and judged like all others."""

import json
import sys

import pytest

from tests.fakes.mcp_server import FILE, MANY, TOOLS
from tests.system.harness import Event, Fifo, Place, answer, call, until

pytestmark = pytest.mark.slow
SEARCH = answer("I look.", call("search_tools", query="thing042"))
FOUND = answer("I call.", call("call_tool", tool="box:thing042", arguments={"depth": 3}))
SAID = answer("It says {result}")
OUTPUT = 'thing042 did {"depth": 3}'


@pytest.fixture(autouse=True)
def _box(place: Place) -> None:
    """The server, which an earlier session has asked what it has."""
    server = {
        "command": sys.executable,
        "args": [FILE, "many"],
        "sandbox": False,
    }
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": {"box": server}}))
    warm = place.script(answer("", call("box___echo")), answer("Done."), name="warm")
    assert place.prompt(warm).finish().code == 0


def bodies(place: Place) -> list[Event]:
    """Of the latest session."""
    listed = json.loads(place.run("sessions", "list", "--json").out)
    return [entry["body"] for entry in place.entries(listed[0]["session_id"])]


def results(place: Place) -> list[tuple[str, str]]:
    return [(body["name"], body["output"]) for body in bodies(place) if body["type"] == "ToolResult"]


def calls(place: Place) -> list[tuple[str, str]]:
    blocks = [block for body in bodies(place) if body["type"] == "AssistantMessage" for block in body["blocks"]]
    return [(block["name"], block["arguments"]) for block in blocks if block["type"] == "ToolCall"]


def test_a_tool_is_found_and_called_and_the_session_has_what_was_meant(place: Place) -> None:
    finished = place.prompt(place.script(SEARCH, FOUND, SAID)).finish()

    (_, found), (name, output) = results(place)
    told = [section for body in bodies(place) if body["type"] == "Instructed" for section in body["sections"]]
    (said,) = [section["text"] for section in told if section["name"] == "mcp"]
    assert finished.code == 0
    assert "## box___thing042\n> Does the thing042. " in found
    assert '"depth"' in found
    assert (name, output) == ("box___thing042", OUTPUT)
    assert calls(place)[1] == ("box___thing042", '{"depth":3}')
    assert said.startswith(f"- box: {len(TOOLS) + len(MANY) + 1} tools: ask, bad_structured, ")
    assert said.endswith("> Be kind.")


def test_what_a_rule_denies_is_denied_through_the_one_tool_too(place: Place) -> None:
    place.prompt(place.script(SEARCH, FOUND, SAID), "--deny", "Mcp(box:thing042)").finish()

    (_, found), (name, output) = results(place)
    assert "box___thing042" not in found
    assert name == "box___thing042"
    assert output.startswith("denied")


def test_in_plan_mode_one_searches_and_the_call_is_denied(place: Place) -> None:
    place.run("-p", "go on", "--mode", "plan", "--model", place.script(SEARCH, FOUND, SAID))

    (_, found), (name, output) = results(place)
    assert "## box___thing042\n" in found
    assert name == "box___thing042"
    assert output.startswith("denied: mode plan")


def test_hooks_hear_of_the_tool_itself_and_its_real_arguments(place: Place) -> None:
    hook = 'command = "cat > heard"\ntools = ["box___thing042"]'
    (place.home / "config.toml").write_text(f"[[hooks.pre_tool]]\n{hook}\n")

    place.prompt(place.script(SEARCH, FOUND, SAID)).finish()

    heard = json.loads((place.workspace / "heard").read_text())
    assert (heard["tool"], heard["arguments"]) == ("box___thing042", {"depth": 3})
    assert results(place)[1] == ("box___thing042", OUTPUT)


@pytest.mark.parametrize("victim", ["gate", "agent:main", "mcp:box", "store"])
def test_after_any_death_what_was_found_is_still_called(place: Place, victim: str) -> None:
    first = answer("First.", call("call_tool", tool="box___thing001", arguments={}))
    wait = answer("I wait.", call("bash", command="touch here; read -r line < gate"))
    fifo = Fifo(place.workspace / "gate")
    try:
        session = place.prompt(place.script(SEARCH, first, wait, FOUND, SAID))
        until(lambda: (place.workspace / "here").exists())
        session.kill(victim)
        session.wait_for("restart", actor=victim)
        fifo.let_go()
        finished = session.finish()
    finally:
        fifo.close()

    assert finished.code == 0
    assert results(place)[-1] == ("box___thing042", OUTPUT)
    assert sum(body["type"] == "Instructed" for body in bodies(place)) == 1


def test_a_session_that_is_resumed_goes_on_with_what_was_found(place: Place) -> None:
    model = place.script(SEARCH, answer("Found it."), FOUND, SAID)
    place.prompt(model).finish()
    place.prompt(model, "-c").finish()

    assert results(place)[-1] == ("box___thing042", OUTPUT)
    assert [body["text"] for body in bodies(place) if body["type"] == "UserMessage"] == ["go on", "go on"]


def test_a_server_that_is_gone_is_told_in_the_resumed_session(place: Place) -> None:
    model = place.script(answer("Hi."), FOUND, SAID)
    place.prompt(model).finish()
    (place.home / "mcp.json").write_text("{}")
    place.prompt(model, "-c").finish()

    said = [body["text"] for body in bodies(place) if body["type"] == "UserMessage"]
    assert [text.endswith("- box: it is gone, and its tools cannot be called.") for text in said] == [
        False,
        False,
        True,
    ]
    assert results(place)[-1][1].startswith('there is no tool "box___thing042"')


def test_all_tasks_of_a_batch_find_them(place: Place) -> None:
    (place.workspace / "tasks.jsonl").write_text('{"id":"a","prompt":"go on"}\n{"id":"b","prompt":"go on"}\n')
    model = place.script(SEARCH, FOUND, SAID)
    finished = place.run(
        *("batch", "tasks.jsonl", "--out", "out.jsonl", "--workers", "2", "--mode", "auto", "--model", model)
    )

    rows = [json.loads(line) for line in (place.workspace / "out.jsonl").read_text().splitlines()]
    assert finished.code == 0
    assert {row["answer"] for row in rows} == {f"It says {OUTPUT}"}
