"""The model's window and its shares."""

import pytest

from actors.agent.compaction.window import for_the_end, halved, of_model
from actors.messages.model import ModelFacts


@pytest.mark.parametrize(
    ("facts", "learned", "tokens", "full"),
    [
        (ModelFacts(), 0, 0, 0),
        (ModelFacts(), 10_000, 10_000, 8_000),
        (ModelFacts(context=200_000, max_output=32_000), 0, 200_000, 160_000),
        (ModelFacts(context=200_000, max_output=64_000), 0, 200_000, 150_000),
        (ModelFacts(context=32_768, max_output=32_768), 0, 32_768, 24_576),
        (ModelFacts(context=400_000, max_input=272_000, max_output=128_000), 0, 272_000, 217_600),
        (ModelFacts(context=100_000), 10_000, 100_000, 80_000),
    ],
)
def test_a_window_is_full_before_the_answer_has_no_room(
    facts: ModelFacts, learned: int, tokens: int, full: int
) -> None:
    window = of_model(facts, learned)

    assert (window.tokens, window.full) == (tokens, full)


def test_the_end_gets_less_where_what_is_carried_has_taken_more() -> None:
    window = of_model(ModelFacts(context=100_000), 0)

    shares = [for_the_end(window, taken).tokens for taken in (10_000, 40_000, 50_000, 60_000, 90_000)]

    assert shares == [100_000, 100_000, 60_000, 20_000, 20_000]


def test_half_of_a_window_is_half_of_all() -> None:
    assert halved(of_model(ModelFacts(context=100_000, max_output=20_000), 0)).full == 40_000
