"""Tool calls are put together from whatever fragments servers make of them."""

import json
from typing import Any

import pytest

from actors.messages.conversation import AssistantMessage, ToolCall, UserMessage
from actors.messages.model import AskModel
from tests.actors.providers.formats.openai_chat.streams import (
    Json,
    at_once,
    call,
    chat,
    fault_of,
    said,
    streamed,
    whole,
)

ONE, TWO = ("one", "{}"), ("two", "{}")


def calls(*deltas: Json, finish: str = "tool_calls") -> list[tuple[str, str]]:
    return [(call.name, call.arguments) for call in said(chat(*deltas, finish=finish)).calls]


@pytest.mark.parametrize(
    ("deltas", "expected"),
    [
        pytest.param(
            [
                call(index=0, id="a", name="one", arguments=""),
                call(index=0, arguments='{"x"'),
                call(index=0, arguments=":1}"),
            ],
            [("one", '{"x":1}')],
            id="as OpenAI",
        ),
        pytest.param(
            [call(index=1, id="a", name="one"), call(index=7, id="b", name="two"), call(index=1, arguments='{"x":1}')],
            [("one", '{"x":1}'), TWO],
            id="gaps in the index",
        ),
        pytest.param(
            [call(id="a", name="one", arguments="{}"), call(id="b", name="two", arguments="{}")],
            [ONE, TWO],
            id="no index",
        ),
        pytest.param(
            [call(index=0, id="a", name="one", arguments="{}"), call(index=0, id="b", name="two", arguments="{}")],
            [ONE, TWO],
            id="every index 0",
        ),
        pytest.param(
            [
                call(index=0, id="a", name="one", arguments='{"x":'),
                call(index=0, id="a", name="one", arguments="1}"),
                call(index=0, id="b", name="one", arguments=""),
                call(index=0, id="b", name="one", arguments="{}"),
            ],
            [("one", '{"x":1}'), ONE],
            id="every index 0, id and name in every fragment",
        ),
        pytest.param(
            [call(index=0, id="", name="one", arguments="{}"), call(index=0, id="", name="two", arguments="{}")],
            [ONE, TWO],
            id="neither id nor index of use",
        ),
        pytest.param(
            [call(index=0, id="", name="one"), call(index=0, id="", name="two")],
            [ONE, TWO],
            id="neither id nor index of use, and no arguments",
        ),
        pytest.param(
            [call(id="a", name="one", arguments='{"x"'), call(arguments=":1}")],
            [("one", '{"x":1}')],
            id="a fragment without index and id",
        ),
        pytest.param(
            [call(id="a", name="one", arguments='{"x"'), call(index=0, arguments=":1}")],
            [("one", '{"x":1}')],
            id="an index only later",
        ),
        pytest.param(
            [call(index=0, id="a", name="one", arguments='{"x"'), call(index=1, id="a", arguments=":1}")],
            [("one", '{"x":1}')],
            id="an index that counts fragments",
        ),
        pytest.param(
            [call(index=0, name="one", arguments='{"x"'), call(index=0, id="a", arguments=":1}")],
            [("one", '{"x":1}')],
            id="an id only later",
        ),
        pytest.param(
            [call(index=0, id="a"), call(index=0, id="a", name="one", arguments="{}")],
            [ONE],
            id="a name only later",
        ),
        pytest.param(
            [call(index=0, id="a", name="one"), call(index=0, id="a", name="one", arguments="{}")],
            [ONE],
            id="id and name repeated",
        ),
        pytest.param(
            [
                call(index=0, id="a", name="one", arguments='{"x":'),
                call(index=0, name="one", arguments="1}"),
                call(index=0, name="one", arguments=""),
            ],
            [("one", '{"x":1}')],
            id="the name repeated, but not the id",
        ),
        pytest.param(
            [
                call(index=0, name="one", arguments='{"x":'),
                call(index=0, name="one", arguments="1}"),
                call(index=0, name="one", arguments=""),
            ],
            [("one", '{"x":1}')],
            id="the name repeated, and never an id",
        ),
        pytest.param(
            [call(index=0, id="a", name="one", arguments="{}"), call(index=0, name="one", arguments='{"x":1}')],
            [("one", '{"x":1}')],
            id="{} in place of what follows with the name",
        ),
        pytest.param(
            [call(index=0, name="one", arguments="{}"), call(index=0, name="one", arguments='{"x":1}')],
            [("one", '{"x":1}')],
            id="{} in place of what follows with the name, and never an id",
        ),
        pytest.param(
            [call(index=0, name="one", arguments='{"x":1}'), call(index=0, name="one", arguments='{"x":2}')],
            [("one", '{"x":1}'), ("one", '{"x":2}')],
            id="two of one tool, every index 0",
        ),
        pytest.param(
            [call(id="", name="one", arguments=""), call(id="", name="one", arguments="")],
            [ONE, ONE],
            id="two of one tool, without arguments, ids or indices",
        ),
        pytest.param(
            [call(name="one", arguments=""), call(name="one", arguments='{"x":'), call(name="one", arguments="1}")],
            [("one", '{"x":1}')],
            id="nothing but the name repeated",
        ),
        pytest.param([call(index=0, id="a", name="one", arguments={"x": [1]})], [("one", '{"x":[1]}')], id="object"),
        pytest.param([call(index=0, id="a", name="one", arguments=None)], [ONE], id="null"),
        pytest.param([call(index=0, id="a", name="one", arguments=" ")], [ONE], id="blank"),
        pytest.param([call(index=0, id=17, name="one")], [ONE], id="a number for an id"),
        pytest.param(
            [{"tool_calls": [{"id": "a", "function": None}]}, call(id="a", name="one")], [ONE], id="no function"
        ),
        pytest.param([call(index=0, id="a", name="one", arguments='{"x"')], [("one", '{"x"')], id="malformed"),
        pytest.param(
            [
                call(index=0, id="a", name="one", arguments="{}"),
                call(index=0, arguments='{"x":'),
                call(index=0, arguments="1}"),
            ],
            [("one", '{"x":1}')],
            id="{} in place of what follows",
        ),
        pytest.param(
            [
                call(index=0, id="a", name="one", arguments='{"x":'),
                call(index=0, arguments="1}"),
                call(index=0, arguments='{"x":1}'),
            ],
            [("one", '{"x":1}')],
            id="all of it again at the end",
        ),
        pytest.param(
            [{"function_call": {"name": "one", "arguments": "{"}}, {"function_call": {"arguments": "}"}}],
            [ONE],
            id="of old",
        ),
        pytest.param([{"tool_calls": [{}]}, call(index=1, id="a", name="one")], [ONE], id="an empty one"),
        pytest.param([{"tool_calls": []}, {"tool_calls": None}], [], id="none"),
    ],
)
def test_they_are_put_together(deltas: list[Json], expected: list[tuple[str, str]]) -> None:
    assert calls(*deltas) == expected
    assert calls(*deltas, finish="stop") == expected


