"""Many questions: each is answered once, so many at a time, and one's problem is not the others'."""

from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.budget import Budget, Budgets, ReadBudgets
from tests.fakes.network import Network
from tests.ui.inquiry.asking import COST, Ears, Model, answer, inquiry, questions, start_store

FIVE = ("a", "b", "c", "d", "e")


async def test_each_is_asked_once_and_its_answer_heard(tmp_path: Path) -> None:
    model, ears = Model(), Ears()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        await inquiry(network).ask_all(questions(*FIVE), ears)
        nursery.cancel_scope.cancel()

    assert sorted(model.prompts) == list(FIVE)
    assert {name: heard.text for name, heard in ears.heard.items()} == {name: f"to {name}" for name in FIVE}
    assert {ask.tools for ask in model.asked} == {()}
    assert {len(ask.history) for ask in model.asked} == {1}


async def test_as_many_are_under_way_as_there_are_workers(tmp_path: Path) -> None:
    model, ears = Model(), Ears()
    model.hold()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)

        async def ask() -> None:
            await inquiry(network, workers=3).ask_all(questions(*FIVE), ears)
            nursery.cancel_scope.cancel()

        nursery.start_soon(ask)
        await model.until_asked(3)
        await wait_all_tasks_blocked()
        begun = list(ears.begun)
        model.held.set()

    assert len(begun) == 3
    assert model.most_at_once == 3
    assert set(ears.heard) == set(FIVE)


async def test_what_is_answered_is_not_asked_again(tmp_path: Path) -> None:
    model, first, second = Model(), Ears(), Ears()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        asking = inquiry(network)
        await asking.ask_all(questions("a", "b"), first)
        left = await asking.unanswered(questions(*FIVE))
        await asking.ask_all(questions(*FIVE), second)
        nursery.cancel_scope.cancel()

    assert [one.id for one in left] == ["c", "d", "e"]
    assert sorted(model.prompts) == list(FIVE)
    assert second.heard["a"] == msgspec.structs.replace(first.heard["a"], is_new=False)
    assert {name for name, heard in second.heard.items() if not heard.is_new} == {"a", "b"}


async def test_another_model_or_system_prompt_is_another_question(tmp_path: Path) -> None:
    model = Model()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        await inquiry(network).ask_all(questions("a"), Ears())
        await inquiry(network, model="local/other").ask_all(questions("a"), Ears())
        nursery.cancel_scope.cancel()

    assert [ask.model for ask in model.asked] == ["local/m", "local/other"]


async def test_an_answer_survives_the_store_and_the_model(tmp_path: Path) -> None:
    model, ears = Model(), Ears()
    model.hold()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)

        async def ask() -> None:
            await inquiry(network).ask_all(questions(*FIVE), ears)
            nursery.cancel_scope.cancel()

        nursery.start_soon(ask)
        await model.until_asked(2)
        network.kill("providers")
        network.start("providers", model.run)
        await model.until_asked(4)
        network.kill("store")
        start_store(network, tmp_path)
        model.held.set()

    assert {name: heard.text for name, heard in ears.heard.items()} == {name: f"to {name}" for name in FIVE}
    assert len(model.asked) == len(FIVE) + 2


@pytest.mark.parametrize("code", ["bad_request", "context_overflow"])
async def test_what_is_one_questions_problem_is_not_the_others(tmp_path: Path, code: str) -> None:
    too_long = Problem(code=code, text="no.")  # type: ignore[arg-type]
    model, ears = Model(lambda prompt: too_long if prompt == "b" else answer()), Ears()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        await inquiry(network).ask_all(questions(*FIVE), ears)
        nursery.cancel_scope.cancel()

    assert (set(ears.heard), ears.missed) == ({"a", "c", "d", "e"}, {"b": code})


async def test_what_is_everybodys_problem_ends_it_and_it_is_asked_again_later(tmp_path: Path) -> None:
    says = {"c": Problem(code="unauthorized", text="no such key.")}
    model, ears = Model(lambda prompt: says.pop(prompt, answer(prompt))), Ears()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        asking = inquiry(network, workers=1)
        with pytest.raises(Failed, match="no such key"):
            await asking.ask_all(questions(*FIVE), ears)
        before = list(ears.heard)
        rest = Ears()
        await asking.ask_all(questions(*FIVE), rest)
        nursery.cancel_scope.cancel()

    assert "c" not in before
    assert set(rest.heard) == set(FIVE)
    assert sorted(model.prompts) == ["a", "b", "c", "c", "d", "e"]


async def test_a_budget_ends_it_before_the_request_that_would_go_over(tmp_path: Path) -> None:
    model, ears, more = Model(), Ears(), Ears()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        with pytest.raises(Failed) as stopped:
            await inquiry(network, workers=1, usd=2 * COST).ask_all(questions(*FIVE), ears)
        await inquiry(network, workers=1, usd=100.0).ask_all(questions(*FIVE), more)
        nursery.cancel_scope.cancel()

    assert stopped.value.problem.code == "over_budget"
    assert len(ears.heard) == 2
    assert set(more.heard) == set(FIVE)
    assert sorted(model.prompts) == list(FIVE)


async def test_a_try_that_broke_off_is_billed_and_waited_for(tmp_path: Path) -> None:
    model, ears = Model(), Ears()
    model.broken = True

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        await inquiry(network, usd=100.0).ask_all(questions("a"), ears)
        asked = ReadBudgets(budgets=(Budget(session_id="run"),))
        (now,) = (await network.mailbox("agent:main").insist("store", asked, Budgets)).budgets
        nursery.cancel_scope.cancel()

    assert ears.waited == ["a: it broke off"]
    assert (now.usd, now.requests) == (2 * COST, 0)


async def test_nothing_stays_reserved_when_it_is_cancelled(tmp_path: Path) -> None:
    model = Model()
    model.hold()

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        async with trio.open_nursery() as asking:
            asking.start_soon(inquiry(network, usd=100.0).ask_all, questions(*FIVE), Ears())
            await model.until_asked(2)
            asking.cancel_scope.cancel()
        asked = ReadBudgets(budgets=(Budget(session_id="run"),))
        (now,) = (await network.mailbox("agent:main").insist("store", asked, Budgets)).budgets
        nursery.cancel_scope.cancel()

    assert (now.usd, now.requests) == (0.0, 0)
    assert list((tmp_path / "run").glob("run.*.lock")) == []


@pytest.mark.parametrize(
    ("stop_reason", "problem"),
    [
        ("end_turn", ""),
        ("max_tokens", "the answer was cut off at the model's limit"),
        ("refusal", "the model refused to answer"),
    ],
)
async def test_an_answer_that_is_not_whole_says_so(tmp_path: Path, stop_reason: str, problem: str) -> None:
    model, ears = Model(lambda _: answer(stop_reason=stop_reason)), Ears()  # type: ignore[arg-type]

    async with trio.open_nursery() as nursery:
        network = Network(nursery)
        start_store(network, tmp_path)
        network.start("providers", model.run)
        await inquiry(network).ask_all(questions("a"), ears)
        nursery.cancel_scope.cancel()

    assert ears.heard["a"].problem == problem
