"""How a connection is made: whom it trusts, where plain http may go, what is open before it is needed."""

import ssl
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import pytest
import trio
import trustme
from trio.testing import MockClock

from actors.messages.base import Message
from actors.messages.model import ResolvedModel, ResolveModel
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats.wire_format import HttpRequest
from actors.providers.http.connections import FRESH_S
from actors.providers.requests.tries import with_headers
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings, Settings
from actors.settings.services import OPENAI
from tests.actors.providers.talking import (
    ASK,
    HELLO,
    KEY,
    SETTINGS,
    agent_beside,
    answer_in,
    configured,
    problem_in,
    told,
    waits,
    whole,
)
from tests.fakes.model_faults import Reply
from tests.fakes.model_server import open_model_server

CHOSEN = Settings(home="/nowhere", cwd="/nowhere", session_id="s", run_id="r", model="local/test-model")
AUTHORITY = trustme.CA()
Trust = Callable[[trustme.CA], None]


@pytest.fixture
def trust(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Trust:
    """Name this authority in SSL_CERT_FILE."""

    def named(authority: trustme.CA) -> None:
        path = tmp_path / "ca.pem"
        authority.cert_pem.write_to_path(str(path))
        monkeypatch.setenv("SSL_CERT_FILE", str(path))
        monkeypatch.delenv("SSL_CERT_DIR", raising=False)

    return named


def certified(*names: str) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    AUTHORITY.issue_cert(*names).configure_cert(context)
    return context


async def told_over_tls(clock: MockClock, *names: str) -> list[Message]:
    async with (
        open_model_server(HELLO, tls=certified(*names)) as server,
        agent_beside(clock, configured(server.url, "openai-chat")) as agent,
    ):
        return await told(agent)


async def test_an_authority_of_ones_own_is_named_in_a_variable(mock_clock: MockClock, trust: Trust) -> None:
    trust(AUTHORITY)

    heard = await told_over_tls(mock_clock, "127.0.0.1")

    assert heard[-1] == whole("openai-chat")


async def test_nobody_else_is_trusted(mock_clock: MockClock, trust: Trust) -> None:
    trust(trustme.CA())

    heard = await told_over_tls(mock_clock, "127.0.0.1")

    assert waits(heard) == []
    assert problem_in(heard).code == "unreachable"
    assert "no trusted connection: unable to get local issuer certificate." in problem_in(heard).text
    assert "Name its certificate in SSL_CERT_FILE" in problem_in(heard).hint


async def test_who_shows_a_certificate_is_not_asked_in_plain_http(mock_clock: MockClock, trust: Trust) -> None:
    trust(trustme.CA())
    async with (
        open_model_server(HELLO, tls=certified("127.0.0.1")) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat")) as agent,
    ):
        await told(agent)

    assert len(server.peers) == 1


async def test_a_certificate_for_another_name_is_refused(mock_clock: MockClock, trust: Trust) -> None:
    trust(AUTHORITY)

    problem = problem_in(await told_over_tls(mock_clock, "other.example"))

    assert problem.code == "unreachable"
    assert "no trusted connection: IP address mismatch" in problem.text


async def test_a_server_without_tls_is_said_to_be_one(mock_clock: MockClock, trust: Trust) -> None:
    trust(AUTHORITY)
    async with open_model_server(HELLO) as server:
        url = server.url.replace("http:", "https:")
        async with agent_beside(mock_clock, configured(url, "openai-chat")) as agent:
            problem = problem_in(await told(agent))

    assert problem.code == "unreachable"
    assert problem.hint == "Write http:// in its base_url."


async def test_certificates_that_are_not_there_are_named(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/ca.pem")

    problem = problem_in(await told_over_tls(mock_clock, "127.0.0.1"))

    assert problem.code == "bad_configuration"
    assert "SSL_CERT_FILE" in problem.text


@pytest.mark.parametrize(
    "url", ["http://192.168.1.5:8080/v1", "http://model.example/v1", "http://localhost.example/v1"]
)
async def test_plain_http_to_another_machine_is_refused_before_anything_is_sent(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    async with open_model_server(HELLO) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        registry = Registry({"local": ProviderSettings("openai-chat", url)}, {}, built_in=())
        async with agent_beside(mock_clock, registry, CHOSEN) as agent:
            problem = problem_in(await told(agent))

    assert problem.code == "bad_configuration"
    assert "plain http to another machine" in problem.text
    assert problem.hint == "Use https, or set allow_http = true in [providers.local] of config.toml."
    assert proxy.peers == []


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "[::1]", "localhost", "api.localhost", "0.0.0.0"])  # noqa: S104
async def test_this_machine_may_be_asked_without_tls(mock_clock: MockClock, host: str) -> None:
    registry = Registry({"local": ProviderSettings("openai-chat", f"http://{host}:9/v1")}, {}, built_in=())
    async with agent_beside(mock_clock, registry) as agent:
        resolved = await agent.ask("providers", ResolveModel(model="local/m"), ResolvedModel)

    assert resolved.model == "local/m"


async def test_the_connection_is_open_before_the_first_request(mock_clock: MockClock) -> None:
    async with (
        open_model_server(HELLO) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat"), CHOSEN) as agent,
    ):
        await trio.sleep(1)
        opened, asked = list(server.peers), list(server.requests)
        heard = await told(agent)

    assert (len(opened), asked) == (1, [])
    assert heard[-1] == whole("openai-chat")
    assert [got.peer for got in server.requests] == opened == server.peers


async def test_with_tls_it_is_secured_before_the_first_request_too(mock_clock: MockClock, trust: Trust) -> None:
    trust(AUTHORITY)
    async with (
        open_model_server(HELLO, tls=certified("127.0.0.1")) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat"), CHOSEN) as agent,
    ):
        await trio.sleep(1)
        opened = list(server.peers)
        heard = await told(agent)

    assert len(opened) == 1
    assert heard[-1] == whole("openai-chat")
    assert [got.peer for got in server.requests] == opened == server.peers


async def test_a_connection_that_waited_too_long_is_not_used(mock_clock: MockClock) -> None:
    async with (
        open_model_server(HELLO) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat"), CHOSEN) as agent,
    ):
        await trio.sleep(FRESH_S + 1)
        heard = await told(agent)

    assert heard[-1] == whole("openai-chat")
    assert [got.peer for got in server.requests] == server.peers[1:]


async def test_a_connection_that_the_service_has_closed_is_not_used(mock_clock: MockClock) -> None:
    async with (
        open_model_server(HELLO) as server,
        agent_beside(mock_clock, configured(server.url, "openai-chat"), CHOSEN) as agent,
    ):
        await trio.sleep(1)
        await server.hang_up()
        await trio.sleep(1)
        heard = await told(agent)

    assert heard == [*heard[:-1], whole("openai-chat")]
    assert waits(heard) == []


async def test_nobody_there_to_connect_to_is_said_only_to_who_asks(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        url = server.url
    settings = msgspec.structs.replace(CHOSEN, retry_for_s=10.0)
    async with agent_beside(mock_clock, configured(url, "openai-chat"), settings) as agent:
        await trio.sleep(1)
        problem = problem_in(await told(agent))

    assert problem.text == f"local ({url}/v1): the connection was refused."


async def test_behind_a_proxy_nothing_is_opened_beforehand(
    mock_clock: MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_model_server(HELLO) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        monkeypatch.delenv("no_proxy", raising=False)
        provider = ProviderSettings("openai-chat", "http://model.invalid/v1", allow_http=True)
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=()), CHOSEN) as agent:
            await trio.sleep(1)
            opened = list(proxy.peers)
            heard = await told(agent)

    assert opened == []
    assert heard[-1] == whole("openai-chat")


async def test_a_key_does_not_follow_a_redirect(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as other:
        there = Reply((), 307, {"location": f"{other.url}/v1/chat/completions"})
        async with (
            open_model_server(HELLO, [lambda _: there]) as server,
            agent_beside(mock_clock, configured(server.url, "openai-chat")) as agent,
        ):
            problem = problem_in(await told(agent))

    assert f"the server redirects to {other.url}/v1" in problem.text
    assert other.requests == []


def moved(url: str) -> Registry:
    return Registry({}, {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{url}/v1"}, built_in=(OPENAI,))


async def test_a_server_in_openais_place_that_knows_only_chat_is_spoken_to_in_chat(mock_clock: MockClock) -> None:
    ask = msgspec.structs.replace(ASK, model="openai/test-model")
    async with (
        open_model_server(HELLO, absent=["/v1/responses"]) as server,
        agent_beside(mock_clock, moved(server.url), SETTINGS) as agent,
    ):
        first = await told(agent, ask)
        second = await told(agent, ask)
        asked = [got.path for got in server.requests]

    assert waits([*first, *second]) == []
    assert answer_in(first).message.text == answer_in(second).message.text == "Grüße, 世界! 👋"
    assert asked == ["/v1/responses", "/v1/chat/completions", "/v1/chat/completions"]


async def test_a_server_in_openais_place_that_knows_responses_is_spoken_to_in_it(mock_clock: MockClock) -> None:
    ask = msgspec.structs.replace(ASK, model="openai/test-model")
    async with (
        open_model_server(HELLO, ["404"]) as server,
        agent_beside(mock_clock, moved(server.url), SETTINGS) as agent,
    ):
        unknown = await told(agent, ask)
        await told(agent, ask)
        asked = [got.path for got in server.asked]

    assert problem_in(unknown).code == "unknown_model"
    assert asked == ["/v1/responses", "/v1/responses"]


async def test_the_users_own_headers_go_with_every_request(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        provider = ProviderSettings("openai-chat", f"{server.url}/v1", headers={"X-Team": "red", "Accept": "a/b"})
        async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=())) as agent:
            await told(agent)

    assert server.requests[0].headers["x-team"] == "red"
    assert server.requests[0].headers["accept"] == "a/b"


@pytest.mark.parametrize(("name", "value"), [("X-Team", "größer"), ("X-Team", "a\nb: c"), ("X Team", "red")])
async def test_a_header_that_cannot_be_sent_is_said(mock_clock: MockClock, name: str, value: str) -> None:
    provider = ProviderSettings("openai-chat", "http://127.0.0.1:9/v1", headers={name: value})
    async with agent_beside(mock_clock, Registry({"local": provider}, {}, built_in=()), CHOSEN) as agent:
        heard = await told(agent)

    assert len(heard) == 1
    assert f'what is set as "{name}" cannot be sent' in problem_in(heard).text
    assert problem_in(heard).hint.startswith("Correct it in [providers.local] of config.toml")


@pytest.mark.parametrize(
    ("sent", "own", "together"),
    [
        ({"a": "1"}, {"A": "2"}, {"a": "2"}),
        ({"Anthropic-Beta": "x"}, {"anthropic-beta": "y"}, {"anthropic-beta": "x,y"}),
        ({}, {"anthropic-beta": "y"}, {"anthropic-beta": "y"}),
    ],
)
def test_headers_are_put_together(sent: Mapping[str, str], own: Mapping[str, str], together: Mapping[str, str]) -> None:
    endpoint = Endpoint(provider="p", api="openai-chat", base_url="https://h", headers=own)

    assert with_headers(HttpRequest("https://h", dict(sent)), Target(endpoint, "m"), ASK).headers == together
