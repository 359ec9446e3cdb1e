"""The conversation as a Chat Completions server takes it, in the dialect it speaks."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

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
from actors.providers import dialects
from actors.providers.dialects import Dialect
from actors.providers.endpoint import Target
from actors.providers.openai_chat import kept
from actors.providers.openai_chat.body import (
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
from actors.providers.wire import arguments, rounds

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
    said = _bridged(_spoken(target, ask)) if dialect.bridged else list(_spoken(target, ask))
    if dialect.alternating:
        said = _merged(said)
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
        calls[0].extra_content = kept.members(dialects.unsigned(target)).extra_content
    made = Message("assistant", text or None, calls)
    for block in message.blocks:
        if isinstance(block, Opaque):
            _give_back(kept.members(block.data), made)
    if dialect.returned == "reasoning_content" and thoughts:
        made.reasoning_content = thoughts
    elif dialect.returned == "reasoning_text" and made.reasoning_opaque:
        made.reasoning_text = thoughts
    elif dialect.returned == "content" and thoughts:
        made.content = [ThinkingPart([TextPart(thoughts)]), *([TextPart(text)] if text else [])]
    yield made


def _give_back(members: kept.Members, message: Message) -> None:
    message.reasoning_details = members.reasoning_details or message.reasoning_details
    message.reasoning_opaque = members.reasoning_opaque or message.reasoning_opaque
    message.extra_content = members.extra_content or message.extra_content


def _call(call: ToolCall, ids: Ids) -> Call:
    extra = kept.members(call.extra).extra_content
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
    """Neighbours of the user as one, also where an answer between them was left out."""
    merged: list[Message] = []
    for message in messages:
        if message.role == "user" and merged and merged[-1].role == "user":
            message = Message("user", _plain([*_parts(merged.pop()), *_parts(message)]))
        merged.append(message)
    return merged


def _parts(message: Message) -> list[Part]:
    return [TextPart(message.content)] if isinstance(message.content, str) else message.content or []


def _bridged(messages: Iterator[Message]) -> list[Message]:
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
    """For caching: the system prompt, the last words of the user, and what the tools said last."""
    where = dialects.takes_marks(target)
    roles = {"": (), "ends": ("system", "user"), "ends and results": ("system", "user", "tool")}[where]
    control = CacheControl("1h" if target.endpoint.cache_ttl == "1h" else "")
    for role in roles:
        last = next((message for message in reversed(messages) if message.role == role), None)
        if last is None:
            continue
        if isinstance(last.content, str):
            last.content = [TextPart(last.content)]
        parts = [part for part in last.content or () if isinstance(part, TextPart)]
        if parts:
            parts[-1].cache_control = control
