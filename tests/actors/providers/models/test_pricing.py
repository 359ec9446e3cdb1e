"""What an answer costs: hand-computed examples of real usages, and what holds for all of them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.messages.model import ModelFacts, Price
from actors.messages.usage import Usage
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.wire_format import Pass
from actors.providers.models.pricing import FREE, cost_usd, is_known, with_prices
from actors.providers.services import model_table
from tests import ROOT

RECORDED = ROOT.parent / "shared" / "fixtures" / "expected.json"
TIERED = ModelFacts(
    id="m",
    aliases=("m-latest",),
    prices=(
        Price(input=2, output=10, cache_read=0.2, cache_write=2.5, cache_write_1h=4),
        Price(above=1000, input=4, output=15, cache_read=0.4, cache_write=5, cache_write_1h=8),
    ),
    search_usd=0.01,
)


def known(provider: str, name: str) -> ModelFacts:
    facts = model_table.facts(provider, name)
    assert facts is not None
    return facts


def used(prompt: int = 0, output: int = 0, **more: int) -> Usage:
    return Usage(input_tokens=prompt, output_tokens=output, **more)


@pytest.mark.parametrize(
    ("provider", "name", "usage", "millionths"),
    [
        ("anthropic", "claude-sonnet-4-5", used(1114, 406, cache_read_tokens=1111), 3 * 3 + 1111 * 0.3 + 406 * 15),
        (
            "anthropic",
            "claude-sonnet-5",
            used(9632, 198, cache_read_tokens=6289, cache_write_tokens=3337),
            6 * 2 + 6289 * 0.2 + 3337 * 2.5 + 198 * 10,
        ),
        ("anthropic", "claude-opus-4-1-20250805", used(10423, 341, searches=1), 10423 * 15 + 341 * 75 + 10_000),
        (
            "anthropic",
            "claude-opus-5-5",
            used(900, 1, cache_write_tokens=900, cache_write_1h_tokens=400),
            500 * 5 + 400 * 8 + 20,
        ),
        ("anthropic", "claude-haiku-5-5", used(100_000, 10), 100_000 * 0.1 + 10 * 0.5),
        ("anthropic", "claude-haiku-5-5", used(100_001, 10), 100_001 * 0.5 + 10 * 2.5),
        ("openai", "gpt-5.6-sol", used(4020, 5, cache_read_tokens=4012), 8 * 2 + 4012 * 0.2 + 5 * 10),
        ("openai", "gpt-6.2-sol", used(272_000, 1), 272_000 * 2 + 10),
        ("openai", "gpt-6.2-sol", used(272_001, 1, cache_read_tokens=272_000), 4 + 272_000 * 0.2 + 15),
        ("openai", "gpt-5.5", used(132, 69, reasoning_tokens=26), 132 * 5 + 69 * 30),
        ("deepseek", "deepseek-reasoner", used(339, 83, cache_read_tokens=320), 19 * 0.14 + 320 * 0.0028 + 83 * 0.28),
    ],
)
def test_an_answer_costs_what_its_services_prices_say(
    provider: str, name: str, usage: Usage, millionths: float
) -> None:
    assert cost_usd(known(provider, name), [Pass(usage)]) == pytest.approx(millionths / 1e6, rel=1e-12)


@pytest.mark.parametrize(
    ("recording", "name"),
    [
        ("text-comments.sse", "anthropic/claude-haiku-4.5"),
        ("cache-usage-chunk.sse", "anthropic/claude-sonnet-4.6"),
        ("reasoning-details-signature-tool.sse", "anthropic/claude-haiku-4.5"),
        ("reasoning-details-o3.sse", "openai/o3"),
        ("parallel-gemini.sse", "google/gemini-3.1-flash-lite-preview"),
    ],
)
def test_the_table_agrees_with_what_a_service_said_it_took(recording: str, name: str) -> None:
    if not RECORDED.exists():
        pytest.skip("the recorded streams are not here")
    counts = json.loads(RECORDED.read_text())[f"openrouter/{recording}"]["usage"]

    cost = cost_usd(known("openrouter", name), [Pass(used(counts["prompt_tokens"], counts["completion_tokens"]))])

    assert cost == pytest.approx(counts["cost"], rel=1e-9)


def test_a_compaction_is_billed_as_a_pass_of_its_own() -> None:
    passes = [Pass(used(55_196, 83, cache_read_tokens=55_096)), Pass(used(181, 8))]

    cost = cost_usd(known("anthropic", "claude-sonnet-4-6"), passes)

    assert cost == pytest.approx((100 * 3 + 55_096 * 0.3 + 83 * 15 + 181 * 3 + 8 * 15) / 1e6)


def test_a_pass_of_another_model_has_that_models_price() -> None:
    passes = [Pass(used(1128, 135)), Pass(used(2543, 18), "claude-opus-4-8"), Pass(used(1283, 10), "claude-sonnet-5")]

    cost = cost_usd(known("anthropic", "claude-sonnet-5"), passes, lambda name: known("anthropic", name))

    assert cost == pytest.approx((1128 * 2 + 135 * 10 + 2543 * 5 + 18 * 25 + 1283 * 2 + 10 * 10) / 1e6)


def test_a_tier_is_chosen_by_the_prompt_of_each_pass() -> None:
    assert cost_usd(TIERED, [Pass(used(1000)), Pass(used(1000))]) == 0.004
    assert cost_usd(TIERED, [Pass(used(1001))]) == 0.004004


@pytest.mark.parametrize(
    ("facts", "passes"),
    [
        (ModelFacts(), [Pass(used(1, 1))]),
        (ModelFacts(prices=(Price(input=1, output=1),)), [Pass(used(2, cache_read_tokens=1))]),
        (ModelFacts(prices=(Price(input=1, output=1),)), [Pass(used(2, cache_write_tokens=1))]),
        (ModelFacts(prices=(Price(input=1, output=1, cache_write=1),)),
         [Pass(used(2, cache_write_tokens=1, cache_write_1h_tokens=1))]),
        (ModelFacts(prices=(Price(input=1, output=1),)), [Pass(used(2, searches=1))]),
        (ModelFacts(prices=(Price(above=9, input=1, output=1),)), [Pass(used(2))]),
        (TIERED, [Pass(used(1)), Pass(used(1), "somebody-else")]),
        (TIERED, [Pass(used())]),
        (TIERED, [Pass(used(0, 5))]),
        (TIERED, [Pass(used(1, cache_read_tokens=2))]),
        (TIERED, []),
    ],
    ids=["no prices", "no price to read", "no price to write", "no price for an hour", "no price to search",
         "no price for so few", "an unknown model", "no usage", "no prompt", "contradictory", "no pass"],
)  # fmt: skip
def test_what_is_not_known_has_no_cost(facts: ModelFacts, passes: list[Pass]) -> None:
    assert cost_usd(facts, passes) is None


counts = st.integers(0, 3000)


@st.composite
def usages(draw: st.DrawFn) -> Usage:
    read, written, hour, fresh = draw(counts), draw(counts), draw(counts), draw(st.integers(1, 3000))
    return Usage(
        input_tokens=fresh + read + written + hour,
        cache_read_tokens=read,
        cache_write_tokens=written + hour,
        cache_write_1h_tokens=hour,
        output_tokens=draw(counts),
        searches=draw(st.integers(0, 3)),
    )


@given(usages(), usages(), st.sampled_from(["", "m", "m-latest"]))
def test_passes_add_up_and_are_never_negative(one: Usage, other: Usage, name: str) -> None:
    apart = cost_usd(TIERED, [Pass(one)]), cost_usd(TIERED, [Pass(other, name)])
    together = cost_usd(TIERED, [Pass(one), Pass(other, name)])

    assert apart[0] is not None
    assert apart[1] is not None
    assert min(apart) > 0
    assert together == pytest.approx(apart[0] + apart[1], rel=1e-12)


@given(usages(), st.integers(1, 100))
def test_more_of_anything_never_costs_less(usage: Usage, more: int) -> None:
    cost = cost_usd(TIERED, [Pass(usage)])
    dearer = [
        usage + used(more),
        usage + used(0, more),
        usage + used(more, cache_write_tokens=more, cache_write_1h_tokens=more),
    ]

    assert cost is not None
    assert all((cost_usd(TIERED, [Pass(one)]) or 0) > cost for one in dearer)


def local(dialect: str, url: str = "http://127.0.0.1:1/v1", key_env: str = "", name: str = "m") -> Target:
    return Target(Endpoint(provider="p", api="openai-chat", base_url=url, dialect=dialect, key_env=key_env), name)


def test_a_model_on_this_machine_costs_nothing() -> None:
    target = with_prices(local("ollama"))

    assert target.facts.prices == FREE
    assert cost_usd(target.facts, [Pass(used(9, 9, cache_read_tokens=3))]) == 0
    assert is_known(target)


@pytest.mark.parametrize(
    "target",
    [
        local(""),  # a gateway may listen here and ask others
        local("ollama", "http://gpu-box:11434/v1"),
        local("vllm", key_env="KEY"),
        local("ollama", name="gpt-oss:120b-cloud"),
    ],
)
def test_what_may_be_answered_elsewhere_has_no_price(target: Target) -> None:
    assert with_prices(target) == target
    assert not is_known(target)


def test_what_the_user_says_of_a_price_counts() -> None:
    mine = Target(local("ollama").endpoint, "m", TIERED)

    assert with_prices(mine) == mine


def test_openrouter_says_itself_what_it_takes() -> None:
    assert is_known(local("openrouter"))
