"""What goes over a socket: the whole input, or what is new."""

from typing import Any

import msgspec
import pytest

from actors.messages.conversation import AssistantMessage, ModelInput, Text, ToolCall, ToolResult, UserMessage
from actors.messages.model import AskModel
from actors.providers.formats.openai_responses import FORMAT
from actors.providers.formats.openai_responses.continuation import error_names, frame, remembered
from tests.actors.providers.formats.reading import target

CALL = ToolCall(call_id="c1", name="read", arguments='{"path":"x"}')
HELLO = UserMessage(text="Hello.", turn_id="t1")
ANSWER = AssistantMessage(blocks=(Text(text="Looking."), CALL), stop_reason="tool_calls", model="test/model")
RESULT = ToolResult(call_id="c1", name="read", output="text")
NEW = {"type": "function_call_output", "call_id": "c1", "output": "text"}


def body(*history: ModelInput, **changes: Any) -> bytes:  # noqa: ANN401
    ask = AskModel(model="test/model", session_id="s", system="Be brief.", history=history)
    return FORMAT.request(target("openai-responses"), msgspec.structs.replace(ask, **changes)).body


def sent(body: bytes, after: bytes | None = None) -> dict[str, Any]:
    """The frame, on a socket that has answered ANSWER to the request `after`."""
    memory = remembered(after, ANSWER, "resp_1") if after is not None else None
    read: dict[str, Any] = msgspec.json.decode(frame(body, memory).text)
    return read


def test_the_first_frame_is_the_request_without_what_only_http_has() -> None:
    members = msgspec.json.decode(body(HELLO))
    del members["stream"]

    assert sent(body(HELLO)) == {"type": "response.create", **members}


def test_what_follows_the_last_answer_is_all_that_is_sent() -> None:
    frame = sent(body(HELLO, ANSWER, RESULT, system="Be long."), after=body(HELLO))

    assert (frame["input"], frame["previous_response_id"], frame["instructions"]) == ([NEW], "resp_1", "Be long.")


@pytest.mark.parametrize(
    "history",
    [
        (HELLO,),
        (UserMessage(text="Hello!", turn_id="t1"), ANSWER, RESULT),
        (HELLO, msgspec.structs.replace(ANSWER, blocks=(CALL,)), RESULT),
        (HELLO, HELLO, ANSWER, RESULT),
    ],
    ids=["repeated", "edited", "answer edited", "longer before"],
)
def test_a_conversation_that_goes_on_differently_is_sent_whole(history: tuple[ModelInput, ...]) -> None:
    frame = sent(body(*history), after=body(HELLO))

    assert "previous_response_id" not in frame
    assert frame["input"] == msgspec.json.decode(body(*history))["input"]


def test_where_nothing_is_new_there_is_nothing_to_go_on_with() -> None:
    said = msgspec.structs.replace(ANSWER, blocks=(Text(text="So."),))
    memory = remembered(body(HELLO), said, "resp_1")

    assert not frame(body(HELLO, said), memory).continued


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b'{"type":"error","status":400,"error":{"code":"a"}}', ("a",)),
        (b'{"type":"error","error":{"type":"a","code":null}}', ("a",)),
        (b'{"type":"response.failed","response":{"status":"failed","error":{"code":"a"}}}', ("a",)),
        (b'{"type":"error","code":"a"}', ("a", "error")),
        (b"[torn", ()),
    ],
)
def test_the_names_of_an_error_frame(data: bytes, names: tuple[str, ...]) -> None:
    assert error_names(data) == names
