"""Where a conversation is cut, and that every service takes what is sent then."""

import itertools
import json

import msgspec
import pytest

from actors.agent.compaction import proposal
from actors.agent.compaction.estimate import of_messages
from actors.agent.compaction.proposal import cuts
from actors.agent.compaction.sent import messages, sent_instead
from actors.agent.compaction.window import KEPT, Window
from actors.messages.conversation import (
    HERE,
    AssistantMessage,
    Body,
    Carried,
    Compacted,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from actors.messages.model import Api
from actors.providers.formats.table import ALL, format_of
from actors.providers.requests.translation import translated
from tests.actors.providers.formats.conversations import HISTORIES, MODEL, NAMES, READ, as_text
from tests.actors.providers.formats.reading import ASK, target

LONG = "word " * 2000
"""2,500 tokens."""


def entries(*bodies: Body) -> list[Entry]:
    return [Entry(id=f"e{number}", session_id="s", parent="", body=body, at=1.0) for number, body in enumerate(bodies)]


def prompt(name: str, text: str = "") -> UserMessage:
    return UserMessage(text=text or name, turn_id=name, prompt_id=name)


def answer(*call_ids: str) -> AssistantMessage:
    calls = tuple(ToolCall(call_id=call_id, name="read", arguments="{}") for call_id in call_ids)
    return AssistantMessage(blocks=calls or (Text(text="done"),), stop_reason="end_turn", model="m")


def result(call_id: str, output: str = LONG) -> ToolResult:
    return ToolResult(call_id=call_id, name="read", output=output)


def turn(name: str) -> list[Body]:
    first, second = f"{name}1", f"{name}2"
    ended = TurnEnded(turn_id=name, reason="done")
    return [prompt(name), answer(first, second), result(first), result(second), answer(), ended]


def test_nothing_is_cut_while_a_call_is_open() -> None:
    bodies = [prompt("a"), answer("c1", "c2"), result("c1"), prompt("steers"), result("c2"), answer(), prompt("b")]

    assert list(cuts(entries(*bodies))) == [0, 1, 5, 6]


def test_the_end_that_is_kept_has_its_share_and_the_rest_is_dropped() -> None:
    session = entries(*itertools.chain.from_iterable(map(turn, "abcdefghijklmnop")))
    window = Window(24_000, 24_000)

    found = proposal.summed_up(session, window, 1.0, to_the_end=False)

    assert found is not None
    place = [entry.id for entry in session].index(found.kept_from)
    kept = sent_instead(session, Compacted(why="window", kept_from=found.kept_from, shrunk_before=found.shrunk_before))
    assert found.dropped == tuple(messages(session[:place]))
    assert window.share(KEPT) / 2 < of_messages(kept[1:]) <= window.share(KEPT)


def test_in_an_open_turn_reading_begins_with_that_turn() -> None:
    session = entries(*turn("a"), prompt("b"), answer("c1"), result("c1"), answer("c2"), result("c2"))

    found = proposal.summed_up(session, Window(10_000, 10_000), 1.0, to_the_end=False)

    assert found is not None
    assert (found.kept_from, found.read_from) == ("e9", "e6")


def test_the_results_that_the_model_is_about_to_read_are_shortened_only_where_they_have_to_be() -> None:
    session = entries(prompt("a"), answer("c1", "c2"), result("c1"), result("c2"))

    assert proposal.shortened(session, Window(4000, 4000), 1.0, to_the_end=False) is not None
    assert proposal.shortened(session, Window(4000, 4000), 1.0, to_the_end=False).shrunk_before == "e1"  # type: ignore[union-attr]
    assert proposal.shortened(session, Window(4000, 4000), 1.0, to_the_end=True).shrunk_before == HERE  # type: ignore[union-attr]


def test_a_prompt_that_nobody_has_answered_stays() -> None:
    assert proposal.emptied(entries(*turn("a"), prompt("b", LONG))) is None


def test_what_was_cut_at_its_own_place_stays_cut_there() -> None:
    compacted = Compacted(why="overflow", kept_from=HERE, read_from="e0", carried=Carried(said=("a",)))
    session = entries(prompt("a"), answer("c1"), result("c1"), compacted, answer(), prompt("b"), answer("c2"))

    found = proposal.shortened([*session, *entries(result("c2"))], Window(100, 100), 1.0, to_the_end=True)

    assert found is not None
    assert (found.kept_from, found.read_from) == ("e4", "e0")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("api", ALL)
def test_every_format_takes_what_is_sent(api: Api, name: str) -> None:
    session = entries(*HISTORIES[name](api), *HISTORIES["with_tools"](api))
    compacted = Compacted(why="window", kept_from="e1", shrunk_before=HERE, carried=Carried(said=("Fix it.",)))
    history, _ = translated(tuple(sent_instead(session, compacted)), MODEL, as_text)

    asked = msgspec.structs.replace(ASK, model=MODEL, history=history, tools=(READ,))
    body = format_of(api).request(target(api), asked).body

    assert json.loads(body)
    assert b"c2lnbmVk" not in body
    assert b"c2VjcmV0" not in body
    assert b"Fix it." in body
