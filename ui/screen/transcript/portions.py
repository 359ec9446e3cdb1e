"""A long text in portions that a frame can take, so that keys are heard between them. Pure."""

from collections.abc import Iterator

from actors.messages.model import TextDelta
from actors.messages.turn import EntryAdded, Event

LONGEST = 2000
"""Characters: 10 ms of colours and layout, if nothing in it is made to be slow."""
OF_ENTRY = 200
"""As many an entry counts as."""


def portions(event: Event) -> Iterator[tuple[Event, int]]:
    """The same in short events, each with what it weighs in characters."""
    if not isinstance(event, TextDelta):
        yield event, OF_ENTRY if isinstance(event, EntryAdded) else 0
        return
    text = event.text
    for at in range(0, max(len(text) - LONGEST, 0), LONGEST):
        yield TextDelta(text=text[at : at + LONGEST]), LONGEST
    rest = text[max(-(-len(text) // LONGEST) - 1, 0) * LONGEST :]
    yield TextDelta(text=rest, cites=event.cites), len(rest)
