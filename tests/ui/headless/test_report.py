"""What a headless run prints of the calls of a message."""

import json

from actors.messages.conversation import AssistantMessage, Body, Entry, ToolCall, ToolResult
from actors.messages.subagent_entries import SubagentEnded, SubagentMerged
from actors.messages.turn import EntryAdded
from actors.messages.usage import Usage
from ui.headless.report import StreamReport

CALLS = tuple(ToolCall(call_id=call_id, name="read", arguments="{}") for call_id in ("a", "b", "c"))


def lines(report: StreamReport, body: Body) -> list[dict[str, object]]:
    entry = Entry(id="1", session_id="s", parent="", body=body, at=0.0)
    return [json.loads(line) for line in report.event(EntryAdded(entry=entry)).splitlines()]


def test_a_result_says_which_call_of_its_message_it_is_of() -> None:
    report = StreamReport()

    told = lines(report, AssistantMessage(blocks=CALLS, stop_reason="tool_calls", model="m"))
    results = [lines(report, ToolResult(call_id=call_id, name="read", output=""))[0] for call_id in ("c", "a", "b")]
    unknown = lines(report, ToolResult(call_id="of an earlier message", name="read", output=""))[0]

    calls = [(line["id"], line["index"]) for line in told if line["type"] == "tool_call"]
    assert calls == [("a", 0), ("b", 1), ("c", 2)]
    assert [(line["id"], line["index"]) for line in results] == [("c", 2), ("a", 0), ("b", 1)]
    assert unknown["index"] is None


def test_what_a_subagent_has_used_names_it() -> None:
    end = SubagentEnded(
        name="scout", state="completed", summary="It is there.", used=Usage(input_tokens=5, cost_usd=1.0)
    )

    told = lines(StreamReport(), end)

    assert told[0] == {"type": "agent", "name": "scout", "state": "completed", "answer": "It is there.", "changed": []}
    assert (told[1]["type"], told[1]["agent"], told[1]["cost_usd"]) == ("usage", "scout", 1.0)


def test_a_merge_names_the_files() -> None:
    assert lines(StreamReport(), SubagentMerged(name="porter", files=("a.py",))) == [
        {"type": "agent", "name": "porter", "state": "merged", "changed": ["a.py"]}
    ]
