"""What a session may cost: sums, refusals, and money in words."""

import math

import pytest

from actors.common.budget import dollars, in_words, over, spent, unpriced
from actors.messages.budget import Budget, BudgetIs
from actors.messages.conversation import (
    AssistantMessage,
    BrokenTry,
    Compacted,
    StopReason,
)
from actors.messages.usage import Usage


def answer(cost: float | None, stop_reason: StopReason = "end_turn") -> AssistantMessage:
    return AssistantMessage(blocks=(), stop_reason=stop_reason, model="m", usage=Usage(cost_usd=cost))


def broken(cost: float | None) -> BrokenTry:
    return BrokenTry(usage=Usage(cost_usd=cost))


@pytest.mark.parametrize(
    ("answers", "sum_usd"),
    [
        ([], 0.0),
        ([answer(0.25), answer(0.5)], 0.75),
        ([answer(0.25), answer(None), answer(0.5)], None),
        ([answer(0.25), answer(None, "cancelled"), answer(0.5)], 1.0),
        ([answer(None, "cancelled")], 0.0),
        ([answer(0.25), answer(-5.0)], None),
        ([answer(float("nan"))], None),
        ([answer(1e308), answer(1e308)], None),
        ([answer(-5.0, "cancelled")], None),
        ([broken(0.25), answer(0.5)], 0.75),
        ([answer(0.5), broken(None), broken(0.25), broken(None)], 1.75),
        ([broken(math.nan)], None),
    ],
    ids=[
        "nothing",
        "known",
        "one unknown",
        "an interrupted one counts as the one before",
        "only an interrupted one",
        "less than nothing is unknown",
        "no number is unknown",
        "more than can be added up is unknown",
        "less than nothing, interrupted",
        "what broke off counts",
        "one that was not counted counts as the answer before",
        "no number is unknown, broken off",
    ],
)
def test_what_was_spent(answers: list[AssistantMessage | BrokenTry], sum_usd: float | None) -> None:
    assert spent(answers) == sum_usd


def standing(usd: float | None) -> BudgetIs:
    budget = Budget(session_id="s", usd=0.5, what="this session", again="trouper -c")
    return BudgetIs(budget=budget, usd=usd, tokens=0)


def test_below_the_limit_nothing_is_refused() -> None:
    assert over(standing(0.49)) is None


def test_at_the_limit_the_refusal_says_how_to_go_on() -> None:
    problem = over(standing(0.5))

    assert problem is not None
    assert problem.code == "over_budget"
    assert problem.text == "this session has cost $0.50, and --max-cost is $0.50."
    assert problem.hint == "Go on with: trouper -c --max-cost 1"


def test_what_is_not_known_is_refused() -> None:
    problem = over(standing(None))

    assert problem is not None
    assert problem.text == "what this session has cost so far is unknown, so --max-cost cannot be kept."
    assert '[models."a/b"]' in unpriced("a/b").hint


@pytest.mark.parametrize(
    ("amount", "words"),
    [
        (0.0, "$0.00"),
        (12.3, "$12.30"),
        (1.0, "$1.00"),
        (0.14, "$0.14"),
        (0.5, "$0.50"),
        (0.0123, "$0.0123"),
        (0.01234567, "$0.0123"),
        (0.000021, "$0.000021"),
        (0.0000000012, "$0.0000000012"),
        (-5.0, "-$5.00"),
        (-0.0123, "-$0.0123"),
        (float("inf"), "$inf"),
        (float("nan"), "$nan"),
    ],
)
def test_small_sums_keep_the_digits_that_count(amount: float, words: str) -> None:
    assert dollars(amount) == words


@pytest.mark.parametrize(
    ("usage", "words"),
    [
        (Usage(cost_usd=0.0), ""),
        (Usage(), ""),
        (Usage(input_tokens=1, cost_usd=0.0), "$0.00"),
        (Usage(input_tokens=1, cost_usd=0.02), "$0.02"),
        (Usage(input_tokens=1), "cost unknown"),
        (Usage(input_tokens=1, cost_usd=-5.0), "cost unknown"),
        (Usage(cost_usd=float("inf")), "cost unknown"),
        (Usage(cost_usd=0.5) + Usage(cost_usd=-0.25, input_tokens=1), "cost unknown"),
    ],
)
def test_a_cost_in_words(usage: Usage, words: str) -> None:
    assert in_words(usage) == words


def test_a_summary_is_paid_for_and_an_interrupted_answer_does_not_count_as_much() -> None:
    summary = Compacted(why="window", usage=Usage(cost_usd=2.0))

    assert spent([answer(0.25), summary, answer(None, "cancelled")]) == 2.5
    assert spent([Compacted(why="window")]) == 0.0
    assert spent([Compacted(why="window", usage=Usage(input_tokens=5))]) is None
