"""Answers made to fit: what is good in them stays as it is, what is not is named or left out."""

from typing import Any

import pytest
from mcp_types import ListToolsResult
from mcp_types._v2025_11_25 import ListToolsResult as OfThen

from actors.mcp.transports.mending import TASK, mended

TEXT = {"type": "text", "text": "fine"}
PLACED = {"name": "a", "uri": "x://a"}
READ = {"uri": "x://a", "text": "t"}
SPOKEN = {"role": "user", "content": TEXT}
Json = dict[str, Any]


@pytest.mark.parametrize(
    "block",
    [
        {"type": "hologram"},
        {"type": "text"},
        {"type": "image", "data": "no base64!", "mimeType": "image/png"},
        {"type": "resource", "resource": {"text": "nowhere"}},
        {"type": 7},
        "bare",
        None,
    ],
)
def test_a_block_that_does_not_fit_is_text_that_says_so(block: object) -> None:
    result = mended("tools/call", {"content": [block, TEXT]})

    assert result["content"][0]["type"] == "text"
    assert "left out" in result["content"][0]["text"]
    assert result["content"][1] == TEXT


@pytest.mark.parametrize(
    ("structured", "content", "kept"),
    [({"a": 1}, [], {"a": 1}), ([1], [{"type": "text", "text": "[1]"}], None), (None, [], None)],
)
def test_structured_content_that_is_no_object_is_text(structured: object, content: list[Json], kept: object) -> None:
    result = mended("tools/call", {"structuredContent": structured})

    assert (result["content"], result.get("structuredContent")) == (content, kept)


def test_a_task_in_the_place_of_a_result_is_kept_beside_it() -> None:
    result = mended("tools/call", {"task": {"taskId": "t"}, "_meta": {"x": 1}})

    assert result == {"content": [], "_meta": {"x": 1, TASK: {"taskId": "t"}}}


def test_one_bad_tool_costs_no_other() -> None:
    good = {"name": "good", "inputSchema": {"type": "object", "properties": {}}}
    said: Json = {"tools": [good, {"name": 3}, "bare", {"name": "bare"}, {**good, "outputSchema": 5}], "nextCursor": 9}

    bare = {"name": "bare", "inputSchema": {"type": "object"}}
    assert mended("tools/list", said) == {"tools": [good, bare, good]}


@pytest.mark.parametrize(
    "spoilt",
    [
        {"title": 5},
        {"_meta": []},
        {"annotations": {"readOnlyHint": "yes"}},
        {"annotations": []},
        {"execution": {"taskSupport": "maybe"}},
        {"inputSchema": {"properties": [1]}},
        {"inputSchema": {"properties": {"a": 1}}},
        {"inputSchema": {"required": "a"}},
        {"inputSchema": {"required": [1]}},
        {"inputSchema": {"$schema": 1}},
    ],
)
def test_what_a_tool_says_beside_costs_neither_it_nor_others(spoilt: Json) -> None:
    said = mended("tools/list", {"tools": [{"name": "bare"}, {"name": "spoilt", **spoilt}]})

    assert [tool.name for tool in ListToolsResult.model_validate(said).tools] == ["bare", "spoilt"]
    assert [tool.name for tool in OfThen.model_validate(said).tools] == ["bare", "spoilt"]


@pytest.mark.parametrize("spoilt", [{"title": 5}, {"arguments": [{"name": 1}]}, {"arguments": 5}, {"_meta": 5}])
def test_what_a_prompt_says_beside_costs_it_nothing(spoilt: Json) -> None:
    said = mended("prompts/list", {"prompts": [{"name": "a", **spoilt}]})

    assert said == {"prompts": [{"name": "a"}]}


@pytest.mark.parametrize(
    ("method", "said", "made"),
    [
        ("resources/list", {"resources": [PLACED, {"name": "b"}]}, {"resources": [PLACED]}),
        ("prompts/list", {"prompts": {"name": "a"}}, {"prompts": []}),
        ("resources/read", {"contents": [READ, {"uri": "x://b"}]}, {"contents": [READ]}),
        ("prompts/get", {"messages": [SPOKEN, {"role": "?"}]}, {"messages": [SPOKEN]}),
        ("ping", {"anything": 1}, {"anything": 1}),
    ],
)
def test_of_other_answers_what_fits_is_kept(method: str, said: Json, made: Json) -> None:
    assert mended(method, said) == made


def test_a_question_of_the_server_is_no_result_and_stays() -> None:
    said = {"resultType": "input_required", "inputRequests": {}}

    assert mended("tools/call", said) == said
