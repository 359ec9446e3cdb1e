"""A headless run that never begins, or is silent: it ends by itself, says who held it up, and shows that it lives."""

import json
import time
from typing import Any

import pytest
from trio.testing import MockClock

from actors.messages.system import Tree
from tests.fakes.agent import FakeAgent, Hang, Say
from tests.fakes.network import open_network
from tests.ui.headless.fronts import exit_code, settings, tree_of
from ui.headless import prompt
from ui.start.fronts import HeadlessFront

AT_THE_GATE = tree_of(agent_main=("gate",), gate=("web",), web=(), ui=("agent:main",))
AT_THE_MODEL = tree_of(agent_main=("providers",), providers=())
AT_A_CALL = tree_of(agent_main=("tools:main",), tools_main=())
BUSY = tree_of(agent_main=(), ui=("agent:main",))
TIME_UP = "time was up after 20 s (--timeout); go on with: trouper -c"
LATE = "no model was asked within 4 s of the start (--start-timeout): {why}; go on with: trouper -c"


async def lines_of(
    agent: FakeAgent, tree: Tree, capfd: pytest.CaptureFixture[str], began: float | None = None
) -> list[dict[str, Any]]:
    """All that a run with exit code 124 prints."""
    words = HeadlessFront(prompt="hi", prompt_id="p", output="stream-json", began=began, start_s=4, timeout_s=20)
    async with open_network() as network:
        supervisor, gate = network.mailbox("supervisor"), network.mailbox("gate")
        network.start("agent:main", lambda mailbox: agent.run(mailbox, gate))
        network.start("ui", lambda mailbox: prompt.run(mailbox, settings(words)))
        assert await exit_code(supervisor, tree) == 124
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("tree", "why"),
    [
        (AT_THE_GATE, "agent:main waited for gate (rules and hooks), web (a web page)"),
        (BUSY, "agent:main was at work itself, such as with reading AGENTS.md"),
    ],
)
async def test_where_no_model_is_asked_in_time_it_ends_and_says_who_held_it_up(
    tree: Tree,
    why: str,
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    lines = await lines_of(FakeAgent([[Hang()]]), tree, capfd)

    assert [line["error"] for line in lines if line["type"] == "result"] == [LATE.format(why=why)]


@pytest.mark.parametrize("tree", [AT_THE_MODEL, AT_A_CALL])
async def test_a_slow_model_and_a_slow_call_are_no_late_start(
    tree: Tree,
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    lines = await lines_of(FakeAgent([[Hang()]]), tree, capfd)

    assert lines[-1]["error"] == TIME_UP


async def test_once_something_was_said_the_start_is_over(
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    lines = await lines_of(FakeAgent([[Say("At first."), Hang()]]), AT_THE_GATE, capfd)

    assert lines[-1]["error"] == TIME_UP


async def test_a_silent_run_shows_that_it_lives_and_for_whom_it_waits(
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    lines = await lines_of(FakeAgent([[Say("At first."), Hang()]]), AT_THE_MODEL, capfd)

    kinds = [line["type"] for line in lines]
    beats = [line for line in lines if line["type"] == "heartbeat"]
    assert len(beats) == 20 // prompt.BEAT_S
    assert {tuple(line["waits_for"]) for line in beats} == {("providers",)}
    assert kinds.index("heartbeat") > kinds.index("message")
    assert kinds[-1] == "result"


async def test_a_front_that_is_restarted_gets_no_more_time(
    autojump_clock: MockClock, capfd: pytest.CaptureFixture[str]
) -> None:
    began = autojump_clock.current_time()

    lines = await lines_of(FakeAgent([[Say("a"), Hang()]]), AT_THE_MODEL, capfd, began=time.monotonic() - 17)

    assert lines[-1]["error"] == TIME_UP
    assert autojump_clock.current_time() - began < 10
