"""The worker over the real mailbox and router: its answers, its live output, its cancellation."""

import json
import os
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path

import msgspec
import psutil
import pytest

from actors.confinement.sandbox.guardian import adopt_orphans
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import (
    MOST_SHOWN,
    CheckArguments,
    DescribeTools,
    Grant,
    Preview,
    PreviewTool,
    RunGranted,
    ToolProgress,
    Tools,
)
from actors.settings.config import Settings
from actors.tools import limits
from actors.tools.actor import run
from tests.fakes.network import open_network

IF_THERE = {"gh", "symbols"}
OFFERED = """
read:read list:read glob:read grep:read
edit:write multi_edit:write apply_patch:write write:write move:write copy:write delete:write make_dir:write
bash:execute bash_background:execute bash_output:meta bash_kill:meta
git_status:read git_diff:read git_log:read git_show:read
web_fetch:network todo:meta
"""
"""In the order the model sees them."""


def a_call(name: str, **arguments: object) -> ToolCall:
    return ToolCall(call_id="c1", name=name, arguments=json.dumps(arguments))


@pytest.fixture
async def me(tmp_path: Path) -> AsyncIterator[Mailbox]:
    adopt_orphans()
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path), session_id="s", run_id="r")
    async with open_network() as network:
        network.start("tools:main", partial(run, settings=settings))
        yield network.mailbox("me")


@pytest.fixture
def grant(tmp_path: Path) -> Grant:
    return Grant(paths=(str(tmp_path.resolve()),))


async def result_of(me: Mailbox, call: ToolCall, grant: Grant) -> ToolResult:
    async with me.stream("tools:main", RunGranted(call=call, grant=grant)) as stream:
        return await stream.result(ToolResult)


async def test_it_says_whether_a_tool_takes_its_arguments(me: Mailbox) -> None:
    assert await me.ask("tools:main", CheckArguments(call=a_call("read", path="missing.txt")), Done)
    with pytest.raises(Failed, match="path"):
        await me.ask("tools:main", CheckArguments(call=a_call("read", file="a.txt")), Done)


async def test_it_describes_its_tools(me: Mailbox) -> None:
    tools = await me.ask("tools:main", DescribeTools(), Tools)

    offered = [f"{tool.name}:{tool.effect}" for tool in tools.tools if tool.name not in IF_THERE]
    assert offered == OFFERED.split()
    assert tools.sandbox == "none"
    assert [tool.name for tool in tools.tools if tool.freeform] == ["apply_patch"]
    for tool in tools.tools:
        schema = json.loads(tool.parameters)
        assert (schema["type"], schema["additionalProperties"]) == ("object", False)
        assert tool.description


async def test_a_call_gives_one_result(me: Mailbox, tmp_path: Path, grant: Grant) -> None:
    (tmp_path / "a.txt").write_text("one\n")

    result = await result_of(me, a_call("edit", path="a.txt", old="one", new="two"), grant)

    diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-one\n+two\n"
    assert result == ToolResult(
        call_id="c1",
        name="edit",
        output=f"Edited a.txt.\n{diff}",
        summary="+1 \N{MINUS SIGN}1",
        diff=diff,
        seen=result.seen,
        ms=result.ms,
    )


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (a_call("fly"), "There is no tool fly. There are: read, list, glob, grep, "),
        (a_call("read", file="a"), 'Expected JSON: {"path": <string>, "offset": <integer, optional>, '),
        (a_call("read", file_path="a"), "unknown field `file_path`. Did you mean `path`?"),
        (a_call("edit", path="a", old_string="x", new="y"), "Did you mean `old`?"),
        (a_call("multi_edit", edits=[{"path": "a", "before": "x"}]), '{"edits": [{"path": <string>, "old": <string>, '),
        (ToolCall(call_id="c1", name="read", arguments='{"path": "a'), "Malformed arguments for read: "),
        (ToolCall(call_id="c1", name="read", arguments=""), "missing required field `path`"),
        (a_call("read", path="a", offset=0), "Expected `int` >= 1"),
        (a_call("read", path="missing"), "No such file: missing."),
        (a_call("bash", command="exit 7"), "[exit 7]"),
    ],
)
async def test_whatever_goes_wrong_is_an_ordinary_result(me: Mailbox, call: ToolCall, said: str, grant: Grant) -> None:
    result = await result_of(me, call, grant)

    assert result.failed
    assert said in result.output


async def test_live_output_comes_before_the_end(me: Mailbox, tmp_path: Path, grant: Grant) -> None:
    command = "echo first; until [ -e go ]; do sleep 0.01; done; echo last"

    async with me.stream("tools:main", RunGranted(call=a_call("bash", command=command), grant=grant)) as stream:
        first = await anext(stream)
        (tmp_path / "go").touch()
        result = await stream.result(ToolResult)

    assert first == ToolProgress(call_id="c1", text="first\n")
    assert result.output == "first\nlast"


