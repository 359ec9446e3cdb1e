"""What a headless turn is said to have come to: its answer, and what it used."""

import json
from typing import Any

import pytest

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Source,
    StopReason,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.turn import EntryAdded
from actors.messages.usage import Usage
from ui.headless.report import StreamReport, Tally, TextReport, result

CALL = ToolCall(call_id="c", name="bash", arguments="{}")
RAN = ToolResult(call_id="c", name="bash", output="")
GO_ON = UserMessage(text="Your answer was cut off.", turn_id="t")
USED = Usage(input_tokens=10, output_tokens=5, cost_usd=0.5)


def said(text: str, *calls: ToolCall, stop: StopReason = "end_turn", usage: Usage = USED) -> AssistantMessage:
    source = Source(url=f"https://example.com/{text.strip()}")
    return AssistantMessage(
        blocks=(Text(text=text, sources=(source,)), *calls), stop_reason=stop, model="m", usage=usage
    )


def tally_of(*bodies: Body) -> Tally:
    tally = Tally()
    for body in bodies:
        tally.add(body)
        tally.see(body)
    return tally


@pytest.mark.parametrize(
    ("bodies", "answer"),
    [
        ([said("It is")], "It is"),
        ([said("It is", stop="max_tokens"), GO_ON, said(" so.")], "It is so."),
        ([said("It", stop="max_tokens"), GO_ON, said(" is", stop="max_tokens"), GO_ON, said(" so.")], "It is so."),
        ([said("It is", stop="pause"), said(" so.")], "It is so."),
        ([said("I look.", CALL), RAN, said("It is", stop="max_tokens"), GO_ON, said(" so.")], "It is so."),
        ([said("It is", stop="max_tokens"), GO_ON, said(" I look.", CALL), RAN, said("No.")], "No."),
        ([said("Done."), UserMessage(text="A hook says no.", turn_id="t"), said("Now it is.")], "Done.\n\nNow it is."),
        ([said("I look.", CALL), RAN], "I look."),
    ],
)
def test_the_answer_is_all_text_after_the_last_call(bodies: list[Body], answer: str) -> None:
    tally = tally_of(*bodies)

    assert result(tally, "done", "")["answer"] == answer
    assert TextReport().end(tally, "done", "") == answer + "\n"


def test_the_sources_are_those_of_all_of_the_answer() -> None:
    tally = tally_of(said("a", stop="max_tokens"), GO_ON, said("b"), said("a"))

    assert [source.url for source in tally.sources] == ["https://example.com/a", "https://example.com/b"]


def lines_of(body: Body) -> list[dict[str, Any]]:
    entry = Entry(id="e", session_id="s", parent="", body=body, at=0.0)
    return [json.loads(line) for line in StreamReport().event(EntryAdded(entry=entry)).splitlines()]


def test_what_a_service_did_not_report_is_null() -> None:
    body = said("So.", usage=Usage())

    message, usage = lines_of(body)
    ended = result(tally_of(body), "done", "")

    assert message["usage"] is None
    assert usage == {"type": "usage", **dict.fromkeys(Usage.__struct_fields__)}
    assert (ended["usage"], ended["session_cost_usd"]) == (None, None)


def test_what_was_reported_stays_where_another_answer_reported_nothing() -> None:
    used = result(tally_of(said("a", CALL), RAN, said("b", usage=Usage())), "done", "")["usage"]

    assert used == {
        **dict.fromkeys(Usage.__struct_fields__, 0),
        "input_tokens": 10,
        "output_tokens": 5,
        "cost_usd": None,
    }


def test_where_nothing_was_asked_nothing_was_used() -> None:
    assert result(tally_of(), "no_credentials", "")["usage"] == {
        **dict.fromkeys(Usage.__struct_fields__, 0),
        "cost_usd": 0.0,
    }
