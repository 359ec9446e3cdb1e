"""The cost on the screen: the whole, or that it is unknown; never a part of it."""

import pytest

from actors.messages.conversation import AssistantMessage, Entry, Usage
from actors.messages.turn import EntryAdded
from ui import status
from ui.model import Model
from ui.theme import Theme


def status_line(*costs: float | None) -> str:
    model = Model()
    for number, cost in enumerate(costs):
        usage = Usage(input_tokens=900, output_tokens=100, cost_usd=cost)
        body = AssistantMessage(blocks=(), stop_reason="end_turn", model="p/m", usage=usage)
        model.apply(EntryAdded(entry=Entry(id=f"e{number}", session_id="s", parent="", at=0.0, body=body)))
    return status.status_row(model, "/w", "", 100, Theme(colour=False))


@pytest.mark.parametrize(
    ("costs", "shown"),
    [((0.01, 0.0023), "1.0k tok · $0.0123"), ((0.01, None), "1.0k tok · cost unknown"), ((), "/w")],
)
def test_the_status_line_shows_what_the_session_has_cost(costs: tuple[float | None, ...], shown: str) -> None:
    assert status_line(*costs).replace("\x1b[2m", "").replace("\x1b[0m", "").rstrip().endswith(shown)
