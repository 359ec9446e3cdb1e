"""Where a conversation is cut: what is still sent whole, what shortened, what is carried on instead. Pure.

A call is never parted from its result: every cut is before a message of the user or an answer, with no call open.
"""

from collections.abc import Iterator, Sequence

import msgspec

from actors.agent.compaction import estimate
from actors.agent.compaction.sent import latest, messages, place_of
from actors.agent.compaction.shrink import shrunk, unbound
from actors.agent.compaction.window import KEPT, WHOLE, Window
from actors.messages.conversation import (
    HERE,
    AssistantMessage,
    Entry,
    ModelInput,
    ToolResult,
    TurnEnded,
    UserMessage,
)


class Proposal(msgspec.Struct, frozen=True):
    kept_from: str
    shrunk_before: str
    """Both as of Compacted."""
    read_from: str
    dropped: tuple[ModelInput, ...]
    """To be carried in other words; without any the conversation is only shortened."""
    kept: int
    """Messages that are still sent."""


def cuts(entries: Sequence[Entry]) -> Iterator[int]:
    """Places where a conversation may begin."""
    started: set[str] = set()
    for place, entry in enumerate(entries):
        match entry.body:
            case UserMessage() if not started:
                yield place
            case AssistantMessage(calls=calls):
                if not started:
                    yield place
                started = {call.call_id for call in calls}
            case ToolResult(call_id=call_id):
                started.discard(call_id)
            case _:
                continue


def shortened(entries: Sequence[Entry], window: Window, factor: float, *, to_the_end: bool) -> Proposal | None:
    """Nothing is left out. to_the_end: what came last is shortened, too, where it is too long."""
    _, before = latest(entries)
    start = _start(entries)
    whole_from = _whole_from(entries, start, window.share(WHOLE) / factor, to_the_end=to_the_end)
    if whole_from <= start:
        return None
    kept_from, read_from = (before.kept_from, before.read_from) if before else ("", "")
    kept = len(list(messages(entries[start:])))
    return Proposal(kept_from, _id(entries, whole_from), read_from, (), kept)


def summed_up(entries: Sequence[Entry], window: Window, factor: float, *, to_the_end: bool) -> Proposal | None:
    """None where nothing can be left out."""
    start = _start(entries)
    whole_from = _whole_from(entries, start, window.share(WHOLE) / factor, to_the_end=to_the_end)
    sizes = [0] * len(entries)
    for place in range(start, len(entries)):
        sizes[place] = _size(entries[place], shorter=place < whole_from)
    kept_from = _tail(entries, start, sizes, window.share(KEPT) / factor)
    if kept_from <= start:
        return None
    return _proposal(entries, start, kept_from, max(whole_from, kept_from))


def emptied(entries: Sequence[Entry]) -> Proposal | None:
    """Of the open turn nothing is sent as it was: the last resort, but for a prompt that nobody has answered yet."""
    start = _start(entries)
    if not _is_result(entries):
        return None
    return _proposal(entries, start, len(entries), len(entries))


def _proposal(entries: Sequence[Entry], start: int, kept_from: int, whole_from: int) -> Proposal:
    return Proposal(
        kept_from=_id(entries, kept_from),
        shrunk_before=_id(entries, whole_from),
        read_from=_turn_start(entries, kept_from),
        dropped=tuple(messages(entries[start:kept_from])),
        kept=len(list(messages(entries[kept_from:]))),
    )


def _start(entries: Sequence[Entry]) -> int:
    """Of what is sent now."""
    at, compacted = latest(entries)
    return place_of(entries, compacted.kept_from, at) if compacted else 0


def _whole_from(entries: Sequence[Entry], start: int, tokens: float, *, to_the_end: bool) -> int:
    sizes = [_size(entry, shorter=False) for entry in entries]
    place = _tail(entries, start, sizes, tokens)
    return len(entries) if to_the_end and sum(sizes[place:]) > tokens and _is_result(entries) else place


def _is_result(entries: Sequence[Entry]) -> bool:
    """What the model is about to read are results of its calls."""
    last = next((message for message in messages(reversed(entries)) if not _is_note(message)), None)
    return isinstance(last, ToolResult)


def _is_note(message: ModelInput) -> bool:
    return isinstance(message, UserMessage) and not message.prompt_id


def _tail(entries: Sequence[Entry], start: int, sizes: Sequence[int], tokens: float) -> int:
    """The first cut from which on it is no more than so many tokens, or the last cut there is."""
    places = [place for place in cuts(entries) if place >= start]
    left, best = sum(sizes[start:]), start
    at = start
    for place in places:
        left -= sum(sizes[at:place])
        at = best = place
        if left <= tokens:
            break
    return best


def _size(entry: Entry, *, shorter: bool) -> int:
    sizes = [*messages([entry])]
    return estimate.of_messages(map(unbound, shrunk(sizes) if shorter else sizes))


def _turn_start(entries: Sequence[Entry], place: int) -> str:
    """Id of the first entry of the turn that is open there, or of what is there."""
    first = place
    for earlier in range(place - 1, -1, -1):
        body = entries[earlier].body
        if isinstance(body, TurnEnded):
            break
        if isinstance(body, UserMessage):
            first = earlier
    return entries[first].id if first < len(entries) else ""


def _id(entries: Sequence[Entry], place: int) -> str:
    return entries[place].id if place < len(entries) else HERE
