"""What tokens an answer took, in the words of every server."""

import pytest

from actors.messages.usage import Usage
from tests.actors.providers.formats.openai_chat.streams import DONE, Json, at_once, chat, frame, said, streamed, whole


@pytest.mark.parametrize(
    ("dialect", "members", "expected"),
    [
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "total_tokens": 28,
                    "prompt_tokens_details": {"cached_tokens": 5},
                }
            },
            Usage(input_tokens=20, cache_read_tokens=5, output_tokens=8),
            id="OpenAI",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "completion_tokens_details": {"reasoning_tokens": 3},
                }
            },
            Usage(input_tokens=20, output_tokens=8, reasoning_tokens=3),
            id="no total",
        ),
        pytest.param(
            "",
            {"x_groq": {"usage": {"prompt_tokens": 20, "completion_tokens": 8}}},
            Usage(input_tokens=20, output_tokens=8),
            id="Groq",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "prompt_cache_hit_tokens": 15,
                    "prompt_cache_miss_tokens": 5,
                }
            },
            Usage(input_tokens=20, cache_read_tokens=15, output_tokens=8),
            id="DeepSeek",
        ),
        pytest.param(
            "",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8, "cached_tokens": 15}},
            Usage(input_tokens=20, cache_read_tokens=15, output_tokens=8),
            id="Moonshot",
        ),
        pytest.param(
            "",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8}, "timings": {"cache_n": 19, "prompt_n": 1}},
            Usage(input_tokens=20, cache_read_tokens=19, output_tokens=8),
            id="llama.cpp",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "total_tokens": 40,
                    "completion_tokens_details": {"reasoning_tokens": 12},
                }
            },
            Usage(input_tokens=20, output_tokens=20, reasoning_tokens=12),
            id="xAI",
        ),
        pytest.param(
            "google",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8, "total_tokens": 40}},
            Usage(input_tokens=20, output_tokens=20, reasoning_tokens=12),
            id="Gemini",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "cost": 0.25,
                    "server_tool_use": {"web_search_requests": 2},
                }
            },
            Usage(input_tokens=20, output_tokens=8, cost_usd=0.25, searches=2),
            id="OpenRouter",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "cost": 0.25,
                    "is_byok": True,
                    "cost_details": {"upstream_inference_cost": 0.5},
                }
            },
            Usage(input_tokens=20, output_tokens=8, cost_usd=0.75),
            id="OpenRouter with the user's own key",
        ),
        pytest.param(
            "",
            {
                "usage": {
                    "prompt_tokens": 20,
                    "completion_tokens": 8,
                    "cost": {"total": 1},
                    "prompt_tokens_details": None,
                }
            },
            Usage(input_tokens=20, output_tokens=8),
            id="a cost of another kind",
        ),
        pytest.param(
            "xai",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8, "total_tokens": 40}},
            Usage(input_tokens=20, output_tokens=20, reasoning_tokens=12),
            id="xAI, told only by the total",
        ),
        pytest.param(
            "",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8, "total_tokens": 9028, "cached_tokens": 19}},
            Usage(input_tokens=20, cache_read_tokens=19, output_tokens=8),
            id="a total of other things as well",
        ),
        pytest.param(
            "",
            {"timings": {"cache_n": 19, "prompt_n": 1, "predicted_n": 8}},
            Usage(input_tokens=20, cache_read_tokens=19, output_tokens=8),
            id="llama.cpp without usage",
        ),
        pytest.param(
            "",
            {"usage": {"prompt_tokens": 20, "completion_tokens": 8, "cost": 0, "is_byok": True}},
            Usage(input_tokens=20, output_tokens=8, cost_usd=None),
            id="OpenRouter with the user's own key, without its cost",
        ),
        pytest.param("", {"usage": None}, Usage(), id="null"),
        pytest.param("", {"usage": "many"}, Usage(), id="nonsense"),
        pytest.param("", {}, Usage(), id="none at all"),
    ],
)
def test_tokens_are_counted_in_everybodys_words(dialect: str, members: Json, expected: Usage) -> None:
    assert streamed(chat({"content": "x"}, **members), dialect=dialect)[1].message.usage == expected
    assert at_once(whole({"content": "x"}, **members), dialect)[1].message.usage == expected


def test_moonshot_counts_in_the_choice() -> None:
    last = {"choices": [{"delta": {}, "finish_reason": "stop", "usage": {"prompt_tokens": 20, "completion_tokens": 8}}]}

    assert said([*chat({"content": "x"})[:1], frame(last), DONE]).usage == Usage(input_tokens=20, output_tokens=8)


def test_the_last_counts_are_those_of_the_answer() -> None:
    early = frame({"choices": [], "usage": {"prompt_tokens": 20, "completion_tokens": 0}})

    counted = said([early, *chat({"content": "x"}, usage={"prompt_tokens": 20, "completion_tokens": 8})]).usage

    assert counted == Usage(input_tokens=20, output_tokens=8)


@pytest.mark.parametrize("place", ["chunk", "choice"])
def test_zeros_behind_the_counts_are_none(place: str) -> None:
    zeros = {"usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}}
    last = {"choices": [], **zeros} if place == "chunk" else {"choices": [{"delta": {}, **zeros}]}
    counts = {"prompt_tokens": 20, "completion_tokens": 8}

    counted = said([*chat({"content": "x"}, done=False, usage=counts), frame(last), DONE]).usage

    assert counted == Usage(input_tokens=20, output_tokens=8)
