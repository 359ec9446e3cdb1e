"""What a conversation looks like as a Responses request."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
import pytest

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    ModelInput,
    Opaque,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel, ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.openai_responses import FORMAT
from tests.actors.providers.formats import conversations, snapshots

Json = dict[str, Any]
BODIES = snapshots.responses()
HELLO = UserMessage(text="Hello.", turn_id="t1")
ASK = AskModel(
    model="test/model",
    session_id="session-1",
    system="Be brief.",
    history=(HELLO,),
    tools=(conversations.READ, conversations.PATCH),
)
REASONS = ModelFacts(id="model", efforts=("none", "low", "high"))
REASONING = '{"id":"rs_1","type":"reasoning","status":null,"summary":[],"content":[],"encrypted_content":"c2VjcmV0"}'
SENT_REASONING = {"type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0"}
COMPACTION = '{"id":"cmp_1","type":"compaction","encrypted_content":"Y29tcA"}'
SEARCH = (
    '{"id":"ws_1","type":"web_search_call","status":"completed",'
    '"action":{"type":"search","query":"trio","queries":["trio","nurseries"],"sources":[{"type":"url","url":"https://t.io"}]}}'
)


def body(name: str = "model", dialect: str = "", facts: ModelFacts | None = None, **changes: Any) -> Json:  # noqa: ANN401
    endpoint = Endpoint(provider="test", api="openai-responses", base_url="http://127.0.0.1/v1", dialect=dialect)
    target = Target(endpoint, name, facts or ModelFacts())
    sent = FORMAT.request(target, msgspec.structs.replace(ASK, **changes)).body
    read: Json = msgspec.json.decode(sent)
    return read


def own(data: str) -> Opaque:
    return Opaque(api="openai-responses", data=data)


def answered(*blocks: Block) -> AssistantMessage:
    return AssistantMessage(blocks=blocks, stop_reason="end_turn", model="test/model")


def sent(*history: ModelInput) -> list[Json]:
    items: list[Json] = body(history=history)["input"]
    return items


@pytest.mark.parametrize("name", BODIES)
def test_the_request_is_the_stored_one(name: str) -> None:
    assert BODIES[name] == snapshots.stored(name)


@pytest.mark.parametrize("name", [*BODIES, "everything"])
def test_the_official_library_would_send_it_too(name: str) -> None:
    types = pytest.importorskip("openai.types.responses.response_create_params")
    pydantic = pytest.importorskip("pydantic")
    request = msgspec.json.decode(BODIES[name]) if name in BODIES else everything()
    request["input"] = [with_ids(item) for item in request["input"]]

    adapter = pydantic.TypeAdapter(types.ResponseCreateParamsStreaming)

    assert read_through(adapter.validate_python(request)) == request  # a member it does not know would be missing


def read_through(understood: Any) -> Any:  # noqa: ANN401  # any JSON
    """Lists are read only when somebody goes through them."""
    match understood:
        case Mapping():
            return {name: read_through(value) for name, value in understood.items()}
        case str() | bytes():
            return understood
        case Iterable():
            return [read_through(value) for value in understood]
        case _:
            return understood


def with_ids(item: Json) -> Json:
    """The service does without them where nothing is stored; its library's types do not."""
    if item["type"] == "message" and item["role"] == "assistant":
        parts = [part | ({"annotations": []} if "text" in part else {}) for part in item["content"]]
        return item | {"id": "msg_1", "status": "completed", "content": parts}
    return item | {"id": "item_1"} if item["type"] in ("reasoning", "web_search_call") else item


def everything() -> Json:
    """All that OpenAI itself may be sent."""
    calls = (
        ToolCall(call_id="c1", name="read", arguments="{}", extra='{"namespace":"files"}'),
        ToolCall(call_id="c2", name="patch", arguments='{"input":"x"}', extra='{"type":"custom_tool_call"}'),
    )
    history = (
        answered(own(COMPACTION)),
        HELLO,
        answered(own(REASONING), own(SEARCH), Text(text="No.", extra='{"type":"refusal"}'), *calls),
        ToolResult(call_id="c1", name="read", output="text", attachments=(conversations.PDF,)),
        ToolResult(call_id="c2", name="patch", output="done", attachments=(conversations.IMAGE,)),
    )
    return body("gpt-5.5", "openai", REASONS, history=history, effort="high", web_search=True)