async def test_leaving_the_stream_ends_the_command_first(me: Mailbox, grant: Grant) -> None:
    command = "(setsid sleep 300 &) ; echo $$; sleep 300"
    others = psutil.Process().children(recursive=True)

    async with me.stream("tools:main", RunGranted(call=a_call("bash", command=command), grant=grant)) as stream:
        await anext(stream)
        running = [process for process in psutil.Process().children(recursive=True) if process not in others]

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
            a_call("write", path="b\n@@ -1 +1 @@\n.txt", content="x\n"),
            Preview(
                title="make b\n@@ -1 +1 @@\n.txt",
                detail="--- a/b\\x0a@@ -1 +1 @@\\x0a.txt\n+++ b/b\\x0a@@ -1 +1 @@\\x0a.txt\n@@ -0,0 +1 @@\n+x\n",
            ),
        ),
        (a_call("write", path="a.txt", content="one\n"), Preview(title="replace a.txt", detail="one\n")),
        (
            a_call("read", path="/etc/passwd"),
            Preview(
                title="read (will fail)",
                detail="/etc/passwd is not among what was allowed for this call. Name it in a new call.\n"
                '{"path": "/etc/passwd"}',
                failure="/etc/passwd is not among what was allowed for this call. Name it in a new call.",
            ),
        ),
    ],
)
async def test_a_preview_changes_nothing(me: Mailbox, call: ToolCall, preview: Preview, grant: Grant) -> None:
    tmp_path = Path(grant.paths[0])
    (tmp_path / "a.txt").write_text("one\n")

    shown = await me.ask("tools:main", PreviewTool(call=call, grant=grant), Preview)

    assert shown == preview
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.txt", "one\n")]


async def test_a_call_touches_what_was_granted_and_nothing_else(me: Mailbox, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\n")
    (tmp_path / "b.txt").write_text("two\n")
    grant = Grant(paths=(str(tmp_path.resolve() / "a.txt"),))

    granted = await result_of(me, a_call("read", path="a.txt"), grant)
    refused = await result_of(me, a_call("read", path="b.txt"), grant)
    nothing = await result_of(me, a_call("read", path="a.txt"), Grant())

    assert not granted.failed
    assert refused.output.startswith("b.txt (it leads to ")
    assert "is not among what was allowed for this call" in refused.output
    assert nothing.failed


LINES = [f"line {number}" for number in range(limits.DIFF_LINES + 100)]
ENDS = [{"path": "a.txt", "old": f"{line}\n", "new": "x\n"} for line in (LINES[0], LINES[-1])]


@pytest.mark.parametrize(
    ("call", "signs"),
    [
        (a_call("write", path="b.txt", content="\n".join(LINES)), "+"),
        (a_call("write", path="a.txt", content="x\n"), "-"),
        (a_call("multi_edit", edits=ENDS), "-+"),
        (a_call("apply_patch", input="*** Begin Patch\n*** Delete File: a.txt\n*** End Patch"), "-"),
    ],
)
async def test_the_preview_of_a_big_change_is_whole(
    me: Mailbox, call: ToolCall, signs: str, tmp_path: Path, grant: Grant
) -> None:
    (tmp_path / "a.txt").write_text("".join(f"{line}\n" for line in LINES))
    granted = msgspec.structs.replace(grant, deleted=(f"{grant.paths[0]}/a.txt",))

    shown = await me.ask("tools:main", PreviewTool(call=call, grant=granted), Preview)

    assert {f"{sign}{line}" for sign in signs for line in LINES[1:-1]} <= set(shown.detail.split("\n"))


async def test_the_preview_of_what_is_too_long_to_be_shown_says_more_than_is_shown(me: Mailbox, grant: Grant) -> None:
    call = a_call("write", path="b.txt", content="x" * 2 * MOST_SHOWN)

    shown = await me.ask("tools:main", PreviewTool(call=call, grant=grant), Preview)

    assert len(shown.detail) == MOST_SHOWN + 1


async def test_bytes_that_no_message_can_carry_are_replaced(me: Mailbox, tmp_path: Path, grant: Grant) -> None:
    (tmp_path / "a.txt").write_bytes(b"caf\xe9 one\n")
    (tmp_path / os.fsdecode(b"na\xefve")).touch()
    edit = a_call("edit", path="a.txt", old="one", new="two")

    shown = await me.ask("tools:main", PreviewTool(call=edit, grant=grant), Preview)
    edited = await result_of(me, edit, grant)
    listed = await result_of(me, a_call("list"), grant)

    assert "-caf\N{REPLACEMENT CHARACTER} one" in shown.detail
    assert "+caf\N{REPLACEMENT CHARACTER} two" in edited.diff
    assert "na\N{REPLACEMENT CHARACTER}ve" in listed.output


async def test_no_result_is_longer_than_a_model_can_use(me: Mailbox, tmp_path: Path, grant: Grant) -> None:
    (tmp_path / "a.txt").write_text("x = 1\n" * 10 + "y" * 300_000 + "\n")
    edit = a_call("edit", path="a.txt", old="y" * 300_000, new="z" * 300_000)

    result = await result_of(me, edit, grant)

    assert len(result.output) < limits.DIFF_CHARS + 200
