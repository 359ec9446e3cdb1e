"""Where the window goes with the next request, for people. Pure."""

from collections.abc import Iterable, Sequence

from actors.agent.compaction import estimate
from actors.agent.compaction.estimate import Size
from actors.common.plurals import how_many
from actors.messages.conversation import ModelInput, Section, ToolResult
from actors.messages.model import ToolSpec
from actors.messages.turn import ContextPart

FROM_FILES = ("instructions", "agents", "memory", "skills", "mcp")
"""Sections of the system prompt that are somebody else's where they have an origin: each kind is named with that."""


def parts(
    system: str, sections: Iterable[Section], tools: Sequence[ToolSpec], history: Sequence[ModelInput], *, carried: int
) -> list[ContextPart]:
    """sections: those of the system prompt; carried: so many of the first messages are what a compaction left."""
    told = [section for section in sections if section.name in FROM_FILES and section.origin]
    told_tokens = sum(estimate.of_text(section.text) for section in told)
    results = [message for message in history if isinstance(message, ToolResult)]
    first = history[:carried]
    messages = [message for message in history[len(first) :] if not isinstance(message, ToolResult)]
    listed = [
        ("system prompt", max(estimate.of_text(system) - told_tokens, 0), ""),
        *(_of_files(kind, told) for kind in FROM_FILES),
        ("tools", estimate.of_tools(tools), how_many(len(tools), "tool") if tools else ""),
        ("carried over", estimate.of_messages(first), ""),
        ("messages", estimate.of_messages(messages), how_many(len(messages), "message") if messages else ""),
        ("tool results", estimate.of_messages(results), how_many(len(results), "result") if results else ""),
    ]
    return [ContextPart(name=name, tokens=tokens, detail=detail) for name, tokens, detail in listed if tokens]


def _of_files(kind: str, told: Sequence[Section]) -> tuple[str, int, str]:
    """Tokens, and the files."""
    own = [section for section in told if section.name == kind]
    return kind, sum(estimate.of_text(section.text) for section in own), ", ".join(section.origin for section in own)


def scaled(listed: Sequence[ContextPart], size: Size) -> tuple[ContextPart, ...]:
    """So that together they are what the service counts."""
    guess = sum(part.tokens for part in listed)
    factor = size.tokens / guess if guess else size.factor
    return tuple(ContextPart(name=part.name, tokens=round(part.tokens * factor), detail=part.detail) for part in listed)
