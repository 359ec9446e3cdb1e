"""What a result says of the model service's troubles: failed tries, the time they cost, what broke off."""

import json

from actors.messages.conversation import (
    AssistantMessage,
    BrokenTry,
    Compacted,
    Entry,
    Text,
)
from actors.messages.model import Retrying, TextDelta
from actors.messages.turn import EntryAdded
from actors.messages.usage import Usage
from ui.headless.report import StreamReport, Tally, result

ANSWER = AssistantMessage(
    blocks=(Text(text="so"),), stop_reason="end_turn", model="m", usage=Usage(input_tokens=5, cost_usd=0.5)
)


def test_failed_tries_and_waits_are_counted() -> None:
    tally = Tally()
    for event in (
        Retrying(why="HTTP 529.", wait_s=0.0, failed=True),
        Retrying(why="HTTP 529.", wait_s=0.0, failed=True),
        Retrying(why="others go first", wait_s=0.0),
        TextDelta(text="so"),
    ):
        tally.hear(event)

    counted = result(tally, "done", "")

    assert (counted["failed_tries"], counted["waited_s"]) == (2, 0.0)


def test_of_a_wait_counts_what_has_passed() -> None:
    tally = Tally()
    tally.hear(Retrying(why="HTTP 529.", wait_s=3600.0, failed=True))

    assert 0 < tally.waited_s < 60


def test_what_broke_off_is_part_of_the_usage_and_no_request() -> None:
    tally = Tally()
    for body in (BrokenTry(usage=Usage(input_tokens=7, cost_usd=0.25)), ANSWER):
        tally.add(body)
        tally.see(body)

    assert (tally.turns, tally.usage, tally.session_usage.cost_usd) == (1, Usage(input_tokens=12, cost_usd=0.75), 0.75)


def test_what_broke_off_uncounted_makes_the_cost_unknown() -> None:
    tally = Tally()
    for body in (BrokenTry(usage=Usage()), ANSWER):
        tally.add(body)

    assert tally.usage.cost_usd is None


def test_a_summary_is_part_of_the_usage_and_told_as_a_notice() -> None:
    compacted = Compacted(why="window", told="made shorter", usage=Usage(input_tokens=7, cost_usd=0.25))
    tally = Tally()
    for body in (compacted, ANSWER):
        tally.add(body)
        tally.see(body)
    entry = Entry(id="e", session_id="s", parent="", at=1.0, body=compacted)
    notice, used = StreamReport().event(EntryAdded(entry=entry)).splitlines()

    assert (tally.turns, tally.usage.cost_usd, tally.session_usage.cost_usd) == (1, 0.75, 0.75)
    assert json.loads(notice) == {"type": "notice", "level": "info", "text": "made shorter"}
    assert json.loads(used)["cost_usd"] == 0.25
