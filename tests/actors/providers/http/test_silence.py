"""Signs of life alone have a limit, whatever they are called; whatever brings an answer on has none."""

from collections.abc import Callable
from contextlib import suppress

import pytest
import trio
from trio.testing import MockClock

from actors.messages.base import Message
from actors.messages.model import Answer, Api
from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.sse import Parser
from actors.providers.formats.table import format_of
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.formats.openai_chat.streams import EXPECTED, FIXTURES, MISSING
from tests.actors.providers.formats.openai_responses.askers import CALLS, asker_and_server
from tests.actors.providers.formats.reading import ASK, target
from tests.actors.providers.talking import HELLO, agent_beside, each_api, told, waits, whole
from tests.fakes.model_faults import Good, Reply
from tests.fakes.model_server import open_model_server

SILENT = "nothing but signs of life came for 15 minutes."
CHUNK = b'data: {"id":"x","object":"chat.completion.chunk","choices":[%s]}\n\n'
PINGS: dict[str, tuple[Api, bytes]] = {
    "comments": ("anthropic-messages", b": ping\n\n"),
    "events": ("anthropic-messages", b'event: ping\ndata: {"type": "ping"}\n\n'),
    "data": ("anthropic-messages", b'data: {"type":"keepalive"}\n\n'),
    "empty text delta": (
        "anthropic-messages",
        b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}\n\n',
    ),
    "no choices": ("openai-chat", CHUNK % b""),
    "empty delta": ("openai-chat", CHUNK % b'{"index":0,"delta":{},"finish_reason":null}'),
    "empty content": ("openai-chat", CHUNK % b'{"index":0,"delta":{"role":"assistant","content":""}}'),
    "white lines": ("openai-chat", b"\n"),
    "in progress": ("openai-responses", b'data: {"type":"response.in_progress","response":{"id":"r"}}\n\n'),
    "type at the end": ("openai-responses", b'data: {"sequence_number":3,"type":"keepalive"}\n\n'),
}
ARGUMENTS: dict[Api, tuple[bytes, bytes]] = {
    "openai-chat": (
        CHUNK % b'{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"list","arguments":""}}]}}',
        CHUNK % b'{"delta":{"tool_calls":[{"index":0,"function":{"arguments":" "}}]}}',
    ),
    "openai-responses": (
        b'data: {"type":"response.output_item.added","output_index":9,'
        b'"item":{"type":"function_call","call_id":"c","name":"list"}}\n\n',
        b'data: {"type":"response.function_call_arguments.delta","output_index":9,"delta":" "}\n\n',
    ),
    "anthropic-messages": (
        b'data: {"type":"content_block_start","index":9,'
        b'"content_block":{"type":"tool_use","id":"c","name":"list"}}\n\n',
        b'data: {"type":"content_block_delta","index":9,"delta":{"type":"input_json_delta","partial_json":" "}}\n\n',
    ),
}
"""The beginning of a call, and a piece of its arguments."""
LIFELESS = 3
"""Events in a row that bring an answer on by nothing: the most of any recorded one."""


async def heard_from(clock: MockClock, api: Api, fault: Callable[[Good], Reply]) -> tuple[list[Message], float]:
    """And how long it took."""
    async with open_model_server(HELLO, [fault]) as server:
        url = server.url if api == "anthropic-messages" else f"{server.url}/v1"
        provider = ProviderSettings(api, url, idle_timeout_s=300.0)
        async with agent_beside(clock, Registry({"local": provider}, {}, built_in=())) as agent:
            before = trio.current_time()
            return await told(agent), trio.current_time() - before


@pytest.mark.parametrize(("api", "ping"), PINGS.values(), ids=PINGS)
async def test_signs_of_life_alone_have_a_limit(mock_clock: MockClock, api: Api, ping: bytes) -> None:
    def pings(good: Good) -> Reply:
        begun = () if ping.isspace() else good.pieces[:1]
        return Reply((*begun, *[ping] * 60), pause_s=60.0)

    heard, took = await heard_from(mock_clock, api, pings)

    assert [item.why for item in waits(heard)] == [f"local: {SILENT}"]
    assert heard[-1] == whole(api)
    assert took < 1200.0


async def test_signs_of_life_have_a_limit_over_a_socket_too(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    alive = {"sequence_number": 3, "type": "keepalive"}
    async with asker_and_server([CALLS[0], *[alive] * 200, *CALLS[1:]]) as (asker, server):
        server.pause_s = 10.0
        fault = await asker.ask()

    assert fault is not None
    assert (fault.text, fault.again) == (SILENT, "while it lasts")


@each_api
async def test_who_thinks_for_long_and_says_a_word_now_and_then_is_heard_out(mock_clock: MockClock, api: Api) -> None:
    heard, _ = await heard_from(mock_clock, api, lambda good: Reply(good.pieces, pause_s=250.0))

    assert waits(heard) == []
    assert heard[-1] == whole(api)


@each_api
async def test_a_call_of_which_nobody_is_told_for_an_hour_is_no_silence(mock_clock: MockClock, api: Api) -> None:
    begin, piece = ARGUMENTS[api]

    def writes(good: Good) -> Reply:
        return Reply((good.pieces[0], begin, *[piece] * 60, *good.pieces[1:]), pause_s=60.0)

    heard, took = await heard_from(mock_clock, api, writes)

    assert waits(heard) == []
    assert isinstance(heard[-1], Answer)
    assert took > 3600.0


@each_api
@pytest.mark.skipif(not EXPECTED, reason=MISSING)
def test_recorded_answers_go_on_with_nearly_every_event(api: Api) -> None:
    for path in FIXTURES.glob("*/*.sse"):
        reader, lifeless, most = format_of(api).reader(target(api), ASK), 0, 0
        with suppress(ServiceFailed):
            for event in Parser().feed(path.read_bytes()):
                before = reader.progress
                list(reader.read(event))
                lifeless = 0 if reader.progress != before else lifeless + 1
                most = max(most, lifeless)
        assert most <= LIFELESS or not reader.progress, path
