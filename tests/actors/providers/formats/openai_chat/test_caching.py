"""What OpenRouter is told to keep of a conversation with Claude, as the conversation grows."""

import itertools
import json
from typing import Any

import pytest

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

MOST = 4
PICTURE = Attachment(name="a.png", media_type="image/png", data=b"png", size=3)
Json = dict[str, Any]


def said(text: str) -> UserMessage:
    return UserMessage(text=text, turn_id="t")


def answer(text: str, *calls: str) -> AssistantMessage:
    blocks = [ToolCall(call_id=one, name="read", arguments="{}") for one in calls]
    return AssistantMessage(blocks=(Text(text=text), *blocks), stop_reason="end_turn", model="test/model")


def result(call_id: str, *pictures: Attachment) -> ToolResult:
    return ToolResult(call_id=call_id, name="read", output=f"what {call_id} gave", attachments=pictures)


MANY = [f"call{number}" for number in range(30)]
SAID: list[ModelInput] = [
    *(said("Go."), answer("I look.", "a"), result("a")),
    *(answer("And there.", "b", "c"), result("b"), result("c", PICTURE)),
    *(answer("Everywhere.", *MANY), *map(result, MANY)),
    *(
        answer("It is so."),
        said("Well?"),
        answer("Yes."),
        said("Then go."),
        answer("", "d"),
        result("d"),
        said("Stop."),
    ),
]


def requests(name: str) -> list[list[Json]]:
    """The messages of each request of this conversation."""
    ends = [
        place
        for place, one in enumerate(SAID, 1)
        if not isinstance(one, AssistantMessage) and (place == len(SAID) or isinstance(SAID[place], AssistantMessage))
    ]
    asks = [AskModel(model="test/model", session_id="s", system="Brief.", history=tuple(SAID[:end])) for end in ends]
    return [json.loads(FORMAT.request(to("openrouter", name), ask).body)["messages"] for ask in asks]


def marked(messages: list[Json]) -> list[int]:
    parts = [message["content"] if isinstance(message["content"], list) else [] for message in messages]
    return [place for place, each in enumerate(parts) if any("cache_control" in part for part in each)]


def test_where_one_request_ended_the_next_one_has_a_mark_too() -> None:
    sent = requests("anthropic/claude-sonnet-4.5")

    assert len(sent) > MOST
    for before, after in itertools.pairwise(sent):
        assert len(before) - 1 in marked(before)
        assert len(before) - 1 in marked(after)


@pytest.mark.parametrize("name", ["anthropic/claude-sonnet-4.5", "google/gemini-2.5-pro"])
def test_there_are_never_more_marks_than_the_service_takes(name: str) -> None:
    assert max(len(marked(messages)) for messages in requests(name)) <= MOST
