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


def sent(entries: Sequence[Entry]) -> list[ModelInput]:
    """In the order of the entries. What was carried comes first, in the program's words."""
    at, compacted = latest(entries)
    return sent_with(entries, compacted, at) if compacted else list(messages(entries))


def sent_with(entries: Sequence[Entry], compacted: Compacted, at: int | None = None) -> list[ModelInput]:
    """As it was made when there were so many entries; None: all of them."""
    at = len(entries) if at is None else at
    start = place_of(entries, compacted.kept_from, at)
    whole_from = max(start, place_of(entries, compacted.shrunk_before, at))
    old, kept = list(messages(entries[start:whole_from])), list(messages(entries[whole_from:at]))
    new = list(messages(entries[at:]))
    said = [carried.as_message(compacted.carried, _turn([*old, *kept, *new]))] if _carries(compacted) else []
    return [*said, *map(unbound, [*shrunk(old, kept), *kept]), *new]


def _carries(compacted: Compacted) -> bool:
    return bool(compacted.kept_from) or compacted.carried != Carried()


def _turn(kept: Sequence[ModelInput]) -> str:
    return next((message.turn_id for message in kept if isinstance(message, UserMessage)), "")
