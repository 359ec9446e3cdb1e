"""Responses over real sockets on loopback: what is sent on them."""

import json
import ssl
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from actors.messages.conversation import ModelInput, ToolResult, UserMessage
from actors.messages.model import AskModel
from actors.providers.endpoint import Target
from actors.providers.formats.openai_responses import FORMAT
from actors.providers.http import proxies, responses_socket
from actors.providers.http.exchange import Client
from actors.providers.http.responses_socket import REFUSED
from tests.actors.providers.formats.openai_responses.askers import (
    CALLS,
    HELLO,
    KEY,
    RESULT,
    SAYS,
    Asker,
    asker_and_server,
    endpoint,
    inputs,
)
from tests.actors.providers.formats.openai_responses.test_recorded import EXPECTED, FIXTURES, digest
from tests.fakes.responses_socket import Turn


async def test_a_conversation_goes_on_over_one_socket_with_what_is_new() -> None:
    async with asker_and_server(CALLS, SAYS, SAYS) as (asker, server):
        faults = [await asker.ask(), await asker.ask(RESULT), await asker.ask(HELLO)]

    assert faults == [None, None, None]
    assert inputs(server) == [[(1, None), (1, "resp_1"), (1, "resp_2")]]
    assert [answer.text for answer in asker.answers] == ["", "So.", "So."]
    assert asker.text == "So."
    assert server.sockets[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.posts == []


async def test_the_handshakes_rate_limits_are_told_once() -> None:
    async with asker_and_server(CALLS, SAYS) as (asker, _):
        await asker.ask()
        await asker.ask(RESULT)

    assert [headers.get("x-ratelimit-remaining-requests") for headers in asker.accepted] == ["7", None]


async def test_every_conversation_has_a_socket_of_its_own() -> None:
    async with asker_and_server(SAYS, SAYS) as (asker, server):
        other = Asker(asker.sockets, asker.client, asker.endpoint, name="agent:other")
        await asker.ask()
        await other.ask()

    assert inputs(server) == [[(1, None)], [(1, None)]]


async def test_sockets_of_agents_that_have_gone_are_closed() -> None:
    many = responses_socket.MOST + 1
    async with asker_and_server(*[SAYS] * many) as (asker, server):
        for number in range(many):
            await Asker(asker.sockets, asker.client, asker.endpoint, name=f"agent:{number}").ask()
        await server.ended.wait()

    assert len(server.sockets) == many


async def test_an_edited_conversation_is_sent_whole() -> None:
    async with asker_and_server(SAYS, SAYS) as (asker, server):
        await asker.ask()
        asker.history = (UserMessage(text="Hello!", turn_id="t1"), *asker.history[1:])
        await asker.ask(HELLO)

    assert inputs(server) == [[(1, None), (3, None)]]


async def test_a_socket_is_replaced_before_the_service_ends_it(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.01
    async with asker_and_server(CALLS, SAYS) as (asker, server):
        await asker.ask()
        await trio.sleep(responses_socket.LIFE_S)
        await asker.ask(RESULT)

    assert inputs(server) == [[(1, None)], [(3, None)]]


async def test_a_renewed_key_gets_a_new_socket() -> None:
    async with asker_and_server(CALLS, SAYS) as (asker, server):
        await asker.ask()
        asker.endpoint = endpoint(server.url, key="renewed-key")
        await asker.ask(RESULT)

    assert [heard.headers["authorization"] for heard in server.sockets] == [f"Bearer {KEY}", "Bearer renewed-key"]
    assert inputs(server)[1] == [(3, None)]


async def test_a_socket_believes_whom_http_believes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trustme = pytest.importorskip("trustme")
    authority, context = trustme.CA(), ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("127.0.0.1").configure_cert(context)
    authority.cert_pem.write_to_path(tmp_path / "ca.pem")
    trustme.CA().cert_pem.write_to_path(tmp_path / "other.pem")
    async with asker_and_server(CALLS, SAYS, context=context) as (asker, server):
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "ca.pem"))
        trusted = await asker.ask()
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
        distrusting = await Asker(asker.sockets, Client(), asker.endpoint, name="agent:other").ask()

    assert trusted is None
    assert distrusting is not None
    assert distrusting.code == "unreachable"
    assert inputs(server) == [[(1, None)]]


