"""Attachments of a conversation: which of them travel with their data, and what stands for those that do not. Pure."""

from collections.abc import Callable, Sequence

import msgspec

from actors.messages.conversation import Attachment, Body, Entry, ModelInput, PromptQueued, ToolResult, UserMessage

MOST_BYTES = 23 * 1024 * 1024
"""Of a prompt, and of a whole request: as base64 it is a third more, and Anthropic takes 32 MB."""
TOO_MUCH = "the conversation holds too much"

Why = Callable[[Attachment], str]
"""Why it cannot go; "" when it can."""


def kind(media_type: str) -> str:
    """For people."""
    return "PDF" if media_type == "application/pdf" else "image"


def light(body: Body) -> Body:
    """Without the data: for who only shows it."""
    match body:
        case UserMessage() | PromptQueued() | ToolResult():
            emptied = tuple(map(_emptied, body.attachments))
            return msgspec.structs.replace(body, attachments=emptied) if emptied else body
        case _:
            return body


def light_entry(entry: Entry) -> Entry:
    body = light(entry.body)
    return entry if body is entry.body else msgspec.structs.replace(entry, body=body)


def newest_that_fit(bodies: Sequence[Body]) -> list[bool]:
    """Which of them may come with their data: the newest, as much as a request may have."""
    room = MOST_BYTES
    fit: list[bool] = []
    for body in reversed(bodies):
        room -= _bytes(body)
        fit.append(room >= 0)
    return fit[::-1]


def newest_sent(history: Sequence[ModelInput]) -> tuple[ModelInput, ...]:
    """What a request can hold of the attachments; the model is told of the others."""
    room = MOST_BYTES
    kept: list[ModelInput] = []
    for message in reversed(history):
        room -= _bytes(message)
        kept.append(leave_out(message, _too_much if room < 0 else _gone))
    return tuple(kept[::-1])


def leave_out(message: ModelInput, why: Why) -> ModelInput:
    """A line of text for each attachment that cannot go."""
    if not isinstance(message, UserMessage | ToolResult) or not message.attachments:
        return message
    reasons = [(one, why(one)) for one in message.attachments]
    lines = [f"[{kind(one.media_type)} {one.name} left out: {reason}]" for one, reason in reasons if reason]
    if not lines:
        return message
    kept = tuple(one for one, reason in reasons if not reason)
    if isinstance(message, UserMessage):
        return msgspec.structs.replace(message, text=_added(message.text, lines), attachments=kept)
    return msgspec.structs.replace(message, output=_added(message.output, lines), attachments=kept)


def _added(text: str, lines: list[str]) -> str:
    return "\n".join([*filter(None, [text]), *lines])


def _too_much(_one: Attachment) -> str:
    return TOO_MUCH


def _gone(one: Attachment) -> str:
    return "" if one.data else TOO_MUCH


def _emptied(one: Attachment) -> Attachment:
    return msgspec.structs.replace(one, data=b"", size=len(one.data) or one.size)


def _bytes(body: Body) -> int:
    attachments = body.attachments if isinstance(body, UserMessage | ToolResult) else ()
    return sum(len(one.data) or one.size for one in attachments)
