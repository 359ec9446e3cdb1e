"""What it is going to take, in numbers and in words."""

import pytest

from actors.messages.model import ModelFacts, Price
from ui.inquiry.estimate import Estimate, estimate, in_words

PRICED = ModelFacts(prices=(Price(input=3, output=15), Price(above=200_000, input=6, output=30)))
UNPRICED = ModelFacts()


def test_each_question_costs_what_is_sent_and_a_usual_answer() -> None:
    found = estimate(PRICED, [100_000, 100_000], answered=3)

    assert found == Estimate(to_ask=2, answered=3, tokens=200_000, usd=pytest.approx(2 * (0.3 + 0.03)))


def test_a_long_prompt_costs_more() -> None:
    assert estimate(PRICED, [300_000], 0).usd == pytest.approx(1.8 + 0.06)


@pytest.mark.parametrize(
    ("facts", "sizes", "large"),
    [
        (PRICED, [300_000], True),
        (PRICED, [100_000], False),
        (UNPRICED, [500_001], True),
        (UNPRICED, [500_000], False),
        (UNPRICED, [], False),
    ],
)
def test_what_is_much_is_asked_about(facts: ModelFacts, sizes: list[int], large: bool) -> None:
    assert estimate(facts, sizes, 0).is_large == large


@pytest.mark.parametrize(
    ("facts", "sizes", "answered", "said"),
    [
        (PRICED, [1000], 0, "1 chunk for a/b: about 1,000 tokens, about $0.033"),
        (UNPRICED, [1000, 1000], 0, "2 chunks for a/b: about 2,000 tokens; its price is not known"),
        (PRICED, [1000], 4, "1 chunk (4 more answered before) for a/b: about 1,000 tokens, about $0.033"),
        (PRICED, [], 5, "nothing is left to ask: 5 chunks answered before"),
    ],
)
def test_it_is_said_in_a_line(facts: ModelFacts, sizes: list[int], answered: int, said: str) -> None:
    assert in_words(estimate(facts, sizes, answered), "chunk", "a/b") == said
