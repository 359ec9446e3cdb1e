"""What the requests of all wire formats have in common; each has a folder of tests of its own."""

from typing import Any

import msgspec
import pytest

from actors.messages.conversation import AssistantMessage
from actors.messages.model import Api
from actors.providers.formats.table import ALL, format_of
from tests.actors.providers.formats import conversations
from tests.actors.providers.formats.reading import target

each_api = pytest.mark.parametrize("api", ALL)


def body(api: Api, conversation: str, **changes: Any) -> Any:  # noqa: ANN401  # any JSON
    ask = msgspec.structs.replace(conversations.asked(conversation, api), **changes)
    return msgspec.json.decode(format_of(api).request(target(api), ask).body)


@each_api
def test_an_answer_is_streamed_from_the_model_that_is_meant(api: Api) -> None:
    sent = body(api, "with_tools")

    assert (sent["model"], sent["stream"]) == ("model", True)


@each_api
def test_the_key_is_not_shown(api: Api) -> None:
    wire_format, to = format_of(api), target(api)
    request = wire_format.request(to, conversations.asked("with_tools", api))

    assert any("planted-key" in value for value in request.headers.values())
    assert "planted-key" not in repr((request, wire_format.list_models(to.endpoint), to))


@each_api
def test_every_call_and_its_result_are_there_under_one_id(api: Api) -> None:
    sent = msgspec.json.encode(body(api, "switched")).decode()
    asked = conversations.asked("switched", api).history

    ids = [call.call_id for message in asked if isinstance(message, AssistantMessage) for call in message.calls]
    assert all(sent.count(f'"{one}"') == 2 for one in ids if one.startswith("call_"))


@each_api
def test_thoughts_of_another_model_are_not_sent(api: Api) -> None:
    assert "Only thoughts." not in msgspec.json.encode(body(api, "switched")).decode()


@each_api
def test_what_may_not_be_called_is_not_offered(api: Api) -> None:
    choice = body(api, "with_tools", tools=()).get("tool_choice", "none")

    assert choice in ("none", {"type": "none"})
