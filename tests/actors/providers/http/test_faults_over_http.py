"""What the asker hears when a model service misbehaves: the real actor and real sockets, on a clock that jumps."""

import re

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.messages.model import Api
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import (
    ASK,
    HELLO,
    IDLE_S,
    KEY,
    SETTINGS,
    agent_and_server,
    agent_beside,
    answer_in,
    configured,
    each_api,
    problem_in,
    streamed,
    told,
    waits,
    whole,
)
from tests.fakes.model_faults import Reply
from tests.fakes.model_server import open_model_server


@each_api
async def test_an_answer_streams_and_then_comes_whole(mock_clock: MockClock, api: Api) -> None:
    async with agent_and_server(mock_clock, api) as (agent, _):
        heard = await told(agent)

    assert streamed(heard) == ("Let me see.", "Grüße, 世界! 👋")
    assert heard[-1] == whole(api)


@each_api
async def test_two_requests_use_one_connection(mock_clock: MockClock, api: Api) -> None:
    async with agent_and_server(mock_clock, api) as (agent, server):
        await told(agent)
        await told(agent)
        peers = {got.peer for got in server.requests}

    assert len(peers) == 1


@each_api
@pytest.mark.parametrize(
    ("fault", "why"),
    [
        ("drop", "the connection broke."),
        ("close", "the connection broke."),
        ("not-http", "what came is not HTTP."),
        ("short", "the stream ended in the middle."),
        ("stall", "nothing came for so long that the connection counts as dead."),
        ("silence", "nothing came for so long that the connection counts as dead."),
        ("429", "HTTP 429: Slow down."),
        ("429-after", "HTTP 429: Slow down."),
        ("500", "HTTP 500: Internal error."),
        ("503-html", "HTTP 503."),
        ("503-loading", "HTTP 503: Loading model."),
        ("529", "HTTP 529: Overloaded."),
        ("empty", "it answered with nothing at all."),
        ("overloaded-inside", "an error in the middle of the answer: Too many are asking."),
        ("api-error-inside", "an error in the middle of the answer: Too many are asking."),
    ],
)
async def test_what_may_pass_is_announced_and_tried_again(
    mock_clock: MockClock, api: Api, fault: str, why: str
) -> None:
    async with agent_and_server(mock_clock, api, [fault]) as (agent, server):
        heard = await told(agent)

    assert [item.why for item in waits(heard)] == [f"local: {why}"]
    assert streamed(heard) == ("Let me see.", "Grüße, 世界! 👋")
    assert heard[-1] == whole(api)
    assert len(server.requests) == 2


@each_api
@pytest.mark.parametrize(
    ("fault", "tries", "code"),
    [
        ("garbage", 4, "bad_stream"),
        ("429-quota", 1, "rate_limited"),
        ("429-long", 1, "rate_limited"),
        ("500-final", 1, "server_error"),
        ("429-final", 1, "rate_limited"),
        ("402", 1, "rate_limited"),
        ("403-html", 1, "unauthorized"),
        ("usage-limit", 1, "rate_limited"),
        ("spend-limit", 1, "rate_limited"),
        ("quota-inside", 1, "rate_limited"),
        ("json-cut", 4, "bad_stream"),
        ("html-as-stream", 1, "bad_stream"),
        ("text", 1, "bad_stream"),
        ("401", 1, "unauthorized"),
        ("404", 1, "unknown_model"),
        ("400-overflow", 1, "context_overflow"),
        ("wrong-type", 1, "bad_stream"),
        ("error-in-200", 4, "server_error"),
        ("redirect", 1, "unreachable"),
    ],
)
async def test_in_the_end_the_problem_is_named(
    mock_clock: MockClock, api: Api, fault: str, tries: int, code: str
) -> None:
    async with agent_and_server(mock_clock, api, [fault] * 40) as (agent, server):
        problem = problem_in(await told(agent))
        asked = server.asked

    assert problem.code == code
    assert problem.text.startswith(f"local ({server.url}")
    assert problem.hint
    assert KEY not in problem.text + problem.hint
    assert len(asked) == tries


@each_api
@pytest.mark.parametrize("fault", ["json", "json-as-stream"])
async def test_an_answer_may_come_at_once(mock_clock: MockClock, api: Api, fault: str) -> None:
    async with agent_and_server(mock_clock, api, [fault]) as (agent, server):
        heard = await told(agent)

    assert streamed(heard) == ("Let me see.", "Grüße, 世界! 👋")
    assert heard[-1] == whole(api)
    assert len(server.requests) == 1


