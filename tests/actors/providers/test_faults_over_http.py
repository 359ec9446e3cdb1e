"""What the asker hears when a model service misbehaves: the real actor and real sockets, on a clock that jumps."""

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.config import ProviderSettings
from actors.messages.base import Message
from actors.messages.conversation import AssistantMessage, Text, Thinking, ToolCall, Usage
from actors.messages.model import Answer, Api, Retrying, TextDelta, ThinkingDelta
from actors.providers.registry import Registry
from actors.providers.translate import fingerprints
from tests.actors.providers.talking import (
    ASK,
    HELLO,
    KEY,
    agent_and_server,
    agent_beside,
    answer_in,
    configured,
    problem_in,
    told,
)
from tests.fakes.model_server import open_model_server

APIS: tuple[Api, ...] = ("openai-chat", "anthropic-messages")
each_api = pytest.mark.parametrize("api", APIS)


def whole(api: Api) -> Answer:
    return Answer(
        message=AssistantMessage(
            blocks=(
                Thinking(text="Let me see.", signature="" if api == "openai-chat" else "c2lnbmVk"),
                Text(text="Grüße, 世界! 👋"),
                ToolCall(call_id="call_0_0", name="read", arguments='{"path":"ä.txt"}'),
                ToolCall(call_id="call_0_1", name="list", arguments="{}"),
            ),
            stop_reason="tool_calls",
            model="local/test-model",
            usage=Usage(input_tokens=12, cache_read_tokens=4, output_tokens=7),
            answers=list(fingerprints(ASK.history))[-1],
        )
    )


def waits(heard: list[Message]) -> list[Retrying]:
    return [item for item in heard if isinstance(item, Retrying)]


def streamed(heard: list[Message]) -> tuple[str, str]:
    """Thinking and text since the last retry."""
    last = max((place for place, item in enumerate(heard) if isinstance(item, Retrying)), default=-1)
    since = heard[last + 1 :]
    thinking = "".join(item.text for item in since if isinstance(item, ThinkingDelta))
    return thinking, "".join(item.text for item in since if isinstance(item, TextDelta))


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
        ("drop", "the connection broke, or what came is not HTTP."),
        ("close", "the connection broke, or what came is not HTTP."),
        ("not-http", "the connection broke, or what came is not HTTP."),
        ("short", "the stream ended in the middle."),
        ("stall", "nothing came for so long that the connection counts as dead."),
        ("silence", "nothing came for so long that the connection counts as dead."),
        ("429", "HTTP 429: Slow down."),
        ("429-after", "HTTP 429: Slow down."),
        ("500", "HTTP 500: Internal error."),
        ("503-html", "HTTP 503."),
        ("529", "HTTP 529: Overloaded."),
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
        ("drop", 4, "bad_stream"),
        ("short", 4, "bad_stream"),
        ("garbage", 4, "bad_stream"),
        ("stall", 2, "stalled"),
        ("429", 4, "rate_limited"),
        ("500", 4, "server_error"),
        ("529", 4, "overloaded"),
        ("429-quota", 1, "rate_limited"),
        ("429-long", 1, "rate_limited"),
        ("500-final", 1, "server_error"),
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
    async with agent_and_server(mock_clock, api, [fault] * 9) as (agent, server):
        problem = problem_in(await told(agent))
        asked = [got for got in server.requests if got.method == "POST"]

    assert problem.code == code
    assert problem.text.startswith(f"local ({server.url}")
    assert problem.hint
    assert KEY not in problem.text + problem.hint
    assert len(asked) == tries


async def test_the_wait_a_service_asks_for_is_kept(mock_clock: MockClock) -> None:
    async with agent_and_server(mock_clock, "openai-chat", ["429-after"]) as (agent, _):
        before = trio.current_time()
        heard = await told(agent)
        took = trio.current_time() - before

    assert [item.wait_s for item in waits(heard)] == [7.0]
    assert took >= 7.0


@each_api
@pytest.mark.parametrize("fault", ["split", "drip"])
async def test_bytes_may_come_slowly_and_cut_inside_a_letter(mock_clock: MockClock, api: Api, fault: str) -> None:
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
    async with agent_beside(mock_clock, configured(url, "openai-chat")) as agent:
        heard = await told(agent)
        problem = problem_in(heard)

    assert len(waits(heard)) == 3
    assert problem.code == "unreachable"
    assert problem.text == f"local ({url}/v1): the connection was refused."
    assert problem.hint == "Is the server running, and is its base_url right?"


@pytest.mark.parametrize("url", ["localhost:8080/v1", "http://[::1/v1", "ftp://127.0.0.1/v1"])
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

    assert (problem.code, problem.hint) == ("unreachable", "Nothing answers there: check this provider's base_url.")


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
    async with open_model_server(HELLO) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        async with agent_beside(mock_clock, configured("http://model.invalid", "openai-chat")) as agent:
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
    monkeypatch.setenv("http_proxy", "what://ever")
    async with agent_beside(mock_clock, configured("http://model.invalid", "openai-chat")) as agent:
        problem = problem_in(await told(agent))

    assert problem.code == "bad_configuration"