def test_a_conversation_without_anything_special() -> None:
    assert body(tools=()) == {
        "model": "model",
        "input": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Hello."}]}],
        "store": False,
        "stream": True,
        "instructions": "Be brief.",
        "include": ["reasoning.encrypted_content"],
    }


def test_it_goes_to_responses_with_the_key() -> None:
    endpoint = Endpoint(provider="test", api="openai-responses", base_url="https://h/v1", key="planted-key")

    request = FORMAT.request(Target(endpoint, "model"), ASK)

    assert request.url == "https://h/v1/responses"
    assert request.headers["authorization"] == "Bearer planted-key"


@pytest.mark.parametrize(
    ("effort", "facts", "reasoning"),
    [
        ("", ModelFacts(), None),
        ("", REASONS, {"summary": "auto"}),
        ("high", REASONS, {"effort": "high", "summary": "auto"}),
        ("high", ModelFacts(), {"effort": "high", "summary": "auto"}),
        ("off", REASONS, {"effort": "none"}),
        ("off", ModelFacts(), {"effort": "none"}),
        ("off", ModelFacts(id="model", efforts=("minimal", "low")), {"effort": "minimal", "summary": "auto"}),
        ("off", ModelFacts(id="model"), None),
        ("off", ModelFacts(id="model", efforts=("low", "high")), {"effort": "low", "summary": "auto"}),
    ],
)
def test_reasoning_is_asked_of_models_that_reason(effort: str, facts: ModelFacts, reasoning: Json | None) -> None:
    assert body(facts=facts, effort=effort).get("reasoning") == reasoning


@pytest.mark.parametrize(
    ("name", "facts", "asked"),
    [
        ("model", ModelFacts(), True),
        ("model", REASONS, True),
        ("model", ModelFacts(id="model"), False),
        ("gpt-4.1", ModelFacts(), False),
        ("openai/gpt-4o", ModelFacts(), False),
        ("gpt-5.5", ModelFacts(), True),
    ],
)
@pytest.mark.parametrize("effort", ["", "off"])
def test_encrypted_reasoning_is_not_asked_of_models_that_refuse_it(
    name: str, facts: ModelFacts, asked: bool, effort: str
) -> None:
    assert ("reasoning.encrypted_content" in body(name, facts=facts, effort=effort).get("include", [])) is asked


def test_a_model_that_does_not_reason_is_not_told_not_to() -> None:
    assert "reasoning" not in body("gpt-4.1", effort="off")


@pytest.mark.parametrize(
    ("dialect", "members"),
    [
        ("", set()),
        ("openai", {"prompt_cache_key", "stream_options"}),
        ("codex", {"prompt_cache_key"}),
        ("xai", {"prompt_cache_key"}),
        ("copilot", set()),
        ("lmstudio", set()),
    ],
)
def test_members_that_not_every_server_knows_are_for_those_that_do(dialect: str, members: set[str]) -> None:
    assert body(dialect=dialect).keys() & {"prompt_cache_key", "stream_options"} == members


def test_the_chatgpt_backend_always_gets_instructions() -> None:
    assert body(dialect="codex", system="")["instructions"]
    assert "instructions" not in body(system="")


@pytest.mark.parametrize(
    ("name", "dialect", "kind"),
    [
        ("gpt-5", "openai", "custom"),
        ("gpt-5.3-codex", "codex", "custom"),
        ("gpt-10", "copilot", "custom"),
        ("gpt-4.1", "openai", "function"),
        ("o3", "openai", "function"),
        ("gpt-5", "", "function"),
        ("openai/gpt-5", "openrouter", "function"),
    ],
)
def test_freeform_tools_are_custom_where_the_model_knows_them(name: str, dialect: str, kind: str) -> None:
    patch = body(name, dialect)["tools"][1]

    assert patch["type"] == kind
    assert ("parameters" in patch) is (kind == "function")


