"""A wrong address is named as what is wrong with it, by the name of the variable that holds it."""

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.messages.model import Api
from actors.providers.models.base_urls import others
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import ASK, HELLO, SETTINGS, agent_beside, each_api, problem_in, told
from tests.fakes.model_server import open_model_server

OPENAI = msgspec.structs.replace(ASK, model="openai/test-model")


async def _drop(stream: trio.SocketStream) -> None:
    """Reads for ever: a greeting of TLS has no end that plain http knows."""
    async with stream:
        received = b""
        while piece := await stream.receive_some():
            received += piece
            if b"\r\n\r\n" in received:
                await stream.send_all(b"HTTP/1.1 404 -\r\ncontent-length: 0\r\n\r\n")
                return


@pytest.mark.parametrize("answers", [True, False])
async def test_plain_http_where_https_was_asked_for_is_said_within_a_second(
    mock_clock: MockClock, answers: bool
) -> None:
    async with open_model_server(HELLO) as server, trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, _drop, [listener])
        port = server.url.rpartition(":")[2] if answers else listener.socket.getsockname()[1]
        provider = ProviderSettings("openai-chat", f"https://127.0.0.1:{port}/v1")
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, ())) as agent:
            before = trio.current_time()
            heard = await told(agent)
            took = trio.current_time() - before
        nursery.cancel_scope.cancel()

    assert took < 1.0
    assert len(heard) == 1
    assert "it speaks plain http at that port" in problem_in(heard).text
    assert problem_in(heard).hint == "Write http:// in its base_url."


@each_api
@pytest.mark.parametrize("end", ["/v1/chat/completions", "/v1/responses", "/v1/messages", "/v1/models", "/v1/v1/v1x"])
async def test_a_doubled_path_is_answered_with_the_right_address(mock_clock: MockClock, api: Api, end: str) -> None:
    async with open_model_server(HELLO) as server:
        provider = ProviderSettings(api, f"{server.url}{end}")
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, ())) as agent:
            problem = problem_in(await told(agent))

    assert problem.code == "unreachable"
    if end.endswith("x"):
        assert problem.hint == "Nothing answers there: check its base_url."
    else:
        right = server.url if api == "anthropic-messages" else f"{server.url}/v1"
        assert problem.hint == f"Models are listed at {right}: set its base_url to that."


@pytest.mark.parametrize(
    ("api", "base_url", "expected"),
    [
        ("openai-chat", "http://h/v1", ["http://h"]),
        ("openai-chat", "http://h", ["http://h/v1"]),
        ("openai-chat", "http://h/v1/chat/completions", ["http://h/v1", "http://h"]),
        ("openai-responses", "http://h/api", ["http://h/api/v1"]),
        ("anthropic-messages", "http://h/v1/messages", ["http://h"]),
        ("anthropic-messages", "http://h", []),
    ],
)
def test_what_else_may_be_meant(api: Api, base_url: str, expected: list[str]) -> None:
    assert others(api, base_url) == expected


async def test_the_variable_that_holds_the_address_is_named(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        gone = f"{server.url}/v1"
    environ = {"OPENAI_BASE_URL": gone, "OPENAI_API_KEY": "k"}
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=10.0)
    async with agent_beside(mock_clock, Registry({}, environ), settings) as agent:
        problem = problem_in(await told(agent, OPENAI))

    assert problem.text == f"openai ({gone}): the connection was refused."
    assert problem.hint == "Is the server running, and is OPENAI_BASE_URL right?"


@pytest.mark.parametrize("url", ["127.0.0.1:8080/v1", "http://example.org/v1"])
async def test_a_variable_that_holds_no_usable_address_is_named(mock_clock: MockClock, url: str) -> None:
    environ = {"OPENAI_BASE_URL": url, "OPENAI_API_KEY": "k"}
    async with agent_beside(mock_clock, Registry({}, environ)) as agent:
        problem = problem_in(await told(agent, OPENAI))

    assert "OPENAI_BASE_URL is " in problem.text
