"""How many tokens a request has: an estimate by its bytes, held against what the service counted last. Pure."""

from collections.abc import Iterable, Sequence

import msgspec

from actors.messages.conversation import AssistantMessage, Attachment, ModelInput, Text, ToolCall, ToolResult
from actors.messages.model import ToolSpec
from actors.texts.token_estimate import AROUND, of_tool
from actors.texts.token_estimate import BYTES as BYTES
from actors.texts.token_estimate import of_text as of_text

IMAGE = 1600
"""Tokens; services scale what is larger."""
PDF_BYTES = 24
"""Of a token: a page has about 50 KB and 2,000 tokens."""
LEAST_FACTOR, MOST_FACTOR = 0.4, 4.0
"""A service that counts further off than this counts something else."""


def of_message(message: ModelInput) -> int:
    if isinstance(message, AssistantMessage):
        return AROUND + sum(map(_of_block, message.blocks))
    text = message.output if isinstance(message, ToolResult) else message.whole
    return AROUND + of_text(text) + sum(map(_of_attachment, message.attachments))


def of_messages(messages: Iterable[ModelInput]) -> int:
    return sum(map(of_message, messages))


def of_tools(tools: Iterable[ToolSpec]) -> int:
    return sum(of_tool(tool.name, tool.description, tool.parameters) for tool in tools)


class Size(msgspec.Struct, frozen=True):
    """Of a request."""

    tokens: int
    factor: float = 1.0
    """Tokens as the service counts them, for each that is estimated."""


def size(fixed: int, messages: Sequence[ModelInput], fresh: int, factor: float) -> Size:
    """fixed: the estimate of system prompt and tools; fresh: how many messages at the end were never sent less of;
    factor: as of an earlier size. What the service counted of the last answer is exact, the rest is estimated.
    """
    first = len(messages) - fresh
    for place in range(len(messages) - 1, first - 1, -1):
        message = messages[place]
        if isinstance(message, AssistantMessage) and message.usage.input_tokens:
            usage = message.usage
            guess = fixed + of_messages(messages[:place])
            factor = min(max(usage.input_tokens / max(guess, 1), LEAST_FACTOR), MOST_FACTOR)
            said = usage.output_tokens - usage.reasoning_tokens
            rest = of_messages(messages[place + 1 :])
            return Size(usage.input_tokens + max(said, 0) + round(rest * factor), factor)
    return Size(round((fixed + of_messages(messages)) * factor), factor)


def _of_block(block: object) -> int:
    match block:
        case Text(text=text):
            return of_text(text)
        case ToolCall(name=name, arguments=arguments):
            return AROUND + of_text(name) + of_text(arguments)
        case _:
            return 0  # thinking: services drop it of earlier answers, and count it where they do not


def _of_attachment(one: Attachment) -> int:
    return IMAGE if one.media_type.startswith("image/") else (len(one.data) or one.size) // PDF_BYTES + IMAGE