def test_a_search_by_the_service_is_one_more_tool() -> None:
    asked = body(web_search=True)

    assert asked["tools"][-1] == {"type": "web_search"}
    assert "web_search_call.action.sources" in asked["include"]


def test_items_of_the_services_own_go_back_in_place_without_their_ids() -> None:
    call = ToolCall(call_id="c1", name="read", arguments="{}", extra='{"namespace":"files"}')

    items = sent(HELLO, answered(own(REASONING), own(SEARCH), Text(text="Hm.", extra='{"phase":"commentary"}'), call))

    assert items[1:] == [
        SENT_REASONING,
        {key: value for key, value in msgspec.json.decode(SEARCH).items() if key != "id"},
        {
            "type": "message",
            "role": "assistant",
            "phase": "commentary",
            "content": [{"type": "output_text", "text": "Hm."}],
        },
        {"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{}", "namespace": "files"},
        {"type": "function_call_output", "call_id": "c1", "output": "There is no result of this call."},
    ]


@pytest.mark.parametrize(
    "blocks",
    [
        (own(REASONING),),
        (Text(text="So."), own(REASONING)),
        (own('{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":null}'), Text(text="So.")),
    ],
    ids=["alone", "last", "empty"],
)
def test_reasoning_that_nothing_follows_or_that_says_nothing_stays_away(blocks: tuple[Block, ...]) -> None:
    assert not [item for item in sent(HELLO, answered(*blocks)) if item["type"] == "reasoning"]


def test_the_reasoning_of_open_models_goes_back_as_text() -> None:
    said = {"type": "reasoning", "summary": [], "content": [{"type": "reasoning_text", "text": "Hm."}]}

    assert said in sent(HELLO, answered(own(msgspec.json.encode(said | {"id": "rs_1"}).decode()), Text(text="So.")))


def test_a_refusal_goes_back_as_one() -> None:
    items = sent(HELLO, answered(Text(text="No.", extra='{"type":"refusal"}')))

    assert items[1]["content"] == [{"type": "refusal", "refusal": "No."}]


def test_a_custom_call_and_its_output_go_back_as_such() -> None:
    call = ToolCall(call_id="c1", name="patch", arguments='{"input":"*** Begin"}', extra='{"type":"custom_tool_call"}')

    assert sent(HELLO, answered(call), ToolResult(call_id="c1", name="patch", output="done"))[1:] == [
        {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Begin"},
        {"type": "custom_tool_call_output", "call_id": "c1", "output": "done"},
    ]


def test_call_ids_of_other_services_are_made_to_fit() -> None:
    call = ToolCall(call_id="c" * 65, name="read", arguments="{}")

    items = sent(HELLO, answered(call), ToolResult(call_id="c" * 65, name="read", output="text"))

    assert items[1]["call_id"] == items[2]["call_id"]
    assert len(items[1]["call_id"]) <= 64


def test_an_output_without_its_call_stays_away() -> None:
    assert sent(HELLO, ToolResult(call_id="c1", name="read", output="text")) == sent(HELLO)


def test_nothing_before_the_latest_compaction_is_sent() -> None:
    kept = '{"id":"msg_1","type":"message","role":"user","content":[{"type":"input_text","text":"Kept."}]}'
    call = ToolCall(call_id="c1", name="read", arguments="{}")
    before = answered(own(COMPACTION), Text(text="Old."))

    items = sent(
        HELLO,
        before,
        HELLO,
        answered(own(kept), own(REASONING), own(COMPACTION), Text(text="New."), call),
        ToolResult(call_id="c1", name="read", output="text"),
    )

    assert [item["type"] for item in items] == [
        "message",
        "compaction",
        "message",
        "function_call",
        "function_call_output",
    ]
    assert items[0]["content"][0]["text"] == "Kept."


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (SEARCH, "[Searched the web for: trio, nurseries]\nhttps://t.io"),
        (
            '{"type":"web_search_call","action":{"type":"open_page","url":"https://t.io/a"}}',
            "[Opened https://t.io/a]",
        ),
        (REASONING, ""),
        (COMPACTION, ""),
        ("[torn", ""),
    ],
)
def test_what_another_model_is_told_of_an_item(data: str, text: str) -> None:
    assert FORMAT.as_text(data) == text
