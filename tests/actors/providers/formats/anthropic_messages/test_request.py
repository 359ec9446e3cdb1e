"""How a conversation is asked in the Messages format: messages, thinking, tools, headers."""

import json
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    ModelInput,
    Opaque,
    Source,
    StopReason,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel, ModelFacts, ThinkingKind
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.anthropic_messages import FORMAT
from actors.providers.formats.wire_format import HttpRequest
from tests.actors.providers.formats.conversations import IMAGE, MODEL, PATCH, PDF, READ, SEARCHED

HELLO = UserMessage(text="Hello", turn_id="t1")
WELL = UserMessage(text="Well?", turn_id="t2")
THOUGHT = Thinking(text="Hm.", signature="c2ln")
ENDPOINT = Endpoint(provider="test", api="anthropic-messages", base_url="https://a.example", key="planted-key")
MODELS: dict[ThinkingKind, ModelFacts] = {
    kind: ModelFacts(id="model", thinking=kind, max_output=64_000, efforts=("low", "high", "max"))
    for kind in ("", "always", "adaptive", "optional", "budget")
}
ASK = AskModel(model=MODEL, session_id="s", system="Be brief.", history=(HELLO,), tools=(READ,))
SHOWN = {"type": "adaptive", "display": "summarized"}


def sent(ask: AskModel = ASK, facts: ModelFacts | None = None, **endpoint: Any) -> HttpRequest:  # noqa: ANN401
    where = replace(ENDPOINT, **endpoint)
    return FORMAT.request(Target(where, "model", facts or ModelFacts()), ask)


def body(ask: AskModel = ASK, facts: ModelFacts | None = None, **endpoint: Any) -> Any:  # noqa: ANN401  # any JSON
    return json.loads(sent(ask, facts, **endpoint).body)


def asking(*history: ModelInput, **changes: Any) -> AskModel:  # noqa: ANN401
    return msgspec.structs.replace(ASK, history=history, **changes)


def answer(*blocks: Block, stop: StopReason = "end_turn") -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason=stop, model=MODEL)


def call(call_id: str = "c1") -> ToolCall:
    return ToolCall(call_id=call_id, name="read", arguments='{"path":"x"}')


def result(call_id: str = "c1", **changes: Any) -> ToolResult:  # noqa: ANN401
    return msgspec.structs.replace(ToolResult(call_id=call_id, name="read", output="text of x"), **changes)


def own(data: str) -> Opaque:
    return Opaque(api="anthropic-messages", data=data)


def said(*history: ModelInput, **changes: Any) -> list[tuple[str, list[Any]]]:  # noqa: ANN401
    """The messages without their marks for caching."""

    def unmarked(block: dict[str, Any]) -> dict[str, Any]:
        return {name: value for name, value in block.items() if name != "cache_control"}

    messages = body(asking(*history, **changes))["messages"]
    return [(message["role"], [unmarked(block) for block in message["content"]]) for message in messages]


def types(*history: ModelInput, **changes: Any) -> list[list[str]]:  # noqa: ANN401
    return [[block["type"] for block in content] for _, content in said(*history, **changes)]


@pytest.mark.parametrize(
    ("kind", "effort", "thinking", "output_config"),
    [
        ("", "", None, None),
        ("", "low", None, {"effort": "low"}),
        ("", "off", None, None),
        ("always", "", SHOWN, None),
        ("always", "max", SHOWN, {"effort": "max"}),
        ("adaptive", "", SHOWN, None),
        ("adaptive", "high", SHOWN, {"effort": "high"}),
        ("adaptive", "off", {"type": "disabled"}, None),
        ("optional", "", None, None),
        ("optional", "low", SHOWN, {"effort": "low"}),
        ("optional", "off", None, None),
        ("budget", "", None, None),
        ("budget", "off", None, None),
        ("budget", "low", {"type": "enabled", "budget_tokens": 4_000}, {"effort": "low"}),
        ("budget", "max", {"type": "enabled", "budget_tokens": 32_000}, {"effort": "max"}),
    ],
)
def test_how_a_model_is_told_to_think(kind: ThinkingKind, effort: str, thinking: object, output_config: object) -> None:
    asked = body(asking(HELLO, effort=effort), MODELS[kind])

    assert (asked.get("thinking"), asked.get("output_config")) == (thinking, output_config)


def test_a_budget_leaves_room_for_the_answer() -> None:
    def budget(max_output: int, effort: str = "high") -> object:
        facts = ModelFacts(id="model", thinking="budget", max_output=max_output)
        return body(asking(HELLO, effort=effort), facts).get("thinking", {}).get("budget_tokens")

    assert (budget(64_000), budget(8_192), budget(2_048), budget(2_000)) == (16_000, 4_096, 1_024, None)