def test_calls_decide_how_an_answer_stopped() -> None:
    assert said(chat(call(index=0, id="a", name="one"), finish="stop")).stop_reason == "tool_calls"
    assert said(chat({"content": "Hm."}, finish="tool_calls")).stop_reason == "end_turn"


def test_an_id_is_made_up_where_none_is_given_or_one_was_used_before() -> None:
    earlier = AssistantMessage(
        blocks=(ToolCall(call_id="0", name="one", arguments="{}"),), stop_reason="tool_calls", model="test/model"
    )
    ask = AskModel(model="", session_id="s", system="", history=(UserMessage(text="x", turn_id="t"), earlier))
    deltas = [call(index=0, id="0", name="one"), call(index=1, id="", name="two"), call(index=2, id="3", name="three")]

    ids = [made.call_id for made in streamed(chat(*deltas), ask)[1].message.calls]

    assert ids[2] == "3"
    assert len({"0", "", *ids}) == 5


def test_a_call_cut_by_the_token_limit_is_left_out_and_named() -> None:
    deltas = [call(index=0, id="a", name="one", arguments="{}"), call(index=1, id="b", name="two", arguments='{"x":{}')]

    answer = streamed(chat(*deltas, finish="length"))[1]

    assert [made.name for made in answer.message.calls] == ["one"]
    assert (answer.message.stop_reason, answer.cut_call) == ("max_tokens", "two")


def test_the_last_argument_is_not_taken_for_all_of_them() -> None:
    deltas = [call(index=0, id="a", name="one", arguments='{"edits":'), call(index=0, arguments='{"x":1}')]

    assert calls(*deltas) == [("one", '{"edits":{"x":1}')]


def test_a_call_of_no_tool_is_a_broken_stream() -> None:
    assert fault_of(chat(call(index=0, id="a", arguments='{"x":1}'))).text == "it called a tool without saying which."


def test_a_thought_signature_stays_with_its_call() -> None:
    signed = {"extra_content": {"google": {"thought_signature": "c2ln"}}}
    delta: dict[str, Any] = {"tool_calls": [{"id": "a", "function": {"name": "one", "arguments": "{}"}, **signed}]}

    streamed_call, whole_call = said(chat(delta)).calls[0], at_once(whole(delta))[1].message.calls[0]

    assert streamed_call == whole_call
    assert json.loads(streamed_call.extra) == signed


def test_a_call_that_is_written_as_text_stays_text() -> None:
    text = '<tool_call>{"name": "one"}</tool_call>'

    assert (said(chat({"content": text})).text, said(chat({"content": text})).calls) == (text, ())
