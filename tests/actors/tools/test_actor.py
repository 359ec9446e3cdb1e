"""The worker over the real mailbox and router: its answers, its live output, its cancellation."""

import json
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import psutil
import pytest

from actors.config import Settings
from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import DescribeTools, Preview, PreviewTool, RunTool, ToolProgress, Tools
from actors.tools.actor import run
from actors.tools.guardian import adopt_orphans
from tests.fakes.network import open_network


def a_call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(call_id="c1", name=name, arguments=json.dumps(arguments))


@pytest.fixture
async def me(tmp_path: Path) -> AsyncIterator[Mailbox]:
    adopt_orphans()
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path), session_id="s", run_id="r")
    async with open_network() as network:
        network.start("tools:main", partial(run, settings=settings))
        yield network.mailbox("me")


async def result_of(me: Mailbox, call: ToolCall) -> ToolResult:
    async with me.stream("tools:main", RunTool(call=call, ticket="t")) as stream:
        return await stream.result(ToolResult)


async def test_it_describes_its_tools(me: Mailbox) -> None:
    tools = await me.ask("tools:main", DescribeTools(), Tools)

    assert {tool.name: tool.effect for tool in tools.tools} == {
        "read": "read",
        "write": "write",
        "edit": "write",
        "bash": "execute",
        "glob": "read",
        "grep": "read",
        "list": "read",
    }
    assert tools.sandbox == "none"
    for tool in tools.tools:
        schema = json.loads(tool.parameters)
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert tool.description


async def test_a_call_gives_one_result(me: Mailbox, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")

    result = await result_of(me, a_call("edit", path="a.txt", old="one", new="two"))

    diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
    assert result == ToolResult(
        call_id="c1",
        name="edit",
        output=f"Edited a.txt.\n{diff}",
        summary="+1 \N{MINUS SIGN}1",
        diff=diff,
        ms=result.ms,
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (a_call("fly"), "There is no tool fly. There are: read, write, edit, bash, glob, grep, list, morph_edit."),
        (a_call("read", file="a"), 'Expected JSON: {"path": <string>, "offset": <integer, optional>, '),
        (ToolCall(call_id="c1", name="read", arguments='{"path": "a'), "Malformed arguments for read: "),
        (ToolCall(call_id="c1", name="read", arguments=""), "missing required field `path`"),
        (a_call("read", path="a", offset=0), "Expected `int` >= 1"),
        (a_call("read", path="missing"), "No such file: missing."),
        (a_call("bash", command="exit 7"), "[exit 7]"),
    ],
)
async def test_whatever_goes_wrong_is_an_ordinary_result(me: Mailbox, call: ToolCall, said: str) -> None:
    result = await result_of(me, call)

    assert result.failed
    assert said in result.output


async def test_live_output_comes_before_the_end(me: Mailbox, tmp_path: Path) -> None:
    command = "echo first; until [ -e go ]; do sleep 0.01; done; echo last"

    async with me.stream("tools:main", RunTool(call=a_call("bash", command=command), ticket="t")) as stream:
        first = await anext(stream)
        (tmp_path / "go").touch()
        result = await stream.result(ToolResult)

    assert first == ToolProgress(call_id="c1", text="first\n")
    assert result.output == "first\nlast"


async def test_leaving_the_stream_ends_the_command_first(me: Mailbox) -> None:
    command = "(setsid sleep 300 &) ; echo $$; sleep 300"

    async with me.stream("tools:main", RunTool(call=a_call("bash", command=command), ticket="t")) as stream:
        await anext(stream)
        running = [process for process in psutil.Process().children(recursive=True) if process.name() == "sleep"]

    assert running
    assert [process for process in running if process.is_running()] == []


@pytest.mark.parametrize(
    ("call", "preview"),
    [
        (a_call("bash", command="make\nmake test"), Preview(title="make ...", detail="make\nmake test")),
        (a_call("read", path="./a.txt"), Preview(title="read a.txt")),
        (
            a_call("edit", path="a.txt", old="one", new="two"),
            Preview(title="edit a.txt", detail="--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"),
        ),
        (
            a_call("write", path="a.txt", content="two\n"),
            Preview(title="replace a.txt", detail="--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"),
        ),
        (
            a_call("write", path="b.txt", content="x\n"),
            Preview(title="make b.txt", detail="--- a/b.txt\n+++ b/b.txt\n@@ -0,0 +1 @@\n+x\n"),
        ),
        (
            a_call("read", path="/etc/passwd"),
            Preview(title="read (will fail)", detail="{outside}"),
        ),
    ],
)
async def test_a_preview_changes_nothing(me: Mailbox, tmp_path: Path, call: ToolCall, preview: Preview) -> None:
    (tmp_path / "a.txt").write_text("one\n")

    shown = await me.ask("tools:main", PreviewTool(call=call), Preview)

    outside = f"/etc/passwd is outside the workspace {tmp_path}. Use a path inside it."
    assert shown == Preview(title=preview.title, detail=preview.detail.replace("{outside}", outside))
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "one\n")]
