"""What a service may send without ending more than the one request that it answers."""

import pytest
from trio.testing import MockClock

from actors.messages.base import Problem
from actors.messages.conversation import ToolCall
from actors.messages.model import Api
from actors.providers.formats.wire_format import arguments
from tests.actors.providers.http.test_response_body import GOOD, heard
from tests.actors.providers.talking import agent_beside, configured, problem_in, told
from tests.fakes.odd_server import open_odd_server

NESTED = b"[" * 200_000 + b"]" * 200_000
STREAM = {"content-type": "text/event-stream"}
EVENTS: dict[Api, bytes] = {
    "openai-chat": b'data: {"choices":%s}\n\n',
    "openai-responses": b'data: {"type":"response.output_item.done","item":%s}\n\n',
    "anthropic-messages": b'data: {"type":"content_block_start","index":0,"content_block":%s}\n\n',
}


async def problem_with(clock: MockClock, api: Api, content: bytes) -> Problem:
    async with open_odd_server(content, STREAM) as url, agent_beside(clock, configured(url, api)) as agent:
        return problem_in(await told(agent))


@pytest.mark.parametrize("api", EVENTS)
async def test_json_that_is_nested_without_end_is_a_broken_stream(mock_clock: MockClock, api: Api) -> None:
    problem = await problem_with(mock_clock, api, EVENTS[api].replace(b"%s", NESTED))

    assert problem.code == "bad_stream"
    assert "nested without end" in problem.text


@pytest.mark.parametrize("api", GOOD)
async def test_a_nested_body_is_one_too(mock_clock: MockClock, api: Api) -> None:
    problem = await problem_with(mock_clock, api, b'{"choices":' + NESTED + b"}")

    assert problem.code == "bad_stream"


async def test_a_stream_that_never_ends_is_left() -> None:
    megabytes = b": " + b"." * (16 * 1024 * 1024) + b"\n\n"

    assert (await heard("openai-chat", *[megabytes] * 5))[1] == "it sent more than any answer has."


def test_arguments_that_are_nested_without_end_go_back_as_text() -> None:
    call = ToolCall(call_id="c", name="read", arguments='{"path":' + NESTED.decode() + "}")

    assert arguments(call).startswith('{"unparsed":')
