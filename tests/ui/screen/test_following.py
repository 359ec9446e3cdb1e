"""An answer that comes at once is drawn in portions, and says the same as in one piece."""

import pytest

from actors.messages.model import TextDelta, ThinkingDelta
from tests.bench.plan import markdown
from tests.ui.screen.samples import INFO
from ui.screen.following import LONGEST, portions
from ui.screen.paint import PIECES
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown


@pytest.mark.parametrize("size", [0, 1, LONGEST, LONGEST + 1, 5 * LONGEST - 1])
def test_no_portion_is_longer_than_a_frame_takes(size: int) -> None:
    whole = TextDelta(text="x" * size, cites=("https://a.example",))

    parts = [event for event, _ in portions(whole)]

    assert all(isinstance(part, TextDelta) and len(part.text) <= LONGEST for part in parts)
    assert "".join(part.text for part in parts if isinstance(part, TextDelta)) == whole.text
    assert [part.cites for part in parts if isinstance(part, TextDelta) and part.cites] == [whole.cites]
    assert sum(weight for _, weight in portions(whole)) == size


def test_what_is_no_text_stays_one() -> None:
    assert list(portions(ThinkingDelta(text="x" * 9000))) == [(ThinkingDelta(text="x" * 9000), 0)]


def test_what_is_too_much_for_a_frame_waits_and_counts_as_shown_only_then() -> None:
    shown = Shown(SessionView())
    shown.own.apply(INFO)
    shown.own.apply(TextDelta(text=markdown(60_000)))

    frames = []
    while not frames or shown.waits:
        frames.append(shown.take(PIECES))

    assert len(frames) > 2
    assert max(len(pieces) for pieces, _ in frames) == PIECES
    assert [mark.chars > 0 for _, mark in frames] == [False] * (len(frames) - 1) + [True]
