"""Numbers of sources in the text, as the footnotes below it have them."""

import pytest
import wcwidth

from actors.messages.conversation import AssistantMessage, Entry, Source, Text
from actors.messages.model import TextDelta
from actors.messages.turn import EntryAdded
from tests.ui.screen.samples import ASKED, INFO, entries
from tests.ui.screen.terminals import PLAIN
from ui.screen.pager import telling
from ui.screen.session_view import SessionView

ONE, TWO = Source(url="https://a.example", title="A"), Source(url="https://b.example", title="B")
TEXTS = (
    Text(text="Water is wet", sources=(ONE,), cited=True),
    Text(text="; fire"),
    Text(text=" is hot", sources=(TWO, ONE), cited=True),
    Text(text="(or so one says)."),
)
ANSWER = AssistantMessage(blocks=TEXTS, stop_reason="end_turn", model="p/m")
WHOLE = EntryAdded(entry=Entry(id="e9", session_id="s", parent="", body=ANSWER, at=1.0))
SHOWN = [
    "",
    "Water is wet[1]; fire is hot[2][1](or so one says).",
    "",
    "1. A  https://a.example",
    "2. B  https://b.example",
]


def asked() -> SessionView:
    session = SessionView()
    for event in (INFO, *entries(ASKED)):
        session.apply(event)
    session.take()
    return session


def rows(session: SessionView) -> list[str]:
    return [wcwidth.strip_sequences(row).rstrip() for piece in session.take() for row in piece.rows(70, PLAIN)]


def deltas() -> list[TextDelta]:
    """As the service's reader makes them of these texts."""
    told = []
    for text in TEXTS:
        told.append(TextDelta(text=text.text))
        if text.cited:
            told.append(TextDelta(text="", cites=tuple(source.url for source in text.sources)))
    return told


@pytest.mark.parametrize("heard", range(len(deltas()) + 1))
def test_a_text_has_the_numbers_of_its_sources_however_much_of_it_was_heard(heard: int) -> None:
    session = asked()
    for delta in deltas()[:heard]:
        session.apply(delta)
    session.apply(WHOLE)

    assert rows(session) == SHOWN


def test_sources_of_a_whole_answer_have_no_place_in_it() -> None:
    session = asked()
    answer = AssistantMessage(blocks=(Text(text="So.", sources=(ONE,)),), stop_reason="end_turn", model="p/m")
    session.apply(EntryAdded(entry=Entry(id="e9", session_id="s", parent="", body=answer, at=1.0)))

    assert rows(session) == ["", "So.", "", "1. A  https://a.example"]


def test_the_pager_shows_such_an_answer_as_one() -> None:
    blocks = telling.blocks([WHOLE.entry])

    assert [block.kind for block in blocks] == ["answer", "answer"]
    shown = [wcwidth.strip_sequences(row).strip() for piece in blocks[0].pieces[1:] for row in piece.rows(70, PLAIN)]
    assert shown == [SHOWN[1]]
    assert blocks[0].source == "".join(text.text for text in TEXTS)
