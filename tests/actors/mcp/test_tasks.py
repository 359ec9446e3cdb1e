"""Calls that a server of 2026 answers with a task."""

from functools import partial
from pathlib import Path

import pytest
import trio

from actors.messages.mcp import CallRaw, RawResult
from actors.messages.tool import UserAnswered, UserAsked
from tests.fakes.mcp_actor import PATIENCE_S, asking
from tests.fakes.mcp_http import reached, serving

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")


async def test_its_result_is_that_of_the_call_and_what_it_says_is_progress(tmp_path: Path) -> None:
    async with serving("modern") as http, asking(reached(http), tmp_path) as asker:
        result, told = await asker.call_told("begin", task="t1")
        names = [one["mcp-name"] for one in http.headers if one.get("mcp-method") == "tasks/get"]

    assert (result.output, result.failed, told) == ("done", False, ["half done\n"])
    assert names == ["t1", "t1"]


async def test_one_that_fails_is_a_call_that_failed(tmp_path: Path) -> None:
    async with serving("modern") as http, asking(reached(http), tmp_path) as asker:
        result = await asker.call("begin", task="fails")

    assert (result.output, result.failed) == ("no disk", True)


async def test_what_it_asks_for_meanwhile_the_user_is_asked(tmp_path: Path) -> None:
    def answer(asked: UserAsked) -> UserAnswered:
        return UserAnswered(choice="text", text="Ada") if "name" in asked.detail else UserAnswered(choice="skip")

    async with serving("modern") as http, asking(reached(http), tmp_path, answer) as asker:
        result = await asker.call("begin", task="asks")

    assert '"action": "accept"' in result.output


async def test_a_command_answers_with_defaults(tmp_path: Path) -> None:
    async with serving("modern") as http, asking(reached(http), tmp_path) as asker:
        wanted = CallRaw(tool="begin", arguments='{"task": "asks"}', elicit="defaults")
        result = await asker.mailbox.ask(asker.name, wanted, RawResult)

    assert not result.failed
    assert '{\\"age\\": 7}' in result.json


async def test_one_that_nobody_waits_for_is_cancelled(tmp_path: Path) -> None:
    async with serving("modern") as http, asking(reached(http), tmp_path) as asker:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(asker.call, "begin", task="endless"))
            await http.has_heard("tasks/get")
            nursery.cancel_scope.cancel()
        with trio.fail_after(PATIENCE_S):
            await http.has_heard("tasks/cancel")
        result = await asker.call("echo", a=1)

    assert result.output == '{"a": 1}'
