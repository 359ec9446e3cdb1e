"""Conversations that every wire format has to carry, as the providers actor hands them over: already translated."""

import base64
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Block,
    ModelInput,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import Api, AskModel, ToolSpec
from actors.providers.formats.table import ALL, format_of
from actors.providers.requests.translation import fingerprints, translated

MODEL = "test/model"
PNG = base64.b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=")
IMAGE = Attachment(name="screen.png", media_type="image/png", data=PNG)
PDF = Attachment(name="spec.pdf", media_type="application/pdf", data=b"%PDF-1.4\n%%EOF\n")
READ = ToolSpec(
    name="read",
    description="Read a file.",
    parameters='{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}',
    effect="read",
)
PATCH = ToolSpec(
    name="patch",
    description="Apply a patch.",
    parameters='{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}',
    effect="write",
    freeform=True,
)
SUMMARY = UserMessage(text="Summary of what was said before: the file x was read.", turn_id="t0")
SEARCHED = (
    '{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"trio"}}',
    '{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result",'
    '"title":"Trio","url":"https://trio.readthedocs.io","encrypted_content":"ZW5j"}]}',
)
CITATION = (
    '{"type":"web_search_result_location","cited_text":"Trio","url":"https://trio.readthedocs.io","title":"Trio",'
    '"encrypted_index":"ZW5j"}'
)


class Own(NamedTuple):
    """What a format's own service would have put into an answer."""

    thinking: tuple[Block, ...] = ()
    text_extra: str = ""
    call_extra: str = ""


OWN: dict[Api, Own] = {
    "anthropic-messages": Own(
        (
            Thinking(text="Look first.", signature="c2lnbmVk"),
            Opaque(api="anthropic-messages", data='{"type":"redacted_thinking","data":"c2VjcmV0"}'),
        )
    ),
    "openai-responses": Own(
        (
            Opaque(
                api="openai-responses",
                data='{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"Look first."}],'
                '"encrypted_content":"c2VjcmV0"}',
            ),
        ),
        text_extra='{"phase":"commentary"}',
    ),
    "openai-chat": Own((Thinking(text="Look first."),)),
}


def asked(name: str, api: Api) -> AskModel:
    """One of `NAMES`, for MODEL of a service that speaks this format."""
    history, _ = translated(HISTORIES[name](api), MODEL, as_text)
    return AskModel(
        model=MODEL, session_id="session-1", system="Be brief.", history=history, tools=(READ, PATCH), effort=""
    )


def as_text(block: Opaque) -> str:
    return format_of(block.api).as_text(block.data) if block.api in ALL else ""


def attached(api: Api) -> tuple[ModelInput, ...]:
    """A first prompt with an image and a PDF."""
    del api
    return (UserMessage(text="What is this?", turn_id="t1", attachments=(IMAGE, PDF)),)


def with_tools(api: Api) -> tuple[ModelInput, ...]:
    """Parallel calls, one with malformed arguments; their results with an image, an error and a refusal."""
    own = OWN[api]
    asking = AssistantMessage(
        blocks=(
            *own.thinking,
            Text(text="Looking.", extra=own.text_extra),
            ToolCall(call_id="call_1", name="read", arguments='{"path":"x.png"}', extra=own.call_extra),
            ToolCall(call_id="call_2", name="read", arguments='{"path'),
            ToolCall(call_id="call_3", name="patch", arguments='{"input":"*** Begin Patch"}'),
        ),
        stop_reason="tool_calls",
        model=MODEL,
    )
    return _linked(
        UserMessage(text="Fix it.", turn_id="t1"),
        asking,
        UserMessage(text="And hurry.", turn_id="t1"),
        ToolResult(call_id="call_1", name="read", output="an image", attachments=(IMAGE,)),
        ToolResult(call_id="call_2", name="read", output="no such arguments", failed=True),
        ToolResult(call_id="call_3", name="patch", output="The user refused.", denied=True),
    )


def compacted(api: Api) -> tuple[ModelInput, ...]:
    """What came before an answer is now a summary, so its thinking is void."""
    return (SUMMARY, *with_tools(api)[1:], UserMessage(text="Well?", turn_id="t2"))


def switched(api: Api) -> tuple[ModelInput, ...]:
    """Answers of another model, in the words of every service, one without any, and then one of this model."""
    other = AssistantMessage(
        blocks=(
            *(block for own in OWN.values() for block in own.thinking),
            *(Opaque(api="anthropic-messages", data=data) for data in SEARCHED),
            Text(text="Found it.", extra='{"phase":"commentary","citations":[]}'),
            ToolCall(call_id="functions.read:0|fc_1", name="read", arguments='{"path":"x"}', extra='{"signature":"s"}'),
        ),
        stop_reason="tool_calls",
        model="other/model",
    )
    return _linked(
        UserMessage(text="Find it.", turn_id="t1"),
        other,
        ToolResult(call_id="functions.read:0|fc_1", name="read", output=""),
        AssistantMessage(blocks=(Thinking(text="Only thoughts."),), stop_reason="end_turn", model="other/model"),
        UserMessage(text="Well?", turn_id="t2"),
        *with_tools(api)[1:],
    )


def searching() -> AskModel:
    """Messages only: searches of the service's own, sources, and an answer it paused in."""
    thinking = OWN["anthropic-messages"].thinking
    cited = Text(text="Trio it is.", extra='{"citations":[' + CITATION + "]}")
    found = AssistantMessage(blocks=(*thinking, *map(_searched, SEARCHED), cited), stop_reason="end_turn", model=MODEL)
    again = _searched(SEARCHED[0].replace("srvtoolu_1", "srvtoolu_2"))
    paused = AssistantMessage(blocks=(*thinking, again), stop_reason="pause", model=MODEL)
    history = _linked(
        UserMessage(text="Which library?", turn_id="t1"), found, UserMessage(text="Sure?", turn_id="t2"), paused
    )
    return AskModel(
        model=MODEL, session_id="session-1", system="Be brief.", history=history, tools=(READ,), web_search=True
    )


def _searched(data: str) -> Opaque:
    return Opaque(api="anthropic-messages", data=data)


def _linked(*messages: ModelInput) -> tuple[ModelInput, ...]:
    """With the answers' fingerprints of what they answer, as the providers actor writes them."""
    history: tuple[ModelInput, ...] = ()
    for message in messages:
        if isinstance(message, AssistantMessage):
            message = msgspec.structs.replace(message, answers=_last(fingerprints(history)))
        history = (*history, message)
    return history


def _last(prints: Iterable[str]) -> str:
    return list(prints)[-1]


HISTORIES = {"attached": attached, "with_tools": with_tools, "compacted": compacted, "switched": switched}
NAMES = tuple(HISTORIES)
