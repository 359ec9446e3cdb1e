"""Where a prompt is marked for caching. Pure; see DECISIONS: Marks for caching.

The service keeps what is before a mark, and from each mark of a later request looks back 20 blocks for something it
kept: https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeGuard

from actors.providers.formats.anthropic_messages.body import (
    Body,
    CacheControl,
    Content,
    Document,
    Image,
    Markable,
    Message,
    Text,
    ToolResult,
    ToolUse,
)

MOST = 4
STEP = 15
"""Blocks. Fewer than the service looks back, so that a block it counts otherwise does no harm."""


def mark(body: Body, ttl: str) -> None:
    """The tools, the system prompt, and the conversation with what is left of the four. `ttl`: "5m" or "1h"."""
    control = CacheControl("1h" if ttl == "1h" else "")
    if body.tools:
        body.tools[-1].cache_control = control
    if body.system:
        body.system[-1].cache_control = control
    left = MOST - bool(body.tools) - bool(body.system)
    for block in islice(_places(body.messages), left):
        block.cache_control = control


def _places(messages: Sequence[Message]) -> Iterator[Markable]:
    """The best first, each once."""
    blocks = [block for message in messages for block in message.content]
    taken: set[int] = set()
    for wanted in _wanted(messages):
        for place in range(wanted, -1, -1):
            block = blocks[place]
            if _can_be_marked(block):
                if place not in taken:
                    taken.add(place)
                    yield block
                break


def _wanted(messages: Sequence[Message]) -> Iterator[int]:
    """The end of what is sent now, the end of what was sent before it, and steps between the two."""
    ends, count = [-1], 0
    for message in messages:
        count += len(message.content)
        if message.role == "user":
            ends.append(count - 1)
    *_, before, last = [-1, *ends]
    yield from (end for end in (last, before) if end >= 0)
    yield from range(last - STEP, before, -STEP)


def _can_be_marked(block: Content) -> TypeGuard[Markable]:
    match block:
        case Image() | Document() | ToolUse():
            return True
        case Text(text=said) | ToolResult(content=said):
            return bool(said)
        case _:
            return False
