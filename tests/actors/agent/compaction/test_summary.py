"""What the model is asked when it sums up, and what becomes of its answer."""

import json

from actors.agent.compaction.summary import cleaned, question, stand_in
from actors.messages.conversation import AssistantMessage, Text, ToolCall, ToolResult, UserMessage

RUN = ToolCall(call_id="c1", name="bash", arguments=json.dumps({"command": "pytest -q"}))
NOTED = ToolCall(call_id="c2", name="todo", arguments=json.dumps({"items": []}))
DROPPED = [
    UserMessage(text="fix it", turn_id="t", prompt_id="p"),
    AssistantMessage(blocks=(Text(text="Running."), RUN, NOTED), stop_reason="tool_calls", model="m"),
    ToolResult(call_id="c1", name="bash", output="1 failed", failed=True),
]


def test_the_question_has_who_said_what_the_summary_before_and_the_users_wish() -> None:
    asked = question("It was red.", DROPPED, "keep the names", 10_000)

    assert [line for line in asked.splitlines() if line] == [
        "The user asks of this summary: keep the names",
        "The summary of what was before, which yours replaces: keep of it what still holds.",
        "It was red.",
        "The conversation:",
        "USER: fix it",
        "AGENT: Running.",
        'CALL bash: {"command": "pytest -q"}',
        'CALL todo: {"items": []}',
        "RESULT of bash (failed): 1 failed",
    ]


def test_the_question_fits() -> None:
    asked = question("before " * 100, DROPPED * 1000, "", 5_000)

    assert len(asked) < 6_000
    assert "before before" in asked


def test_secrets_are_taken_out_of_the_answer() -> None:
    text = cleaned("  The key is sk-abcdefghijklmnop1234 and API_TOKEN=q8z7x6c5v4b3n2m1\n")

    assert text == "The key is [redacted] and API_TOKEN=[redacted]"


def test_where_there_is_no_summary_the_calls_are_listed_behind_the_one_before() -> None:
    text = stand_in("It was red.", DROPPED)

    assert text.startswith("It was red.\n\n(No summary could be written")
    assert text.endswith("\n- bash pytest -q")