def test_an_effort_a_model_lacks_is_not_sent_and_of_an_unknown_one_it_is() -> None:
    budgeted = ModelFacts(id="model", thinking="budget", max_output=64_000)

    assert "output_config" not in body(asking(HELLO, effort="high"), budgeted)
    assert body(asking(HELLO, effort="xhigh"))["output_config"] == {"effort": "xhigh"}


def test_the_limit_is_the_models_own() -> None:
    assert body()["max_tokens"] == 32_000
    assert body(facts=ModelFacts(id="model", max_output=128_000))["max_tokens"] == 128_000


@pytest.mark.parametrize(
    ("kind", "effort", "tools", "beta"),
    [
        ("budget", "high", (READ,), "interleaved-thinking-2025-05-14"),
        ("budget", "high", (), None),
        ("budget", "", (READ,), None),
        ("adaptive", "high", (READ,), None),
    ],
)
def test_thinking_between_calls_is_a_beta_of_older_models(
    kind: ThinkingKind, effort: str, tools: tuple[()], beta: str | None
) -> None:
    assert sent(asking(HELLO, effort=effort, tools=tools), MODELS[kind]).headers.get("anthropic-beta") == beta


def test_a_beta_that_a_block_came_with_goes_back_with_it() -> None:
    ask = asking(HELLO, answer(own('{"type":"compaction","content":"All."}'), Text(text="Hi")), WELL, effort="low")

    headers = sent(ask, MODELS["budget"]).headers

    assert headers["anthropic-beta"] == "interleaved-thinking-2025-05-14,compact-2026-01-12"


def test_a_small_context_keeps_room_for_the_prompt() -> None:
    assert body(facts=ModelFacts(id="model", context=200_000, max_output=64_000))["max_tokens"] == 32_000
    assert body(facts=ModelFacts(id="model", context=1_000_000, max_output=128_000))["max_tokens"] == 128_000


def test_where_it_goes_and_how_it_proves_itself() -> None:
    request, listing = sent(), FORMAT.list_models(ENDPOINT)

    assert (request.url, listing.url) == ("https://a.example/v1/messages", "https://a.example/v1/models")
    assert request.headers == {
        "x-api-key": "planted-key",
        "anthropic-version": "2023-06-01",
        "content-type": "application/json",
        "accept": "text/event-stream",
    }
    assert "planted-key" not in repr((request, listing))
    assert "x-api-key" not in sent(key="").headers


def test_a_token_is_a_bearer() -> None:
    headers = sent(sign_in="copilot").headers

    assert (headers["authorization"], headers.get("x-api-key")) == ("Bearer planted-key", None)


def test_own_blocks_go_back_unchanged_and_in_place() -> None:
    citations = '{"citations":[{"type":"web_search_result_location","url":"https://a.b"}]}'
    redacted = '{"type":"redacted_thinking","data":"c2Vj"}'
    blocks = (
        Thinking(text="", signature="b21pdHRlZA=="),
        own(redacted),
        *map(own, SEARCHED),
        Text(text="Found.", extra=citations, sources=(Source(url="https://a.b"),)),
        msgspec.structs.replace(call(), extra='{"caller":{"type":"direct"}}'),
    )

    (_, content) = said(HELLO, answer(*blocks, stop="tool_calls"), result())[1]

    assert content == [
        {"type": "thinking", "thinking": "", "signature": "b21pdHRlZA=="},
        json.loads(redacted),
        *map(json.loads, SEARCHED),
        {"type": "text", "text": "Found.", **json.loads(citations)},
        {"type": "tool_use", "id": "c1", "name": "read", "input": {"path": "x"}, "caller": {"type": "direct"}},
    ]


def test_results_come_first_then_what_was_said() -> None:
    calls = answer(call("a:1"), call("b"), stop="tool_calls")
    steer = UserMessage(text="Hurry.", turn_id="t1", attachments=(PDF,))

    _, content = said(HELLO, calls, steer, result("a:1"), result("b", failed=True, attachments=(IMAGE,)))[2]

    assert [block["type"] for block in content] == ["tool_result", "tool_result", "image", "document", "text"]
    assert content[0] == {"type": "tool_result", "tool_use_id": "a_1", "content": "text of x"}
    assert content[1] == {"type": "tool_result", "tool_use_id": "b", "content": "text of x", "is_error": True}
    assert (content[3]["title"], content[3]["source"]["media_type"]) == ("spec.pdf", "application/pdf")


def test_a_result_may_be_an_image_alone() -> None:
    _, content = said(HELLO, answer(call(), stop="tool_calls"), result(output="", attachments=(IMAGE, PDF)))[2]

    assert [block["type"] for block in content[0]["content"]] == ["image", "document"]


def test_freeform_tools_are_ordinary_ones_here() -> None:
    assert [tool["name"] for tool in body(asking(HELLO, tools=(READ, PATCH)))["tools"]] == ["read", "patch"]


