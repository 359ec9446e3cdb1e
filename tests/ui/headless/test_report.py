"""What a headless run prints of the calls of a message."""

import json

from actors.messages.conversation import AssistantMessage, Body, Entry, ToolCall, ToolResult
from actors.messages.model import Retrying
from actors.messages.subagent import SubagentEnded, SubagentIs, SubagentMerged, SubagentsAre
from actors.messages.system import ActorRestarted
from actors.messages.turn import EntryAdded, Event, FromSubagent, Notice
from actors.messages.usage import Usage
from ui.headless.report import StreamReport, Tally

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


def test_what_a_subagent_meets_is_told_as_its_parents_and_names_it() -> None:
    refused = Retrying(why="429", wait_s=2.0, failed=True)
    met: tuple[Event, ...] = (
        refused,
        FromSubagent(name="scout", event=refused),
        FromSubagent(name="scout", event=Notice(text="slow")),
    )

    told = [json.loads(StreamReport().event(event)) for event in met]

    assert told == [
        {"type": "retry", "why": "429", "wait": 2.0},
        {"type": "retry", "why": "429", "wait": 2.0, "agent": "scout"},
        {"type": "notice", "level": "info", "text": "slow", "agent": "scout"},
    ]


def test_tries_of_subagents_that_failed_count_and_their_waiting_does_not() -> None:
    tally = Tally()

    tally.hear(FromSubagent(name="scout", event=Retrying(why="429", wait_s=1000.0, failed=True)))

    assert (tally.tries, round(tally.waited_s)) == (1, 0)


def test_a_restart_of_one_of_a_subagents_processes_names_it() -> None:
    report = StreamReport()
    scout = SubagentIs(name="scout", kind="explore", session_id="s.1", agent="agent:sub:s-1", state="running")
    report.event(SubagentsAre(subagents=(scout,)))

    told = [
        json.loads(report.event(ActorRestarted(name=name, why="it died", restarts=1)))
        for name in ("agent:sub:s-1", "tools:sub:s-1~none", "agent:main", "tools:sub:s-12")
    ]

    assert [line.get("agent") for line in told] == ["scout", "scout", None, None]


def test_a_server_s_tool_keeps_its_name_for_models_beside_what_people_call_it() -> None:
    report = StreamReport()
    calls = (
        ToolCall(call_id="new", name="box___do_it_1a2b3c", arguments="{}", shown="box:do it"),
        ToolCall(call_id="old", name="box___get", arguments="{}"),
        ToolCall(call_id="own", name="read", arguments="{}"),
    )

    told = lines(report, AssistantMessage(blocks=calls, stop_reason="tool_calls", model="m"))
    results = [
        lines(report, ToolResult(call_id=call_id, name=name, output=""))[0]
        for call_id, name in (("new", "box___do_it_1a2b3c"), ("own", "read"), ("lost", "box___put"))
    ]

    names = [(line["name"], line.get("shown")) for line in told if line["type"] == "tool_call"]
    assert names == [("box___do_it_1a2b3c", "box:do it"), ("box___get", "box:get"), ("read", None)]
    assert [(line["name"], line.get("shown")) for line in results] == [
        ("box___do_it_1a2b3c", "box:do it"),
        ("read", None),
        ("box___put", "box:put"),
    ]
