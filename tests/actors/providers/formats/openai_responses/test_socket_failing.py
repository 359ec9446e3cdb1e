"""What happens when a socket fails: the turn goes on, over another one or over HTTP."""

import msgspec
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.messages.model import AskModel, Retrying
from actors.providers.faults.fault import broken
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.formats.openai_responses.askers import CALLS, HELLO, RESULT, SAYS, asker_and_server, inputs
from tests.actors.providers.talking import agent_beside, answer_in, told
from tests.fakes.responses_socket import ResponsesSocket, open_responses_socket


async def test_a_forgotten_response_is_no_failure_the_whole_input_goes_again() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "forget")) as (asker, server):
        await asker.ask()
        fault = await asker.ask(RESULT)

    assert fault is None
    assert inputs(server) == [[(1, None), (1, "resp_1"), (3, None)]]


@pytest.mark.parametrize("fault", ["forget-created", "forget-failed", "forget-type"])
async def test_a_response_may_be_forgotten_in_other_words(fault: str) -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", fault)) as (asker, server):
        await asker.ask()
        outcome = await asker.ask(RESULT)

    assert outcome is None
    assert asker.text == "So."
    assert [answer.stop_reason for answer in asker.answers] == ["tool_calls", "end_turn"]
    assert inputs(server) == [[(1, None), (1, "resp_1"), (3, None)]]


async def test_what_came_before_an_error_frame_is_told() -> None:
    async with asker_and_server(SAYS, faults=("limited-later",)) as (asker, _):
        fault = await asker.ask()

    assert fault is not None
    assert (fault.code, asker.text) == ("rate_limited", "So")


async def test_a_socket_that_was_closed_meanwhile_is_replaced() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("close-after",)) as (asker, server):
        await asker.ask()
        await server.ended.wait()
        fault = await asker.ask(RESULT)

    assert fault is None
    assert inputs(server) == [[(1, None)], [(3, None)]]
    assert server.posts == []


async def test_a_worn_out_socket_is_replaced() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "worn-out")) as (asker, server):
        await asker.ask()
        fault = await asker.ask(RESULT)

    assert fault is None
    assert inputs(server) == [[(1, None), (1, "resp_1")], [(3, None)]]


async def test_a_socket_that_wears_out_in_an_answer_costs_a_try_and_is_replaced() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "worn-out-later")) as (asker, server):
        await asker.ask()
        fault = await asker.ask(RESULT)
        again = await asker.ask()

    assert fault is not None
    assert (fault.code, fault.again, again) == ("bad_stream", "while it lasts", None)
    assert inputs(server) == [[(1, None), (1, "resp_1")], [(3, None)]]


NO_HANDSHAKES = (
    b"",
    b"\x15\x03\x01 no HTTP\r\n\r\n",
    b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n\r\n<html>Welcome!</html>",
    b"HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-accept: no\r\n\r\n",
    b"HTTP/1.1 101 Yes\r\nupgrade: websocket\r\nconnection: \xff\r\n\r\n",
)


@pytest.mark.parametrize("refuses", [400, 401, 404, 426, 503, *NO_HANDSHAKES])
async def test_where_sockets_are_refused_http_is_asked_from_then_on(refuses: int | bytes) -> None:
    async with asker_and_server(CALLS, SAYS, refuses=refuses) as (asker, server):
        faults = [await asker.ask(), await asker.ask(RESULT)]

    assert faults == [None, None]
    assert asker.text == "So."
    assert [len(body["input"]) for body in server.posts] == [1, 3]
    assert server.posts[0]["stream"] is True


async def test_a_socket_that_breaks_before_it_ever_worked_is_no_failure() -> None:
    async with asker_and_server(CALLS, faults=("close",)) as (asker, server):
        fault = await asker.ask()

    assert fault is None
    assert inputs(server) == [[(1, None)]]
    assert [len(body["input"]) for body in server.posts] == [1]


async def test_a_socket_that_breaks_in_an_answer_costs_a_try_and_http_takes_over() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "drop")) as (asker, server):
        await asker.ask()
        fault = await asker.ask(RESULT)
        again = await asker.ask()

    assert fault is not None
    assert (fault.code, fault.again) == ("bad_stream", "while it lasts")
    assert again is None
    assert asker.text == "So."
    assert [len(body["input"]) for body in server.posts] == [3]