async def test_while_a_socket_is_busy_others_of_its_conversation_use_http() -> None:
    async with asker_and_server(SAYS, faults=("stall",)) as (asker, server), trio.open_nursery() as nursery:
        nursery.start_soon(asker.ask)
        await wait_all_tasks_blocked(0.01)
        fault = await Asker(asker.sockets, asker.client, asker.endpoint).ask()
        nursery.cancel_scope.cancel()

    assert fault is None
    assert len(server.posts) == 1


async def test_a_proxy_in_the_environment_stands_for_http(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("NO_PROXY", "direct.invalid")

    assert proxies.url_of("https://api.openai.com/v1/responses") == "http://127.0.0.1:9"
    assert proxies.url_of("https://direct.invalid/v1/responses") == ""


@pytest.mark.parametrize(
    ("url", "has_sockets"), [("http://127.0.0.1:9/v1", False), ("http://example.invalid/v1", True)]
)
async def test_only_endpoints_that_have_sockets_and_may_be_asked_get_one(url: str, has_sockets: bool) -> None:
    target = Target(endpoint(url, websocket=has_sockets), "model")
    ask = AskModel(model="test/model", session_id="s", system="", history=(HELLO,))
    async with asker_and_server() as (asker, _):
        parts, reader = FORMAT.request(target, ask), FORMAT.reader(target, ask)
        outcome = await asker.sockets.ask(target.endpoint, parts, reader, asker.listener, "s")

    assert outcome == REFUSED


WSL = sorted(path.name for path in FIXTURES.glob("openai-responses/*.wsl"))


@pytest.mark.skipif(not WSL, reason="the recorded streams are not beside this checkout")
@pytest.mark.parametrize("name", WSL)
async def test_a_recorded_transcript_comes_about_again(name: str) -> None:
    expected = EXPECTED[f"openai-responses/{name}"]["turns"]
    asked, turns, hung_up = transcript(FIXTURES / "openai-responses" / name)
    async with asker_and_server(*turns, faults=tuple("close-after" if one else "" for one in hung_up)) as (
        asker,
        server,
    ):
        asker.history = ()
        for said, gone in zip(asked, hung_up, strict=True):
            assert await asker.ask(*said) is None
            if gone:
                await server.ended.wait()
        frames = [frame for heard in server.sockets for frame in heard.frames]

    assert [(len(frame["input"]), frame.get("previous_response_id")) for frame in frames] == [
        (turn["input_items"] - (turn["previous_response_id"] is None), turn["previous_response_id"])  # instructions
        for turn in expected
    ]
    assert [digest(answer.text) for answer in asker.answers] == [turn["text"] for turn in expected]
    assert [[[call.name, json.loads(call.arguments)] for call in answer.calls] for answer in asker.answers] == [
        turn["tool_calls"] for turn in expected
    ]


def transcript(path: Path) -> tuple[list[list[ModelInput]], list[Turn], list[bool]]:
    """What was said before each request, the events of each answer, and whether the server hung up after it."""
    asked: list[list[ModelInput]] = []
    turns: list[Turn] = []
    hung_up: list[bool] = []
    for line in path.read_text().splitlines():
        step = json.loads(line)
        match step["dir"]:
            case "client":
                last = json.loads(step["frame"])["input"][-1]
                asked.append([_said(last)])
                turns.append([])
                hung_up.append(False)
            case "server":
                turns[-1].append(json.loads(step["frame"]))
            case "close":
                hung_up[-1] = True
    return asked, turns, hung_up


def _said(item: dict[str, Any]) -> ModelInput:
    if "output" in item:
        return ToolResult(call_id=item["call_id"], name="", output=item["output"])
    return UserMessage(text=item["content"][0]["text"], turn_id="t1")
