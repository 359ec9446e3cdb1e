"""Where the window goes."""

from actors.agent.compaction.estimate import Size
from actors.agent.compaction.parts import parts, scaled
from actors.messages.conversation import Section, ToolResult, UserMessage
from actors.messages.model import ToolSpec

TOOL = ToolSpec(name="read", description="Read a file. " * 20, parameters="{}", effect="read")
OWN = Section(name="instructions", origin="/w/AGENTS.md", text="own words")
HISTORY = [
    UserMessage(text="what was carried " * 10, turn_id=""),
    UserMessage(text="hello", turn_id="t", prompt_id="p"),
    ToolResult(call_id="c", name="read", output="text " * 100),
]


def test_each_part_is_named_once_and_together_they_are_what_the_service_counts() -> None:
    listed = parts("role " * 100 + "own words", [OWN], [TOOL], HISTORY, carried=True)

    found = scaled(listed, Size(5000))

    assert [(part.name, part.detail) for part in found] == [
        ("system prompt", ""),
        ("instructions", "/w/AGENTS.md"),
        ("tools", "1 tool"),
        ("carried over", ""),
        ("messages", "1 message"),
        ("tool results", "1 result"),
    ]
    assert abs(sum(part.tokens for part in found) - 5000) <= len(found)


def test_what_is_not_there_is_not_listed() -> None:
    assert [part.name for part in parts("role", [], [], HISTORY[1:2], carried=False)] == ["system prompt", "messages"]
