"""`trouper mcp serve` from end to end: tasks given by a client of either era, and what it may have."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import mcp_types as types
import pytest
from mcp import Client as SdkClient
from mcp.client.stdio import StdioServerParameters, stdio_client

from tests.system.commands.mcp_client import WRITES, Serving, StatelessClient, said
from tests.system.harness import LAUNCHER, Event, Place, answer, call, until

pytestmark = pytest.mark.slow
SLOW = answer("", delay_s=600.0)
ERAS = pytest.mark.parametrize("era", ["legacy", "auto"])
VERSION = {"legacy": "2025-11-25", "auto": "2026-07-28"}


def repository(place: Place) -> None:
    for words in (("init", "-q"), ("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x", "--allow-empty")):
        subprocess.run(["git", *words], cwd=place.workspace, check=True, env=place.environment)


def connected(place: Place, era: str, model: str, decision: str | None, progress: list[str]) -> SdkClient:
    """By the SDK. decision: of its user, by the label; "" declines; None: it asks nobody."""

    async def elicit(_context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        progress.append(f"asked: {params.message.splitlines()[0]}")
        content: Event = {"decision": decision}
        return (
            types.ElicitResult(action="accept", content=content) if decision else types.ElicitResult(action="decline")
        )

    server = StdioServerParameters(
        command=sys.executable,
        args=["-P", str(LAUNCHER), "mcp", "serve", "--model", model],
        env=place.environment,
        cwd=place.workspace,
    )
    return SdkClient(stdio_client(server), mode=era, elicitation_callback=None if decision is None else elicit)


@ERAS
@pytest.mark.parametrize(
    ("decision", "status", "changed"),
    [("yes, this once", "done", ["a.txt"]), ("", "refused", []), ("sure!", "refused", []), (None, "refused", [])],
)
async def test_what_needs_approval_is_asked_of_the_clients_user(
    place: Place, era: str, decision: str | None, status: str, changed: list[str]
) -> None:
    told: list[str] = []

    async def hear(_progress: float, _total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with connected(place, era, place.script(*WRITES), decision, told) as client:
        version = client.protocol_version
        result = await client.call_tool("run_task", {"prompt": "write it"}, progress_callback=hear)

    outcome = result.structured_content
    assert version == VERSION[era]
    assert (outcome["status"], outcome["files_changed"], result.is_error) == (status, changed, status != "done")
    assert (place.workspace / "a.txt").exists() == (status == "done")
    assert ("asked: Trouper asks: may it do this? make a.txt" in told) == (decision is not None)
    assert any(f"session {outcome['session_id']}" in one for one in told)
    if decision is None:
        assert "nobody is there to ask" in outcome["answer"]
        assert "--mode accept-edits" in outcome["error"]


def test_a_stateless_client_comes_back_with_the_answer_once(place: Place) -> None:
    client = StatelessClient(place, "--model", place.script(*WRITES))
    asked = client.done("run_task", prompt="write it")

    made_up = client.result(client.go_on("made up", "accept", decision="yes, this once"))
    result = client.result(client.go_on(asked["requestState"], "accept", decision="no", comment="write b.txt"))
    again = client.result(client.go_on(asked["requestState"], "accept", decision="yes, this once"))

    assert asked["resultType"] == "input_required"
    assert asked["inputRequests"]["approval"]["params"]["requestedSchema"]["properties"]["decision"]["enum"][0] == "no"
    assert "denied by the user: write b.txt" in said(result)
    assert [made_up["isError"], result["isError"], again["isError"]] == [True, True, True]
    assert "its question was not answered in time" in said(made_up) == said(again)
    assert not (place.workspace / "a.txt").exists()
    assert client.leave() == 0


def test_a_task_is_done_found_read_and_gone_on_with(place: Place, serving: Serving) -> None:
    place.workspace.joinpath("sub").mkdir()
    model = place.script(*WRITES, end={"text": "And: {prompt}"})
    client = serving(model, "--mode", "accept-edits")

    first = client.done("run_task", prompt="write the ketchup", cwd="sub")
    outcome = first["structuredContent"]
    again = client.done("run_task", prompt="more mustard", session_id=outcome["session_id"])["structuredContent"]
    read = client.done("read_session", session_id=outcome["session_id"], last=2)
    code = client.leave()

    assert said(first) == outcome["answer"] == "It said: Made a.txt (3 bytes)."
    assert (outcome["status"], outcome["files_changed"], first["isError"]) == ("done", ["a.txt"], False)
    assert (place.workspace / "sub" / "a.txt").read_text() == "hi\n"
    assert (again["session_id"], again["answer"]) == (outcome["session_id"], "And: more mustard")
    assert read["structuredContent"]["messages"] == [
        {"role": "user", "text": "more mustard"},
        {"role": "assistant", "text": "And: more mustard"},
    ]
    assert code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"prompt": "x", "mode": "auto"}, 'wider than "default", which this server was started with'),
        ({"prompt": "x", "cwd": ".."}, "is not allowed. This server works in"),
        ({"prompt": "x", "cwd": "link"}, "is not allowed. This server works in"),
        ({"prompt": "x", "cwd": "nowhere"}, "there is no such folder"),
        ({"prompt": "x", "cwd": "a\0b"}, "is no folder"),
        ({"prompt": "x", "model": "scripted:/etc/passwd"}, "is none that a client can choose"),
        ({"prompt": "x", "session_id": "latest"}, 'there is no session "latest"'),
        ({"prompt": "x", "worktree": True}, "is in no git repository"),
        ({"prompt": "x", "yolo": True}, "malformed arguments for run_task"),
        ({"prompt": ""}, "malformed arguments for run_task"),
        ({"prompt": "x", "mode": "root"}, "malformed arguments for run_task"),
        ({}, "malformed arguments for run_task"),
    ],
)
def test_what_a_client_may_not_have_is_an_error_in_words(
    place: Place, serving: Serving, arguments: Event, words: str
) -> None:
    (place.workspace / "link").symlink_to("/")
    client = serving(place.script(answer("Done.")))

    result = client.done("run_task", **arguments)
    found = client.done("search_sessions", words="x")["structuredContent"]

    assert result["isError"]
    assert words in said(result)
    assert found == {"sessions": []}
    assert client.leave() == 0


def test_the_mode_that_a_session_was_left_in_counts_not(place: Place, serving: Serving) -> None:
    model = place.script(answer("Hello."), *WRITES)
    auto = place.prompt(model).finish().events[0]["id"]
    client = serving(model)

    result = client.done("run_task", prompt="write", session_id=auto)

    assert result["structuredContent"]["status"] == "refused"
    assert not (place.workspace / "a.txt").exists()


def test_a_session_that_is_open_elsewhere_is_left_alone(place: Place, serving: Serving) -> None:
    held = place.prompt(place.script(SLOW))
    session_id = held.wait_for("session")["id"]
    client = serving(place.script(answer("Done."), name="other"))

    result = client.done("run_task", prompt="x", session_id=session_id)

    assert result["isError"]
    assert "is open in another terminal" in said(result)
    assert held.running


def test_in_a_worktree_the_files_stay_and_the_changes_are_a_patch(place: Place, serving: Serving) -> None:
    repository(place)
    model = place.script(*WRITES, answer("", call("read", path="a.txt")), answer("It has {result}"))
    client = serving(model, "--mode", "accept-edits")

    outcome = client.done("run_task", prompt="write", worktree=True)["structuredContent"]
    again = client.done("run_task", prompt="read", session_id=outcome["session_id"])["structuredContent"]

    assert "+hi" in outcome["patch"]
    assert outcome["kept"].startswith("refs/trouper/")
    assert not (place.workspace / "a.txt").exists()
    assert "hi" in again["answer"]


def test_only_sessions_of_the_folder_are_known_and_no_secrets(place: Place, serving: Serving, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    model = place.script(answer("The key is sk-0123456789abcdef0123456789abcdef."))
    place.run("-p", "the ketchup elsewhere", "--model", model, "--cwd", str(other))
    elsewhere = json.loads(place.run("sessions", "search", "ketchup", "--json").out)[0]["session_id"]
    place.run("-p", "the ketchup here", "--model", model)
    here = serving(model)
    all_of_them = serving(model, "--all-folders")

    found = here.done("search_sessions", words="ketchup")["structuredContent"]["sessions"]
    refused = here.done("read_session", session_id=elsewhere)
    run = here.done("run_task", prompt="x", session_id=elsewhere)
    every = all_of_them.done("search_sessions", words="ketchup")["structuredContent"]["sessions"]
    read = all_of_them.done("read_session", session_id=elsewhere)
    run_all = all_of_them.done("run_task", prompt="x", session_id=elsewhere)

    assert [one["name"] for one in found] == ["the ketchup here"]
    assert [one["name"] for one in every] == ["the ketchup here", "the ketchup elsewhere"]
    assert [refused["isError"], run["isError"], run_all["isError"]] == [True, True, True]
    assert "The key is [redacted]" in said(read)


def test_a_budget_is_of_all_tasks_together(place: Place, serving: Serving) -> None:
    model = place.script(end=answer("Done.", usage={"input_tokens": 60, "output_tokens": 20}))
    client = serving(model, "--max-tokens", "150")

    outcomes = [client.done("run_task", prompt="x")["structuredContent"] for _ in range(3)]

    assert [one["status"] for one in outcomes] == ["done", "done", "budget"]
    assert [one["input_tokens"] for one in outcomes] == [60, 60, 0]
    assert "this MCP server has used 160 tokens, and --max-tokens is 150" in outcomes[2]["error"]


def test_junk_changes_nothing(place: Place, serving: Serving) -> None:
    client = serving(place.script(answer("Done.")))

    client.write(b"\n\r\n{not json}\n\xff\xfe\n[1]\n" + b"[" * 100_000)
    client.write(b'{"jsonrpc":"2.0","id":77,"method":5}')
    client.write(b'{"id":"' + b"x" * (9 << 20))
    junk = client.heard(id=None)["error"]
    invalid = client.heard(id=77)["error"]
    unknown = client.ask("no/such")
    no_tool = client.ask("tools/call", name="rm", arguments={})
    odd = client.ask("tools/call", name="run_task", arguments=[1])
    result = client.done("run_task", prompt="x")

    assert junk == {"code": -32700, "message": "the line is not JSON; a message is one line of it"}
    assert invalid["code"] == -32600
    assert client.heard(id=unknown)["error"]["code"] == -32601
    assert client.heard(id=no_tool)["error"]["message"].startswith('there is no tool "rm". There are: run_task')
    assert "error" in client.heard(id=odd)
    assert result["structuredContent"]["status"] == "done"
    assert any("a message has at most" in line.decode() for line in client.session.out.so_far())
    assert client.leave() == 0


def test_four_tasks_run_at_once_and_more_wait(place: Place, serving: Serving) -> None:
    client = serving(place.script(SLOW))
    tasks = [client.call("run_task", prompt="x") for _ in range(25)]
    for task in tasks[:4]:
        client.until_progress(task, "session")
    agents = {name for name in client.session.actors() if name.startswith("agent:")}
    refused = client.result(tasks[-1])

    client.tell("notifications/cancelled", requestId=tasks[0])
    client.until_progress(tasks[4], "session")

    assert agents <= {"agent:31", "agent:32", "agent:33", "agent:34"}
    assert "4 tasks run and 16 wait, which is the most" in said(refused)
    assert client.leave() == 0


def test_one_below_the_other_is_no_server(place: Place, serving: Serving) -> None:
    own = {"command": sys.executable, "args": ["-P", str(LAUNCHER), "mcp", "serve"], "sandbox": False}
    (place.home / "mcp.json").write_text(json.dumps({"mcpServers": {"own": own}}))
    first = serving(place.script(answer("", call("own___run_task", prompt="again")), answer("{result}")))

    result = first.done("run_task", prompt="recurse")
    alone = place.run("mcp", "serve", TROUPER_SERVED="1")

    assert result["structuredContent"]["status"] in ("done", "refused")
    assert (alone.code, alone.out) == (2, "")
    assert "one below the other would never end" in alone.err
    until(lambda: "would never end" in "".join(one.read_text() for one in place.home.glob("logs/mcp/own*")))


def test_at_a_terminal_it_says_what_it_is_for(place: Place) -> None:
    theirs, ours = pty.openpty()
    session = place.talk(ours, "mcp", "serve")
    finished = session.finish()
    os.close(theirs)
    os.close(ours)

    assert (finished.code, finished.out) == (2, "")
    assert "claude mcp add trouper -- trouper mcp serve" in finished.err