async def test_a_frame_that_is_no_event_is_a_fault_and_the_next_try_begins_anew() -> None:
    async with asker_and_server(CALLS, faults=("garbage",)) as (asker, server):
        fault = await asker.ask()
        again = await asker.ask()

    assert fault == broken("it sent something that is not a Responses event.")
    assert again is None
    assert len(server.sockets) == 2


async def test_a_frame_larger_than_any_answer_is_not_taken() -> None:
    async with asker_and_server(CALLS, faults=("huge",)) as (asker, server):
        fault = await asker.ask()

    assert fault is None
    assert len(server.posts) == 1


async def test_a_silent_socket_is_a_stall(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    async with asker_and_server(CALLS, faults=("stall",)) as (asker, server):
        fault = await asker.ask()
        again = await asker.ask()

    assert fault is not None
    assert (fault.code, fault.again, again) == ("stalled", "while it lasts", None)
    assert len(server.posts) == 1


async def test_an_error_frame_is_classed_with_its_headers_and_the_next_try_begins_anew() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "limited")) as (asker, server):
        await asker.ask()
        fault = await asker.ask(RESULT)
        again = await asker.ask()

    assert fault is not None
    assert (fault.code, fault.wait_s) == ("rate_limited", 7.0)
    assert again is None
    assert inputs(server) == [[(1, None), (1, "resp_1")], [(3, None)]]


async def test_a_cancelled_answer_closes_its_socket() -> None:
    async with asker_and_server(CALLS, SAYS, faults=("", "stall")) as (asker, server):
        await asker.ask()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asker.ask, RESULT)
            await wait_all_tasks_blocked(0.01)
            nursery.cancel_scope.cancel()
        fault = await asker.ask()

    assert fault is None
    assert inputs(server) == [[(1, None), (1, "resp_1")], [(3, None)]]


def configured(server: ResponsesSocket) -> Registry:
    provider = ProviderSettings("openai-responses", server.url, websocket=True)
    return Registry({"test": provider}, {}, built_in=())


async def test_an_agent_goes_on_over_its_socket_and_hears_of_a_retry_over_http(mock_clock: MockClock) -> None:
    server = ResponsesSocket([CALLS, SAYS, SAYS], faults=("", "", "drop"))
    ask = AskModel(model="test/model", session_id="s", system="Be brief.", history=(HELLO,))
    async with open_responses_socket(server), agent_beside(mock_clock, configured(server)) as agent:
        called = answer_in(await told(agent, ask)).message
        ask = msgspec.structs.replace(ask, history=(*ask.history, called, RESULT))
        said = answer_in(await told(agent, ask)).message
        ask = msgspec.structs.replace(ask, history=(*ask.history, said, HELLO))
        heard = await told(agent, ask)

    assert inputs(server) == [[(1, None), (1, "resp_1"), (1, "resp_2")]]
    assert [len(body["input"]) for body in server.posts] == [5]
    assert [item.why for item in heard if isinstance(item, Retrying)] == [
        "test: the connection broke in the middle of the answer."
    ]
    assert answer_in(heard).message.text == "So."


async def test_a_socket_that_failed_bars_others_for_a_minute_and_each_time_twice_as_long(
    autojump_clock: MockClock,
) -> None:
    autojump_clock.autojump_threshold = 0.05
    handshakes = list[int]()
    async with asker_and_server(*[CALLS] * 9, refuses=503) as (asker, server):
        for pause_s in (0.0, 59.0, 2.0, 119.0, 2.0):
            await trio.sleep(pause_s)
            asker.history = (HELLO,)
            await asker.ask()
            handshakes.append(server.refused)

    assert handshakes == [1, 1, 2, 2, 3]


async def test_once_a_socket_works_again_nothing_is_barred(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    async with asker_and_server(CALLS, SAYS, SAYS, faults=("", "drop")) as (asker, server):
        await asker.ask()
        await asker.ask(RESULT)  # it breaks
        await trio.sleep(61)
        asker.history = (HELLO,)
        fault = await asker.ask()

    assert fault is None
    assert (len(server.sockets), server.posts) == (2, [])
