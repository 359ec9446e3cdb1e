"""Old messages made shorter."""

import json

from hypothesis import given
from hypothesis import strategies as st

from actors.agent.compaction import cut
from actors.agent.compaction.shrink import MOST, shrunk, unbound
from actors.messages.conversation import AssistantMessage, Attachment, Text, Thinking, ToolCall, ToolResult, UserMessage

LONG = "\n".join(f"line {number}" for number in range(2000))


def call(call_id: str, name: str = "read", **arguments: object) -> AssistantMessage:
    made = ToolCall(call_id=call_id, name=name, arguments=json.dumps(arguments))
    return AssistantMessage(blocks=(made,), stop_reason="tool_calls", model="m")


def result(call_id: str, output: str = LONG, name: str = "read", **more: bool) -> ToolResult:
    return ToolResult(call_id=call_id, name=name, output=output, **more)


def test_of_a_long_output_head_tail_and_lines_of_errors_stay() -> None:
    output = LONG.replace("line 1000", "E   AssertionError: 3 failed")

    [shorter] = shrunk([result("c1", output, name="bash")])

    assert isinstance(shorter, ToolResult)
    assert shorter.output.startswith("line 0\nline 1\n")
    assert shorter.output.endswith("line 1999")
    assert "AssertionError: 3 failed" in shorter.output
    assert "characters left out" in shorter.output
    assert len(shorter.output) < 2 * MOST


def test_short_outputs_and_what_the_user_said_stay_as_they_are() -> None:
    messages = [UserMessage(text=LONG, turn_id="t", prompt_id="p"), result("c1", "short", name="bash")]

    assert shrunk(messages) == messages


def test_plan_steps_and_answers_of_the_user_stay_as_they_are() -> None:
    messages = [
        call("c1", "present_plan", plan=LONG),
        result("c1", LONG, "present_plan"),
        call("c2", "todo", items=[{"task": LONG}]),
        result("c3", LONG, "ask_user"),
        result("c4", LONG, "bash", failed=True, denied=True),
    ]

    assert shrunk(messages) == messages


def test_a_file_that_was_read_again_is_pointed_to() -> None:
    old = [call("c1", path="a.py"), result("c1"), call("c2", path="b.py"), result("c2", "short")]

    shorter = shrunk(old, [call("c3", path="a.py"), result("c3")])

    assert [one.output for one in shorter if isinstance(one, ToolResult)] == [
        "[what a.py was then; it was read again later: see there]",
        "short",
    ]


def test_a_part_that_was_not_read_again_stays() -> None:
    old = [call("c1", path="a.py", offset=1), result("c1", "the beginning " * 20)]
    others = [call("c2", path="a.py", offset=500), result("c2"), call("c3", path="a.py"), result("c3", failed=True)]

    assert shrunk(old, others) == old


def test_attachments_are_named_and_left_out() -> None:
    image = Attachment(name="shot.png", media_type="image/png", data=b"png")

    [message] = shrunk([UserMessage(text="see", turn_id="t", prompt_id="p", attachments=(image,))])

    assert isinstance(message, UserMessage)
    assert message.attachments == ()
    assert message.text.startswith("see\n[image shot.png left out: it was sent earlier")


def test_long_arguments_stay_json_with_the_same_names() -> None:
    [message] = shrunk([call("c1", name="write", path="a.py", content=LONG, edits=[{"old": LONG}])])

    assert isinstance(message, AssistantMessage)
    arguments = json.loads(message.calls[0].arguments)
    assert list(arguments) == ["path", "content", "edits"]
    assert max(len(arguments["content"]), len(arguments["edits"][0]["old"])) < 2 * MOST


def test_arguments_that_are_no_json_become_an_object() -> None:
    broken = ToolCall(call_id="c1", name="write", arguments='{"content": "' + LONG)

    [message] = shrunk([AssistantMessage(blocks=(broken,), stop_reason="tool_calls", model="m")])

    assert isinstance(message, AssistantMessage)
    assert list(json.loads(message.calls[0].arguments)) == ["cut"]


def test_thinking_of_what_no_longer_follows_on_the_same_goes() -> None:
    message = AssistantMessage(
        blocks=(Thinking(text="hm", signature="s"), Text(text="yes")), stop_reason="end_turn", model="m", answers="f"
    )

    kept = unbound(message)

    assert isinstance(kept, AssistantMessage)
    assert (kept.blocks, kept.answers) == ((Text(text="yes"),), "")


@given(st.text(max_size=4000), st.integers(0, 2000))
def test_a_cut_text_is_never_longer_and_keeps_its_ends(text: str, most: int) -> None:
    shorter = cut.middle(text, most)

    assert len(shorter) <= max(len(text), most + len(cut.MARK) + 10)
    assert text.startswith(shorter[: most // 2])
    assert text.endswith(shorter[len(shorter) - most // 2 :])
