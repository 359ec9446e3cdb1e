"""The shape of a session: nothing that anybody has said or made up is in it."""

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Text,
    ToolCall,
    ToolResult,
    TurnEnded,
    UserMessage,
)
from ui.bug_report.shape import OTHER, Shape

SAID = "the blue giraffe"


def shapes(*bodies: Body) -> list[dict[str, object]]:
    shape = Shape()
    entries = [
        Entry(id=f"e{number}", session_id="s", parent=f"e{number - 1}" if number else "", body=body, at=100.0 + number)
        for number, body in enumerate(bodies)
    ]
    lines = [shape.line(entry) for entry in entries]
    assert SAID.encode() not in b"".join(lines)
    return [msgspec.json.decode(line) for line in lines]


def test_entries_are_numbered_and_timed_from_the_first() -> None:
    rows = shapes(UserMessage(text=SAID, turn_id=SAID), TurnEnded(turn_id=SAID, reason="failed", text=SAID))

    assert [(row["number"], row["parent"], row["at_s"], row["kind"]) for row in rows] == [
        (1, 0, 0.0, "UserMessage"),
        (2, 1, 1.0, "TurnEnded"),
    ]
    assert (rows[0]["characters"], rows[1]["reason"]) == (len(SAID), "failed")


def test_of_names_those_that_are_ours_alone_are_told() -> None:
    calls = tuple(ToolCall(call_id="c", name=name, arguments=SAID) for name in ("bash", SAID))
    answer = AssistantMessage(blocks=(Text(text=SAID), *calls), stop_reason="tool_use", model=f"{SAID}/x")

    (row, result) = shapes(answer, ToolResult(call_id="c", name=SAID, output=SAID, ms=7))

    assert (row["calls"], row["model"]) == (["bash", OTHER], OTHER)
    assert (result["tool"], result["ms"]) == (OTHER, 7)