async def test_what_cannot_be_unpacked_is_asked_for_again(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["bad-gzip"]) as (agent, _):
        heard = await told(agent)

    assert [item.why for item in waits(heard)] == ["local: what came is compressed and cannot be unpacked."]
    assert heard[-1] == whole("openai-chat")


async def test_a_line_beyond_all_measure_is_dropped(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["huge-line"]) as (agent, _):
        mock_clock.autojump_threshold = 1.0  # so many real bytes may stand still in the kernel of a busy machine
        heard = await told(agent)

    assert [item.why for item in waits(heard)] == ["local: it sent an event larger than any answer."]
    assert heard[-1] == whole("openai-chat")


@pytest.mark.parametrize(
    ("fault", "wait_s"), [("429-after", 7.0), ("429-ms", 1.5), ("429-words", 1.3), ("429-reset", 62.5)]
)
async def test_the_wait_a_service_asks_for_is_kept(mock_clock: MockClock, fault: str, wait_s: float) -> None:
    async with agent_and_server(mock_clock, "openai-chat", [fault]) as (agent, server):
        heard = await told(agent)

    assert [item.wait_s for item in waits(heard)] == [pytest.approx(wait_s)]
    assert server.requests[1].at - server.requests[0].at >= wait_s


async def test_the_words_of_a_refusal_need_not_come(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["429-stalls"]) as (agent, _):
        heard = await told(agent)

    assert waits(heard)[0].why.startswith("local: HTTP 429")
    assert heard[-1] == whole("openai-chat")


