"""What of a session's entries the model is sent, by the latest compaction among them. Pure."""

from collections.abc import Iterable, Iterator, Sequence

from actors.agent.compaction import carried
from actors.agent.compaction.shrink import shrunk, unbound
from actors.messages.conversation import (
    HERE,
    AssistantMessage,
    Carried,
    Compacted,
    Entry,
    ModelInput,
    ToolResult,
    UserMessage,
)


def latest(entries: Sequence[Entry]) -> tuple[int, Compacted | None]:
    """The place after the latest compaction, and what it says; 0 and None without one."""
    for place in range(len(entries) - 1, -1, -1):
        body = entries[place].body
        if isinstance(body, Compacted):
            return place + 1, body
    return 0, None


def place_of(entries: Sequence[Entry], entry_id: str, here: int) -> int:
    """0 where there is no such entry; `here` for HERE."""
    if entry_id in ("", HERE):
        return here if entry_id else 0
    return next((place for place, entry in enumerate(entries) if entry.id == entry_id), 0)


def messages(entries: Iterable[Entry]) -> Iterator[ModelInput]:
    for entry in entries:
        if isinstance(entry.body, UserMessage | AssistantMessage | ToolResult):
            yield entry.body


def sent_instead(entries: Sequence[Entry], compacted: Compacted) -> list[ModelInput]:
    """Of entries that a compaction follows on: always the same, whatever comes after it."""
    at = len(entries)
    start = place_of(entries, compacted.kept_from, at)
    whole_from = max(start, place_of(entries, compacted.shrunk_before, at))
    old, kept = list(messages(entries[start:whole_from])), list(messages(entries[whole_from:at]))
    return [*instead(compacted), *map(unbound, [*shrunk(old, kept), *kept])]


def instead(compacted: Compacted) -> list[UserMessage]:
    """In the place of what is sent no more."""
    if not compacted.kept_from and compacted.carried == Carried():
        return []
    return carried.as_messages(compacted.carried, apart=compacted.sealed is not None)
