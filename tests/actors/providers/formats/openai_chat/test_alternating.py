"""Conversations in which roles do not take turns, at models whose templates insist that they do."""

import json
from typing import Any

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.conversation import (
    AssistantMessage,
    Attachment,
    ModelInput,
    Text,
    ToolCall,
    ToolResult,
    UserMessage,
)
from actors.messages.model import AskModel
from actors.providers.formats.openai_chat import FORMAT
from tests.actors.providers.formats.openai_chat.streams import to
from tests.actors.providers.talking import (
    ASK,
    HELLO,
    agent_beside,
    answer_in,
    configured,
    problem_in,
    told,
    waits,
)
from tests.fakes.model_faults import Fault, refusal
from tests.fakes.model_server import open_model_server
from tests.fakes.strict_template import complaint, refused

PICTURE = Attachment(name="a.png", media_type="image/png", data=b"png", size=3)


def said(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t")


def answer(text: str = "", *calls: str) -> AssistantMessage:
    blocks = (
        *([Text(text=text)] if text else []),
        *(ToolCall(call_id=one, name="read", arguments="{}") for one in calls),
    )
    return AssistantMessage(blocks=blocks, stop_reason="tool_calls" if calls else "end_turn", model="test/model")


def result(call_id: str, *pictures: Attachment) -> ToolResult:
    return ToolResult(call_id=call_id, name="read", output="x", attachments=pictures)


CONVERSATIONS: dict[str, tuple[ModelInput, ...]] = {
    "an interrupt between calls": (said("Go."), answer("", "call_1"), result("call_1"), said("Stop, rather that.")),
    "an interrupt before any answer": (said("Go."), said("Rather that.")),
    "a picture in a result": (said("Go."), answer("", "call_1"), result("call_1", PICTURE)),
    "a picture, and words after it": (said("Go."), answer("", "call_1"), result("call_1", PICTURE), said("Well?")),
    "a note on the mode": (said("Go."), answer("", "call_1"), result("call_1"), said("The mode is now plan.")),
    "an answer that went on": (said("Go."), answer("It is"), answer(" so.")),
    "an answer that went on with a call": (said("Go."), answer("I look."), answer("Here.", "call_1"), result("call_1")),
    "an answer that says nothing": (said("Go."), answer(), said("Well?")),
    "text, then calls side by side": (said("Go."), answer("So.", "a", "b"), result("a"), result("b"), said("And?")),
}


def sent(history: tuple[ModelInput, ...], dialect: str = "", **endpoint: bool) -> list[dict[str, Any]]:
    ask = AskModel(model="test/model", session_id="s", system="Be brief.", history=history)
    messages: list[dict[str, Any]] = json.loads(FORMAT.request(to(dialect, **endpoint), ask).body)["messages"]
    return messages


@pytest.mark.parametrize("history", CONVERSATIONS.values(), ids=CONVERSATIONS)
def test_bridged_every_conversation_takes_turns(history: tuple[ModelInput, ...]) -> None:
    assert complaint(sent(history, bridged=True)) == ""


def test_bridged_nothing_that_was_said_is_lost() -> None:
    for history in CONVERSATIONS.values():
        texts = [one.text for one in history if isinstance(one, UserMessage | AssistantMessage)]
        whole = json.dumps(sent(history, bridged=True))
        assert all(json.dumps(text)[1:-1] in whole for text in texts)


@pytest.mark.parametrize("name", ["an interrupt before any answer", "an answer that went on"])
@pytest.mark.parametrize("dialect", ["", "ollama", "llamacpp", "vllm", "lmstudio"])
def test_neighbours_are_one_message_where_a_template_may_stand_behind_it(name: str, dialect: str) -> None:
    assert complaint(sent(CONVERSATIONS[name], dialect=dialect)) == ""


@pytest.mark.parametrize(
    "why",
    [
        pytest.param(refused, id="llama.cpp"),
        pytest.param(lambda body: _vllm(body), id="vLLM"),
        pytest.param(lambda body: _lm_studio(body), id="LM Studio"),
    ],
)
async def test_what_a_template_refuses_is_asked_again_in_turns_once_a_server(mock_clock: MockClock, why: Any) -> None:  # noqa: ANN401
    history = CONVERSATIONS["an interrupt between calls"]
    ask = msgspec.structs.replace(ASK, history=history)
    async with (
        open_model_server(HELLO, refuses=why) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat")) as agent,
    ):
        heard = [await told(agent, ask), await told(agent, ask)]

    assert [answer_in(items).message.text for items in heard] == ["Done."] * 2
    assert [waits(items) for items in heard] == [[], []]
    assert [bool(complaint(json.loads(got.body)["messages"])) for got in server.asked] == [True, False, False]


async def test_a_template_that_refuses_all_the_same_is_asked_twice(mock_clock: MockClock) -> None:
    never: Fault = lambda _: refusal(400, "Error rendering prompt with jinja template: no", "invalid_request_error")  # noqa: E731
    async with (
        open_model_server(HELLO, [never] * 9) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat")) as agent,
    ):
        heard = await told(agent)

    assert "jinja template" in problem_in(heard).text
    assert len(server.asked) == 2


def _vllm(body: dict[str, Any]) -> Any:  # noqa: ANN401
    words = "After the optional system message, conversation roles must alternate user/assistant/user/assistant/..."
    return refusal(400, words, "BadRequestError") if complaint(body["messages"]) else None


def _lm_studio(body: dict[str, Any]) -> Any:  # noqa: ANN401
    words = 'Error rendering prompt with jinja template: "Conversation roles must alternate"'
    return refusal(400, words) if complaint(body["messages"]) else None
