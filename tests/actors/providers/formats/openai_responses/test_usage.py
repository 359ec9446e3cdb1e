"""What an answer used, however oddly it is said."""

import pytest

from actors.messages.usage import Usage
from tests.actors.providers.formats.openai_responses.streams import Json, answer, completed, done, message


def test_the_service_knows_best_how_many_searches_it_bills() -> None:
    search = {"type": "web_search_call", "action": {"type": "search"}}

    said = answer(done(0, search), completed(tool_usage={"web_search": {"num_requests": 3}}))

    assert said.message.usage.searches == 3


def test_counts() -> None:
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 30},
        "output_tokens": 20,
        "output_tokens_details": {"reasoning_tokens": 15},
        "total_tokens": 120,
        "cost": 0.25,
    }

    assert answer(done(0, message("So.")), completed(usage=usage)).message.usage == Usage(
        input_tokens=100,
        cache_read_tokens=60,
        cache_write_tokens=30,
        output_tokens=20,
        reasoning_tokens=15,
        cost_usd=0.25,
    )


@pytest.mark.parametrize("usage", [None, "free", {"input_tokens": "many"}])
def test_odd_counts_are_no_reason_to_lose_the_answer(usage: object) -> None:
    assert answer(done(0, message("So.")), completed(usage=usage)).message.text == "So."


@pytest.mark.parametrize(
    ("odd", "usage"),
    [
        ({"input_tokens": None}, Usage(output_tokens=5)),
        ({"input_tokens": 7, "input_tokens_details": []}, Usage(input_tokens=7, output_tokens=5)),
        ({"output_tokens_details": {"reasoning_tokens": "many"}}, Usage(output_tokens=5)),
    ],
)
def test_one_odd_count_costs_no_other(odd: Json, usage: Usage) -> None:
    said = answer(done(0, message("So.")), completed(usage={"output_tokens": 5, **odd}))

    assert said.message.usage == usage


@pytest.mark.parametrize(
    ("counts", "cost_usd"),
    [
        ({"cost": 0.25, "is_byok": False}, 0.25),
        ({"cost": 0, "is_byok": True}, None),
        ({"cost": 0.25, "is_byok": True, "cost_details": {"upstream_inference_cost": 0.5}}, 0.75),
    ],
)
def test_what_the_owner_of_the_key_pays_is_part_of_the_cost(counts: Json, cost_usd: float | None) -> None:
    assert answer(done(0, message("So.")), completed(usage=counts)).message.usage.cost_usd == cost_usd
