"""A whole agent with a model whose window is small: no prompt fails, and what has to stay is in every request."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio

from actors.errors import Failed
from actors.messages.base import Done, Problem
from actors.messages.budget import Budget
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Compacted,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Answer, AskModel
from actors.messages.turn import (
    CancelTurn,
    CaughtUp,
    Compact,
    Context,
    DescribeContext,
    EntryAdded,
    Event,
    Notice,
    Prompt,
    Subscribe,
    TextDelta,
)
from actors.settings.config import Settings
from tests.actors.agent.test_agent import Scene
from tests.fakes.budgets import stands
from tests.fakes.model import say
from tests.fakes.network import open_network
from tests.fakes.small_model import COST, SmallModel, sent
from tests.fakes.tools import FakeTools

WINDOW = 12_000
"""Tokens; system prompt and tools are about 3,000 of them."""
LONG = "\n".join(f"line {number} of an output" for number in range(400))
"""About 3,500 tokens as the model counts them."""


class Calling:
    """A model that calls `look` so many times in every turn, and then says so."""

    def __init__(self, times: int = 1) -> None:
        self._times = times
        self._calls = 0

    def __call__(self, _ask: AskModel) -> Answer:
        self._calls += 1
        if self._calls % (self._times + 1):
            return say("", ToolCall(call_id=f"c{self._calls}", name="look", arguments='{"path": "a"}'))
        return say(f"I have looked {self._times} times.")


@asynccontextmanager
async def a_scene(home: Path, model: SmallModel, **more: object) -> AsyncIterator[Scene]:
    (home / "run").mkdir(exist_ok=True)
    plain = Settings(home=str(home), cwd=str(home), session_id="s1", run_id="r1", mode="auto", max_turns=60)
    tools = FakeTools()
    tools.output = LONG
    async with open_network() as network:
        yield Scene(network, model, tools, msgspec.structs.replace(plain, **more))  # type: ignore[arg-type]


async def turns(scene: Scene, *texts: str) -> list[TurnEnded]:
    """Of each prompt how its turn ended."""
    ends: list[TurnEnded] = []
    async with scene.ui.stream("agent:main", Subscribe()) as events:
        for text in texts:
            await scene.send(Prompt(prompt_id=text[:40], text=text))
            async for event in events:
                if isinstance(event, EntryAdded) and (end := ended(event.entry.body, text[:40])):
                    ends.append(end)
                    break
    return ends


def ended(body: Body, turn_id: str) -> TurnEnded | None:
    return body if isinstance(body, TurnEnded) and body.turn_id == turn_id else None


async def compactions(scene: Scene) -> list[Compacted]:
    """Of those that the agent still holds."""
    async with scene.ui.stream("agent:main", Subscribe()) as events:
        found = []
        async for event in events:
            if isinstance(event, EntryAdded):
                if isinstance(event.entry.body, Compacted):
                    found.append(event.entry.body)
            elif isinstance(event, CaughtUp):
                break
    return found


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("usage", [True, False])
async def test_many_turns_in_a_small_window_do_not_fail(tmp_path: Path, *, known: bool, usage: bool) -> None:
    said = [f"prompt {number}: never touch file-{number}.txt" for number in range(30)]
    model = SmallModel(WINDOW, Calling(), known=known, usage=usage)
    async with a_scene(tmp_path, model) as scene:
        ends = await turns(scene, *said)

    assert {end.reason for end in ends} == {"done"}
    assert all(text in sent(model.requests[-1]) for text in said)
    assert len(model.summaries) > 3


async def test_one_turn_may_be_longer_than_the_window(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling(times=30))
    async with a_scene(tmp_path, model) as scene:
        ends = await turns(scene, "look thirty times", "and again")

    assert [end.reason for end in ends] == ["done", "done"]
    assert len(model.requests) == 62
    assert all("look thirty times" in sent(ask) for ask in model.requests)


async def test_no_request_parts_a_call_from_its_result(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling(times=3))
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *(f"prompt {number}" for number in range(12)))

    for ask in model.requests:
        calls = [call.call_id for one in ask.history if isinstance(one, AssistantMessage) for call in one.calls]
        assert calls == [one.call_id for one in ask.history if isinstance(one, ToolResult)]


async def test_what_no_longer_fits_of_the_users_words_is_told_to_both(tmp_path: Path) -> None:
    said = [f"prompt {number}: {'word ' * 180}" for number in range(40)]
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *said, "begin " + "paste " * 2000, "look", "and look", "and look again")
        told = (await compactions(scene))[-1].told

    counted = re.search(r"\[(\d+) earlier messages of the user are left out here", sent(model.requests[-1]))
    assert counted is not None
    assert f"Left out, for they no longer fit: {counted[1]} messages of the oldest of yours." in told
    assert "1 message of yours shortened" in told
    assert "characters left out here" in sent(model.requests[-1])


async def test_a_known_window_is_never_overrun(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *(f"prompt {number}" for number in range(20)))

    assert model.refused == 0


async def test_results_that_are_too_large_together_are_shortened_and_asked_about_again(tmp_path: Path) -> None:
    calls = [ToolCall(call_id=f"c{number}", name="look", arguments="{}") for number in range(8)]

    def answer(ask: AskModel) -> Answer:
        return say("seen") if any(isinstance(one, ToolResult) for one in ask.history) else say("", *calls)

    model = SmallModel(WINDOW, answer)
    async with a_scene(tmp_path, model) as scene:
        ends = await turns(scene, "look everywhere")

    assert (ends[0].reason, model.refused) == ("done", 1)


async def test_a_prompt_that_is_too_large_fails_alone(tmp_path: Path) -> None:
    model = SmallModel(WINDOW)
    async with a_scene(tmp_path, model) as scene:
        ends = await turns(scene, "hello", "paste: " + "word " * 20_000, "and now?")

    assert [end.reason for end in ends] == ["done", "failed", "done"]
    assert "smaller pieces" in ends[1].text
    assert "paste: word" in sent(model.requests[-1])
    assert "characters left out here" in sent(model.requests[-1])


async def test_a_failed_summary_fails_no_prompt(tmp_path: Path) -> None:
    said = [f"prompt {number}: remember it" for number in range(20)]
    model = SmallModel(WINDOW, Calling())
    model.summary = Problem(code="server_error", text="no.")
    async with a_scene(tmp_path, model) as scene:
        ends = await turns(scene, *said)
        found = await compactions(scene)

    assert {end.reason for end in ends} == {"done"}
    assert all(text in sent(model.requests[-1]) for text in said)
    assert any("without the model" in one.told for one in found)


async def test_nobody_sees_the_summary_being_written(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling())
    events: list[Event] = []
    async with a_scene(tmp_path, model) as scene, trio.open_nursery() as nursery:
        nursery.start_soon(listen, scene, events)
        await turns(scene, *(f"prompt {number}" for number in range(12)))
        nursery.cancel_scope.cancel()

    heard = [event.text for event in events if isinstance(event, TextDelta | Notice)]
    assert model.summaries
    assert not any("Goal" in text for text in heard)
    assert sum("context window is" in text for text in heard) >= 1


async def listen(scene: Scene, events: list[Event]) -> None:
    async with scene.ui.stream("agent:main", Subscribe()) as stream:
        async for event in stream:
            events.append(event)  # type: ignore[arg-type]  # noqa: PERF401  # it never ends by itself


async def test_a_restarted_agent_goes_on_with_the_same_request(tmp_path: Path) -> None:
    said = [f"prompt {number}: keep this" for number in range(15)]
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *said)
        scene.network.kill("agent:main")
        scene.start_agent()
        await turns(scene, "one more")
        before, after = model.requests[-3], model.requests[-2]

    assert after.history[: len(before.history)] == before.history


async def test_compact_sums_up_at_once_and_takes_instructions(tmp_path: Path) -> None:
    model = SmallModel(1_000_000, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")
        await scene.ui.ask("agent:main", Compact(instructions="keep the names"), Done)
        [compacted] = await compactions(scene)
        await turns(scene, "fourth")

    assert "keep the names" in sent(model.summaries[0])
    assert (compacted.why, compacted.carried.said[0]) == ("asked", "first")
    assert compacted.tokens_after < compacted.tokens_before
    assert "The goal is in the summary." in sent(model.requests[-1])


async def test_compact_is_refused_while_a_turn_runs_and_where_there_is_nothing(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model) as scene:
        with pytest.raises(Failed, match="nothing to sum up"):
            await scene.ui.ask("agent:main", Compact(), Done)
        scene.tools.hold = trio.Event()
        await scene.send()
        await scene.tools.started.wait()
        with pytest.raises(Failed, match="not while a turn runs"):
            await scene.ui.ask("agent:main", Compact(), Done)


@pytest.mark.parametrize("instructions", ["", "keep the names"])
async def test_a_session_that_a_summary_would_make_longer_stays_as_it_is(tmp_path: Path, instructions: str) -> None:
    model = SmallModel(1_000_000)
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")
        with pytest.raises(Failed, match="nothing would be gained"):
            await scene.ui.ask("agent:main", Compact(instructions=instructions), Done)
        found = await compactions(scene)

    assert (found, model.summaries) == ([], [])


async def test_a_summary_that_turns_out_longer_is_dropped_and_paid_for(tmp_path: Path) -> None:
    model = SmallModel(1_000_000, Calling())
    model.summary = "## State\n" + "It is long. " * 10_000
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")
        with pytest.raises(Failed, match="nothing would be gained"):
            await scene.ui.ask("agent:main", Compact(), Done)
        found = await compactions(scene)
        spent = await stands(scene.ui, "s1")

    assert found == []
    assert spent.usd == pytest.approx(7 * COST)


async def test_an_interrupted_compaction_leaves_the_history_as_it_is(tmp_path: Path) -> None:
    model = SmallModel(1_000_000, Calling())
    model.hold = trio.Event()
    outcome: list[str] = []
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")

        async def compact() -> None:
            try:
                await scene.ui.ask("agent:main", Compact(), Done)
            except Failed as failure:
                outcome.append(str(failure))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(compact)
            await model.asked.wait()
            await scene.ui.ask("agent:main", CancelTurn(), Done)
        found = await compactions(scene)
        await turns(scene, "fourth")

    assert (len(outcome), found) == (1, [])
    assert "interrupted" in outcome[0]
    assert [one.text for one in model.requests[-1].history if isinstance(one, UserMessage)] == [
        "first", "second", "third", "fourth",
    ]  # fmt: skip


async def test_a_prompt_that_comes_during_a_compaction_is_answered_after_it(tmp_path: Path) -> None:
    model = SmallModel(1_000_000, Calling())
    model.hold = trio.Event()
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(partial(scene.ui.ask, "agent:main", Compact(), Done))
            await model.asked.wait()
            nursery.start_soon(turns, scene, "fourth")
            await trio.testing.wait_all_tasks_blocked()
            model.hold.set()

    assert "The goal is in the summary." in sent(model.requests[-1])
    assert "fourth" in sent(model.requests[-1])


async def test_a_summary_is_paid_for(tmp_path: Path) -> None:
    model = SmallModel(1_000_000, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, "first", "second", "third")
        await scene.ui.ask("agent:main", Compact(), Done)
        spent = await stands(scene.ui, "s1")

    assert spent.usd == pytest.approx(7 * COST)


async def test_a_spending_limit_counts_what_is_no_longer_held(tmp_path: Path) -> None:
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model, budgets=(Budget(usd=0.395),)) as scene:
        ends = await turns(scene, *(f"prompt {number}" for number in range(30)))

    assert [end.reason for end in ends].index("budget") > 5
    assert len(model.requests) + len(model.summaries) == 40


async def test_the_context_is_described_by_its_parts(tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("Use tabs. " * 50)
    model = SmallModel(WINDOW, Calling())
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *(f"prompt {number}" for number in range(10)))
        context = await scene.ui.ask("agent:main", DescribeContext(), Context)

    assert [part.name for part in context.parts] == [
        "system prompt", "instructions", "tools", "carried over", "messages", "tool results",
    ]  # fmt: skip
    assert (context.window, sum(part.tokens for part in context.parts) < WINDOW) == (WINDOW, True)
