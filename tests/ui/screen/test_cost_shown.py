"""The cost on the screen: the whole, or that it is unknown; never a part of it."""

import msgspec
import pytest

from actors.common.budget import in_words
from actors.messages.conversation import AssistantMessage, Entry, Usage
from actors.messages.turn import EntryAdded
from tests.ui.screen.test_session_view import INFO
from ui.screen import status
from ui.screen.session_view import Model
from ui.screen.terminal.theme import Theme
from ui.screen.transcript.open_answer import Mark


def used(cost: float | None) -> Usage:
    return Usage(input_tokens=900, output_tokens=100, cost_usd=cost)


def answered(model: Model, *costs: float | None) -> Model:
    for number, cost in enumerate(costs):
        body = AssistantMessage(blocks=(), stop_reason="end_turn", model="p/m", usage=used(cost))
        model.apply(EntryAdded(entry=Entry(id=f"e{number}", session_id="s", parent="", at=0.0, body=body)))
    return model


def end_of_status_line(model: Model) -> str:
    line = status.status_row(model, "/w", "", 100, Theme(colour=False))
    return line.replace("\x1b[2m", "").replace("\x1b[0m", "").rstrip()


@pytest.mark.parametrize(
    ("costs", "shown"),
    [((0.01, 0.0023), "1.0k tok · $0.0123"), ((0.01, None), "1.0k tok · cost unknown"), ((), "/w")],
)
def test_the_status_line_shows_what_the_session_has_cost(costs: tuple[float | None, ...], shown: str) -> None:
    assert end_of_status_line(answered(Model(), *costs)).endswith(shown)


@pytest.mark.parametrize(("before", "shown"), [(0.25, "1.0k tok · $0.26"), (None, "1.0k tok · cost unknown")])
def test_a_later_life_of_the_screen_goes_on_from_what_was_spent(before: float | None, shown: str) -> None:
    model = Model(Mark(last="e7"))

    model.apply(msgspec.structs.replace(INFO, used=used(before), latest=used(before)))

    assert in_words(model.used) == in_words(used(before))
    assert model.prompted
    assert end_of_status_line(answered(model, 0.01)).endswith(shown)