def test_a_search_is_limited() -> None:
    tools = body(asking(HELLO, web_search=True))["tools"]

    assert {**tools[-1], "cache_control": None} == {
        "type": "web_search_20250305",
        "name": "web_search",
        "max_uses": 5,
        "cache_control": None,
    }


def test_a_conversation_with_calls_always_has_tools() -> None:
    asked = body(asking(HELLO, answer(call(), stop="tool_calls"), result(), tools=()))

    assert [(tool["name"], tool["input_schema"]) for tool in asked["tools"]] == [("read", {"type": "object"})]
    assert asked["tool_choice"] == {"type": "none"}
    assert "tools" not in body(asking(HELLO, tools=()))


def test_what_is_empty_is_left_out() -> None:
    blank = UserMessage(text=" ", turn_id="t1", attachments=(IMAGE,))

    asked = body(asking(blank, answer(Text(text="\n"), Thinking(text="unsigned")), WELL, system=" "))

    assert [[block["type"] for block in message["content"]] for message in asked["messages"]] == [["image", "text"]]
    assert "system" not in asked


def test_a_refused_answer_is_not_sent_again() -> None:
    assert types(HELLO, answer(Text(text="How to"), stop="refusal"), WELL) == [["text", "text"]]


def test_an_answer_cut_in_its_thoughts_does_not_end_with_them() -> None:
    assert types(HELLO, answer(Text(text="So."), THOUGHT, stop="max_tokens"), WELL) == [["text"], ["text"], ["text"]]
    assert types(HELLO, answer(THOUGHT, stop="max_tokens"), WELL) == [["text", "text"]]


def test_a_pause_goes_back_as_it_is_and_its_end_after_it() -> None:
    asked, found = map(own, SEARCHED)
    paused = answer(THOUGHT, asked, stop="pause")

    assert types(HELLO, paused) == [["text"], ["thinking", "server_tool_use"]]
    assert types(HELLO, paused, answer(found, Text(text="Trio.")), WELL) == [
        ["text"],
        ["thinking", "server_tool_use", "web_search_tool_result", "text"],
        ["text"],
    ]


def test_a_pause_that_is_not_gone_on_with_loses_its_open_search() -> None:
    paused = answer(Text(text="Searching."), THOUGHT, own(SEARCHED[0]), stop="pause")

    assert types(HELLO, paused, WELL) == [["text"], ["text"], ["text"]]


def test_a_search_that_waits_for_our_results_is_kept() -> None:
    waiting = answer(own(SEARCHED[0]), call(), stop="tool_calls")

    assert types(HELLO, waiting, result()) == [["text"], ["server_tool_use", "tool_use"], ["tool_result"]]


@pytest.mark.parametrize("stop", ["end_turn", "max_tokens", "pause"])
def test_no_other_answer_is_left_for_the_model_to_continue(stop: StopReason) -> None:
    role, content = said(HELLO, answer(Text(text="Half"), stop=stop))[-1]

    assert (role, content) == ("user", [{"type": "text", "text": "Go on."}])


def test_thoughts_stay_away_where_thinking_is_off() -> None:
    history = (HELLO, answer(THOUGHT, own('{"type":"redacted_thinking","data":"c2Vj"}'), Text(text="Hi")), WELL)

    def types_for(kind: ThinkingKind, effort: str) -> list[str]:
        return [
            block["type"] for block in body(asking(*history, effort=effort), MODELS[kind])["messages"][1]["content"]
        ]

    kept, dropped = ["thinking", "redacted_thinking", "text"], ["text"]
    assert [types_for("", ""), types_for("optional", "low"), types_for("budget", "low")] == [kept] * 3
    assert [types_for("adaptive", "off"), types_for("optional", ""), types_for("budget", "off")] == [dropped] * 3


def test_a_budgeted_model_does_not_think_in_a_turn_that_began_without() -> None:
    def thinks(*history: ModelInput) -> bool:
        return "thinking" in body(asking(*history, effort="low"), MODELS["budget"])

    begun = (HELLO, answer(THOUGHT, call(), stop="tool_calls"), result())
    bare = (HELLO, answer(Text(text="Looking."), call(), stop="tool_calls"), result())
    assert thinks(*begun, answer(call("c2"), stop="tool_calls"), result("c2"))
    assert not thinks(*bare)
    assert not thinks(*bare, answer(THOUGHT, call("c2"), stop="tool_calls"), result("c2"))
    assert thinks(*bare, answer(Text(text="Done.")), WELL)


@pytest.mark.parametrize("base_url", ["https://h/api", "https://h/api/v1"])
def test_the_version_is_in_the_address_once(base_url: str) -> None:
    endpoint = replace(ENDPOINT, base_url=base_url)

    assert FORMAT.request(Target(endpoint, "model"), ASK).url == "https://h/api/v1/messages"
    assert FORMAT.list_models(endpoint).url == "https://h/api/v1/models"
