"""A whole agent with a model whose service sums up by itself: what is asked, what is kept, what is asked no more."""

from pathlib import Path

import pytest
import trio

from actors.errors import Failed
from actors.messages.base import Done, Problem, ProblemCode
from actors.messages.conversation import Compacted, Opaque, Sealed, Text, UserMessage
from actors.messages.turn import CancelTurn, Compact, Context, DescribeContext
from tests.actors.agent.test_agent import Scene
from tests.actors.agent.test_compactor import Calling, a_scene, compactions, turns
from tests.fakes.budgets import stands
from tests.fakes.small_model import COST, OVERFLOW, SmallModel, sent

LARGE = 1_000_000
ITEM = Opaque(api="openai-responses", data='{"type":"compaction","encrypted_content":"c2VhbGVk"}')
SEALED = Sealed(model="fake/model", blocks=(ITEM,))
UNKNOWN = Problem(code="unreachable", text="HTTP 404: not found.")


def sealing(limit: int = LARGE) -> SmallModel:
    model = SmallModel(limit, Calling())
    model.sums_up, model.made = "sealed", (ITEM,)
    return model


def writing() -> SmallModel:
    model = SmallModel(LARGE, Calling())
    model.sums_up, model.made = "text", (Text(text="By the service."),)
    return model


async def compacted(scene: Scene, wishes: str = "") -> Compacted:
    await turns(scene, "first", "second", "third")
    await scene.ui.ask("agent:main", Compact(instructions=wishes), Done)
    return (await compactions(scene))[-1]


async def test_what_is_sealed_has_words_beside_it(tmp_path: Path) -> None:
    model = sealing()
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene)
        await turns(scene, "fourth")

    last = model.requests[-1]
    assert (made.sealed, last.sealed) == (SEALED, SEALED)
    assert "The goal is in the summary." in sent_first(last.history[0])
    assert "first" in sent_first(last.history[1])
    assert "first" not in sent_first(last.history[0])
    assert "by its service itself in a form that only it can read" in made.told


def sent_first(message: object) -> str:
    assert isinstance(message, UserMessage)
    return message.text


async def test_the_service_gets_all_that_is_dropped_as_it_was_sent(tmp_path: Path) -> None:
    model = sealing()
    async with a_scene(tmp_path, model) as scene:
        await compacted(scene)
        before = model.requests[-1]
        await turns(scene, "fourth", "fifth", "sixth")
        await scene.ui.ask("agent:main", Compact(), Done)

    first, second = model.served
    assert first.history == before.history[: len(first.history)]
    assert (first.system, first.tools, first.sealed) == (before.system, before.tools, None)
    assert (second.sealed, second.history[0]) == (SEALED, model.requests[-1].history[0])


async def test_a_text_of_the_service_is_the_summary(tmp_path: Path) -> None:
    model = writing()
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene, "keep the names")

    assert (made.carried.summary, made.sealed, model.summaries) == ("By the service.", None, [])
    assert "keep the names" in model.served[0].sum_up
    assert "Summed up by its service:" in made.told


async def test_wishes_that_the_service_does_not_take_are_heeded_by_a_summary(tmp_path: Path) -> None:
    model = sealing()
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene, "keep the names")

    assert (model.served, made.sealed) == ([], None)
    assert "keep the names" in sent(model.summaries[0])


@pytest.mark.parametrize(
    ("made", "asked"),
    [(UNKNOWN, 1), ((), 1), (OVERFLOW, 2), (Problem(code="overloaded", text="later."), 2)],
    ids=["unknown", "something else", "too long", "overloaded"],
)
async def test_a_service_that_does_not_is_asked_again_only_if_it_may_yet(
    tmp_path: Path, made: Problem | tuple[()], asked: int
) -> None:
    model = sealing()
    model.made = made
    async with a_scene(tmp_path, model) as scene:
        first = await compacted(scene)
        await turns(scene, "fourth", "fifth", "sixth")
        await scene.ui.ask("agent:main", Compact(), Done)

    assert len(model.served) == asked
    assert len(model.summaries) == 2
    assert (first.sealed, first.carried.summary) == (None, model.summary)


async def test_without_a_summary_what_is_sealed_is_used_all_the_same(tmp_path: Path) -> None:
    model = sealing()
    model.summary = Problem(code="server_error", text="no.")
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene)

    assert made.sealed == SEALED
    assert "No summary could be written" in made.carried.summary
    assert "without the model, and by its service itself" in made.told


@pytest.mark.parametrize("code", ["unauthorized", "no_credentials"])
async def test_what_the_service_took_is_billed_where_the_summary_fails(tmp_path: Path, code: ProblemCode) -> None:
    model = sealing()
    model.summary = Problem(code=code, text="no.")
    async with a_scene(tmp_path, model) as scene:
        with pytest.raises(Failed, match="no"):
            await compacted(scene)
        spent = await stands(scene.ui, "s1")
        found = await compactions(scene)

    assert (spent.usd, found) == (pytest.approx(7 * COST), [])


async def test_both_are_paid_for(tmp_path: Path) -> None:
    model = sealing()
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene)
        spent = await stands(scene.ui, "s1")

    assert made.usage.cost_usd == pytest.approx(COST)
    assert spent.usd == pytest.approx(8 * COST)


async def test_interrupted_after_the_service_has_summed_up_nothing_has_changed(tmp_path: Path) -> None:
    model = sealing()
    model.hold = trio.Event()
    async with a_scene(tmp_path, model) as scene, trio.open_nursery() as nursery:
        await turns(scene, "first", "second", "third")

        async def compact() -> None:
            with pytest.raises(Failed, match="interrupted"):
                await scene.ui.ask("agent:main", Compact(), Done)

        nursery.start_soon(compact)
        await model.asked.wait()
        await scene.ui.ask("agent:main", CancelTurn(), Done)
        found = await compactions(scene)
        spent = await stands(scene.ui, "s1")
        await turns(scene, "fourth")

    assert (len(model.served), found, model.requests[-1].sealed) == (1, [], None)
    assert spent.usd == pytest.approx(7 * COST)


async def test_a_conversation_that_is_only_shortened_keeps_what_is_sealed(tmp_path: Path) -> None:
    model = sealing(12_000)
    async with a_scene(tmp_path, model) as scene:
        await turns(scene, *(f"prompt {number}: keep this" for number in range(30)))
        scene.network.kill("agent:main")
        scene.start_agent()
        await turns(scene, "one more")

    assert len(model.served) > 2
    assert {ask.sealed for ask in model.requests[-20:]} == {SEALED}
    assert all(f"prompt {number}: keep this" in sent(model.requests[-1]) for number in range(30))


async def test_the_context_counts_both_messages_as_carried_over(tmp_path: Path) -> None:
    model = sealing()
    async with a_scene(tmp_path, model) as scene:
        made = await compacted(scene)
        context = await scene.ui.ask("agent:main", DescribeContext(), Context)

    tokens = {part.name: part.tokens for part in context.parts}
    assert (made.sealed, tokens["carried over"] > 200) == (SEALED, True)
    assert [part.detail for part in context.parts if part.name == "messages"] == ["1 message"]
