"""The conversation as a Chat Completions server takes it, in the dialect it speaks."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import msgspec
from msgspec import UNSET

from actors.errors import failed
from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel
from actors.providers.endpoint import Target
from actors.providers.formats.openai_chat import kept_parts
from actors.providers.formats.openai_chat.body import (
    CacheControl,
    Call,
    File,
    FilePart,
    Function,
    ImagePart,
    Message,
    Part,
    TextPart,
    ThinkingPart,
    Url,
)
from actors.providers.formats.wire_format import arguments, rounds
from actors.providers.services import dialects
from actors.providers.services.dialects import Dialect

BRIDGE = "I have the results."
NO_OUTPUT = "(no output)"
GO_ON = "Go on."
"""Where the conversation ends with an answer: several refuse that, or take it for the beginning of theirs."""
ERROR = "Error: "
Ids = Mapping[str, str]
"""Call ids as they are sent, by those of the conversation."""


def messages(target: Target, ask: AskModel) -> list[Message]:
    """Raises Failed: bad_request for an attachment that cannot be sent."""
    dialect = dialects.of(target)
    system = [Message(_system_role(target, dialect), ask.system)] if ask.system else []
    said = list(_spoken(target, ask))
    if dialect.alternating:
        said = _merged(said)
    if dialect.bridged:
        said = _bridged(said)
    if said and said[-1].role == "assistant":
        said.append(Message("user", GO_ON))
    if dialect.returned == "reasoning_content":
        _drop_reasoning(said, None if ask.effort == "off" else dialect)
    everything = [*system, *said]
    _mark(everything, target)
    return everything


def _system_role(target: Target, dialect: Dialect) -> str:
    reasons = target.facts.thinking or target.facts.efforts
    return "developer" if dialect.developer and reasons else "system"


def _spoken(target: Target, ask: AskModel) -> Iterator[Message]:
    ids = _call_ids(target, ask)
    for step in rounds(ask.history):
        if isinstance(step, AssistantMessage):
            yield from _assistant(step, target, ids)
            continue
        results, said = step
        for result in results:
            yield Message("tool", _output(result), tool_call_id=ids.get(result.call_id, result.call_id))
        turns = [parts for parts in (list(_shown(results, target)), *(_said(one, target) for one in said)) if parts]
        yield from (Message("user", _plain(parts)) for parts in turns)


def _assistant(message: AssistantMessage, target: Target, ids: Ids) -> Iterator[Message]:
    dialect = dialects.of(target)
    text = "".join(block.text for block in message.blocks if isinstance(block, Text))
    text = text if text.strip() else ""
    thoughts = "".join(block.text for block in message.blocks if isinstance(block, Thinking))
    calls = [_call(block, ids) for block in message.blocks if isinstance(block, ToolCall)]
    if not text and not calls:
        return
    if calls and all(not block.extra for block in message.calls):
        calls[0].extra_content = kept_parts.members(dialects.unsigned(target)).extra_content
    made = Message("assistant", text or None, calls)
    for block in message.blocks:
        if isinstance(block, Opaque):
            _give_back(kept_parts.members(block.data), made)
    if dialect.returned == "reasoning_content" and thoughts:
        made.reasoning_content = thoughts
    elif dialect.returned == "reasoning_text" and made.reasoning_opaque:
        made.reasoning_text = thoughts
    elif dialect.returned == "content" and thoughts:
        made.content = [ThinkingPart([TextPart(thoughts)]), *([TextPart(text)] if text else [])]
    yield made


def _give_back(members: kept_parts.Members, message: Message) -> None:
    message.reasoning_details = members.reasoning_details or message.reasoning_details
    message.reasoning_opaque = members.reasoning_opaque or message.reasoning_opaque
    message.extra_content = members.extra_content or message.extra_content


def _call(call: ToolCall, ids: Ids) -> Call:
    extra = kept_parts.members(call.extra).extra_content
    return Call(ids[call.call_id], Function(call.name, arguments(call)), extra)


def _call_ids(target: Target, ask: AskModel) -> dict[str, str]:
    """A model knows its own ids, whatever they look like; but Mistral refuses even those we made for it."""
    form = dialects.of(target).call_id
    ids: dict[str, str] = {}
    for message in ask.history:
        if isinstance(message, AssistantMessage):
            own = message.model == target.model and form is dialects.ANY_ID
            for call in message.calls:
                fits = own or form.fullmatch(call.call_id)
                ids[call.call_id] = call.call_id if fits else hashlib.blake2b(call.call_id.encode()).hexdigest()[:9]
    return ids


def _output(result: ToolResult) -> str:
    output = result.output if result.output.strip() else NO_OUTPUT
    return ERROR + output if result.failed or result.denied else output


def _shown(results: Sequence[ToolResult], target: Target) -> Iterator[Part]:
    """Images are not taken in a tool message, by most, so the user shows them."""
    for result in results:
        if result.attachments:
            yield TextPart(f"Attached to the result of {result.name}:")
            yield from (_attached(one, target) for one in result.attachments)


def _said(message: UserMessage, target: Target) -> list[Part]:
    text = [TextPart(message.text)] if message.text.strip() or not message.attachments else []
    return [*text, *(_attached(one, target) for one in message.attachments)]


def _attached(attachment: Attachment, target: Target) -> Part:
    url = f"data:{attachment.media_type};base64,{base64.b64encode(attachment.data).decode()}"
    if attachment.media_type != "application/pdf":
        return ImagePart(Url(url))
    if not dialects.takes_pdfs(target):
        raise failed(
            "bad_request",
            f"{target.endpoint.provider} takes no PDFs, and {attachment.name} is in the conversation.",
            f"Choose a model of another provider, or start a new session without {attachment.name}.",
        )
    return FilePart(File(attachment.name, url))


def _plain(parts: list[Part]) -> str | list[Part]:
    """One text where there is nothing else: not every server takes parts."""
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    return "\n\n".join(texts) if len(texts) == len(parts) else parts


def _merged(messages: Iterable[Message]) -> list[Message]:
    """Neighbours as one: of the user, also where an answer between them was left out, and answers that went on."""
    merged: list[Message] = []
    for message in messages:
        before = merged[-1] if merged else None
        if before and message.role == before.role == "user":
            merged[-1] = Message("user", _plain([*_parts(before), *_parts(message)]))
        elif before and message.role == before.role == "assistant" and not before.tool_calls:
            merged[-1] = msgspec.structs.replace(message, content=_joined(before, message))
        else:
            merged.append(message)
    return merged


def _joined(before: Message, after: Message) -> str | list[Part]:
    if isinstance(before.content, list) or isinstance(after.content, list):
        return [*_parts(before), *_parts(after)]
    return (before.content or "") + (after.content or "")


def _parts(message: Message) -> list[Part]:
    return [TextPart(message.content)] if isinstance(message.content, str) else message.content or []


def _bridged(messages: Iterable[Message]) -> list[Message]:
    bridged: list[Message] = []
    for message in messages:
        if message.role == "user" and bridged and bridged[-1].role == "tool":
            bridged.append(Message("assistant", BRIDGE))
        bridged.append(message)
    return bridged


def _drop_reasoning(messages: list[Message], dialect: Dialect | None) -> None:
    """Reasoning goes back in turns with calls, and only there. None: in none. See DECISIONS: Reasoning goes back"""
    for is_user, turn in groupby(messages, lambda message: message.role == "user"):
        answers = [] if is_user else [message for message in turn if message.role == "assistant"]
        goes_back = dialect is not None and any(answer.tool_calls for answer in answers)
        for answer in answers:
            if dialect is None or not goes_back:
                answer.reasoning_content = UNSET
            elif answer.tool_calls and answer.reasoning_content is UNSET and dialect.stand_in is not None:
                answer.reasoning_content = dialect.stand_in


def _mark(messages: list[Message], target: Target) -> None:
    """For caching: the system prompt, the last words of the user and, of what moves, the end of this request and of the
    one before it, which is where that one left its entry.
    """
    where = dialects.takes_marks(target)
    if not where:
        return
    control = CacheControl("1h" if target.endpoint.cache_ttl == "1h" else "")
    places = [_last(messages, "system"), _last(messages, "user")]
    if where == "ends and results":
        followed = zip(messages, [*messages[1:], None], strict=True)
        ends = [one for one, after in followed if one.role != "assistant" and _is_answer(after)]
        places += ends[-2:]
    for place in places:
        if place is None:
            continue
        if isinstance(place.content, str):
            place.content = [TextPart(place.content)]
        parts = [part for part in place.content or () if isinstance(part, TextPart)]
        if parts:
            parts[-1].cache_control = control


def _last(messages: Sequence[Message], role: str) -> Message | None:
    return next((message for message in reversed(messages) if message.role == role), None)


def _is_answer(message: Message | None) -> bool:
    """Or will be."""
    return message is None or message.role == "assistant"