async def test_a_plan_that_is_used_up_is_said_with_its_time(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-responses", ["usage-limit"]) as (agent, _):
        problem = problem_in(await told(agent))

    assert "The usage limit has been reached." in problem.text
    assert re.fullmatch(
        r"What your plus plan includes is used up until \d\d:\d\d.* \(in 2 h \d+ min\); until then choose .*",
        problem.hint,
    )


async def test_a_web_page_is_named_as_one(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["wrong-type"]) as (agent, _):
        problem = problem_in(await told(agent))

    assert "it answered with a web page where an event stream was asked for." in problem.text
    assert problem.hint.startswith("Check its base_url: it may lack /v1")


@each_api
@pytest.mark.parametrize("fault", ["split", "drip", "unended", "gzip", "plain-stream", "plain-split"])
async def test_bytes_may_come_in_any_way(mock_clock: MockClock, api: Api, fault: str) -> None:
    async with agent_and_server(mock_clock, api, [fault]) as (agent, _):
        heard = await told(agent)

    assert streamed(heard) == ("Let me see.", "Grüße, 世界! 👋")
    assert heard[-1] == whole(api)


async def test_a_refused_key_is_named_by_its_variable_and_never_shown(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["401"]) as (agent, _):
        problem = problem_in(await told(agent))

    assert problem.hint == "Check the key in LOCAL_KEY."
    assert KEY not in problem.text
    assert "Incorrect API key provided: [key]" in problem.text


async def test_an_unknown_model_is_answered_with_the_nearest_names(mock_clock: MockClock) -> None:
    ask = msgspec.structs.replace(ASK, model="local/test-modle")
    async with agent_and_server(mock_clock, "openai-chat", ["404"]) as (agent, _):
        problem = problem_in(await told(agent, ask))

    assert problem.hint == "It offers local/test-model, local/test-model-large."


async def test_a_redirect_is_not_followed_but_shown_without_its_password(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["redirect"]) as (agent, server):
        problem = problem_in(await told(agent))

    assert "HTTP 307: the server redirects to http://127.0.0.1:9/v1." in problem.text
    assert "pass@" not in problem.text
    assert len(server.requests) == 1


async def test_a_refused_connection_names_the_url_and_the_next_step(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        url = server.url
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=20.0)
    async with agent_beside(mock_clock, configured(url, "openai-chat"), settings) as agent:
        heard = await told(agent)
        problem = problem_in(heard)

    assert len(waits(heard)) > 3
    assert problem.code == "unreachable"
    assert problem.text == f"local ({url}/v1): the connection was refused."
    assert problem.hint == "Is the server running, and is its base_url right?"


@pytest.mark.parametrize("url", ["localhost:8080/v1", "http://[::1/v1", "ftp://127.0.0.1/v1", "http://a..b/v1"])
async def test_a_base_url_that_is_none_is_said_at_once(mock_clock: MockClock, url: str) -> None:
    registry = Registry({"local": ProviderSettings("openai-chat", url)}, {}, built_in=())
    async with agent_beside(mock_clock, registry) as agent:
        heard = await told(agent)

    assert len(heard) == 1
    assert problem_in(heard).code == "unreachable"
    assert problem_in(heard).hint == "Write http://HOST:PORT/v1 or https://HOST."


async def test_a_wrong_path_is_not_taken_for_a_wrong_model(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        registry = Registry({"local": ProviderSettings("openai-chat", f"{server.url}/api")}, {}, built_in=())
        async with agent_beside(mock_clock, registry) as agent:
            problem = problem_in(await told(agent))

    assert (problem.code, problem.hint) == ("unreachable", "Nothing answers there: check its base_url.")


async def test_a_cancelled_request_closes_its_connection_at_once(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["stall"]) as (agent, server):
        async with agent.stream("providers", ASK) as stream:
            await anext(stream)
        before = trio.current_time()
        await server.until_idle()
        took = trio.current_time() - before

    assert took < 1


async def test_other_requests_go_on_while_one_stalls(mock_clock: MockClock) -> None:
    async with (
        agent_and_server(mock_clock, "openai-chat", ["stall"]) as (agent, _),
        agent.stream("providers", ASK) as stream,
    ):
        await anext(stream)
        other = await told(agent)

    assert answer_in(other) == whole("openai-chat")


async def test_a_proxy_of_the_environment_is_used(mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    provider = ProviderSettings("openai-chat", "http://model.invalid/v1", idle_timeout_s=IDLE_S, allow_http=True)
    async with open_model_server(HELLO) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=())) as agent:
            heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert proxy.requests[0].headers["host"] == "model.invalid"


async def test_this_machines_own_servers_are_asked_directly(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    async with agent_and_server(mock_clock, "openai-chat") as (agent, _):
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")


async def test_a_proxy_that_is_no_url_is_said(mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("https_proxy", "what://ever")
    async with agent_beside(mock_clock, configured("https://model.invalid", "openai-chat")) as agent:
        problem = problem_in(await told(agent))

    assert problem.code == "bad_configuration"


STREAMS: dict[Api, bytes] = {
    "openai-chat": b'data: {"choices":[{"delta":{"content":"So."},"finish_reason":"stop"}]}\n\n'
    b'data: {"choices":[],"usage":{"completion_tokens":9}}\n\ndata: [DONE]\n\n',
    "anthropic-messages": b'data: {"type":"message_start","message":{"id":"m","content":[]}}\n\n'
    b'data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"So."}}\n\n'
    b'data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":1}}\n\n'
    b'data: {"type":"message_stop"}\n\n',
    "openai-responses": b'data: {"type":"response.created","response":{"id":"r"}}\n\n'
    b'data: {"type":"response.output_text.delta","output_index":0,"delta":"So."}\n\n'
    b'data: {"type":"response.completed","response":{"id":"r","status":"completed","output":[],"usage":{}}}\n\n',
}
OTHERS = [(api, other) for api in STREAMS for other in STREAMS if other != api]


@pytest.mark.parametrize(("api", "other"), OTHERS)
async def test_a_stream_of_another_format_is_no_outage(mock_clock: MockClock, api: Api, other: Api) -> None:
    faults = [lambda _good: Reply((STREAMS[other],))] * 40
    async with (
        open_model_server(HELLO, faults) as server,
        agent_beside(mock_clock, configured(server.url, api)) as agent,
    ):
        problem = problem_in(await told(agent))

    assert len(server.asked) == 4
    assert problem.code == "bad_stream"
    assert problem.hint == "Is its base_url that of the right server, and its api right? If so, try again."


@pytest.mark.parametrize("words", [b'data: {"status":"loading model"}\n\n', b'event: queue\ndata: {"position":3}\n\n'])
async def test_a_word_that_nobody_knows_and_then_an_end_are_an_outage(mock_clock: MockClock, words: bytes) -> None:
    faults = [lambda _good: Reply((words,))] * 9
    async with (
        open_model_server(HELLO, faults) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat")) as agent,
    ):
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")


@each_api
async def test_signs_of_life_and_then_an_end_are_an_outage(mock_clock: MockClock, api: Api) -> None:
    ping = b'event: ping\ndata: {"type":"ping"}\n\n'
    faults = [lambda _good: Reply((b": waiting\n\n", ping))] * 9
    async with (
        open_model_server(HELLO, faults) as server,
        agent_beside(mock_clock, configured(server.url, api)) as agent,
    ):
        heard = await told(agent)

    assert heard[-1] == whole(api)
