"""A conversation as the messages of a request: the same bytes every time, so that the service finds what it cached."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from actors.messages import conversation
from actors.messages.conversation import AssistantMessage, Attachment, ModelInput, Opaque, UserMessage
from actors.messages.model import AskModel
from actors.providers.formats.anthropic_messages.body import (
    Base64,
    Content,
    Document,
    Image,
    Message,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)
from actors.providers.formats.wire_format import arguments, rounds

API: Final = "anthropic-messages"
GO_ON = "Go on."
"""Where the conversation ends with an answer: newer models refuse to continue one."""
PDF = "application/pdf"


class OwnBlock(msgspec.Struct):
    """What has to be known of a block that is otherwise sent back as it came."""

    type: str = ""
    id: object = None
    tool_use_id: object = None


_own_block = msgspec.json.Decoder(OwnBlock)
_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


def messages(ask: AskModel, *, thinking: bool) -> list[Message]:
    """thinking: earlier thoughts go along; they are refused where thinking is off."""
    history = [message for message in ask.history if not _refused(message)]
    results = [block.tool_use_id for block in own_blocks(history)]
    steps = list(rounds(history))
    built: list[Message] = []
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        if not isinstance(step, AssistantMessage):
            _add(built, "user", list(_came_back(*step)))
        elif following is None and _paused(step):
            _add(built, "assistant", list(_answered(step)))
        else:
            content = [block for block in _answered(step) if thinking or not _is_thinking(block)]
            if not step.calls:  # else the service goes on with its own calls when ours are answered
                content = [block for block in content if not _is_open(block, results)]
            if not isinstance(following, AssistantMessage):
                content = _without_last_thoughts(content)
            _add(built, "assistant", content)
    if built and built[-1].role == "assistant" and not (_paused(history[-1]) or ask.sum_up):
        _add(built, "user", [Text(GO_ON)])
    return built


def own_blocks(history: Sequence[ModelInput]) -> Iterator[OwnBlock]:
    for message in history:
        if isinstance(message, AssistantMessage):
            for block in message.blocks:
                if isinstance(block, Opaque) and block.api == API:
                    yield _own_block.decode(block.data)


def begins_with_thinking(built: Sequence[Message]) -> bool:
    """Does the open turn, if an answer is in it? Where thinking has a budget, others are refused."""
    turn: list[Message] = []
    for message in reversed(built):
        if message.role == "user" and not any(isinstance(block, ToolResult) for block in message.content):
            break
        turn.append(message)
    answers = [message for message in turn if message.role == "assistant"]
    return not answers or _is_thinking(answers[-1].content[0])


def _add(built: list[Message], role: str, content: list[Content]) -> None:
    if built and built[-1].role == role:
        built[-1].content.extend(content)  # what was between them has been left out, or a pause was
    elif content:
        built.append(Message(role, content))


def _refused(message: ModelInput) -> bool:
    """What came before the refusal would bring about the next one."""
    return isinstance(message, AssistantMessage) and message.stop_reason == "refusal" and not message.calls


def _paused(message: ModelInput) -> bool:
    """The service goes on with its own answer when it gets it back as it is."""
    return (
        isinstance(message, AssistantMessage)
        and message.stop_reason == "pause"
        and any(isinstance(block, Opaque) and block.api == API for block in message.blocks)
    )


def _without_last_thoughts(content: list[Content]) -> list[Content]:
    """Of an answer cut in them: a message that ends so is refused."""
    while content and _is_thinking(content[-1]):
        content = content[:-1]
    return content


def _is_open(block: Content, results: Sequence[object]) -> bool:
    """A call of the service's own without a result, which is refused."""
    if not isinstance(block, msgspec.Raw):
        return False
    own = _own_block.decode(block)
    return own.type == "server_tool_use" and own.id not in results


def _is_thinking(block: Content) -> bool:
    if isinstance(block, msgspec.Raw):
        return _own_block.decode(block).type == "redacted_thinking"
    return isinstance(block, Thinking)


def _answered(message: AssistantMessage) -> Iterator[Content]:
    for block in message.blocks:
        match block:
            case conversation.Text(text=text, extra=extra):
                if text.strip():
                    yield _with(Text(text), extra)
            case conversation.Thinking(text=text, signature=signature):
                if signature:
                    yield Thinking(text, signature)
            case conversation.ToolCall(call_id=call_id, name=name, extra=extra):
                yield _with(ToolUse(_id(call_id), name, msgspec.Raw(arguments(block).encode())), extra)
            case Opaque(api=api, data=data):
                if api == API:
                    yield msgspec.Raw(data.encode())


def _with(block: Text | ToolUse, extra: str) -> Content:
    if not extra:
        return block
    members = _members.decode(msgspec.json.encode(block)) | _members.decode(extra)
    return msgspec.Raw(msgspec.json.encode(members))


def _came_back(results: Sequence[conversation.ToolResult], said: Sequence[UserMessage]) -> Iterator[Content]:
    for result in results:
        yield _result(result)
    for result in results:
        if _is_error(result):
            yield from map(_attached, result.attachments)  # an error's own content may only be text
    for message in said:
        yield from map(_attached, message.attachments)
        if message.text.strip():
            yield Text(message.text)


def _result(result: conversation.ToolResult) -> ToolResult:
    content: str | list[Text | Image | Document] = result.output
    if result.attachments and not _is_error(result):
        words = [Text(result.output)] if result.output.strip() else []
        content = [*words, *map(_attached, result.attachments)]
    return ToolResult(_id(result.call_id), content, _is_error(result))


def _is_error(result: conversation.ToolResult) -> bool:
    return result.failed or result.denied


def _attached(attachment: Attachment) -> Image | Document:
    source = Base64(attachment.media_type, attachment.data)
    return Document(source, attachment.name) if attachment.media_type == PDF else Image(source)


def _id(call_id: str) -> str:
    """Ids other services made may have letters this one refuses."""
    return re.sub(r"[^a-zA-Z0-9_-]", "_", call_id)
