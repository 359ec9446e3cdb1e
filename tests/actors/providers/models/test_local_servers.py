"""Servers that run models themselves: waited for, named as what they are, and asked which model they have."""

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.model import Answer, ResolvedModel, ResolveModel, Retrying, TextDelta
from actors.providers.scripted import Script, ScriptedAnswer
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from actors.settings.services import BuiltIn
from tests.actors.providers.talking import ASK, HELLO, SETTINGS, agent_beside, answer_in, problem_in, told, waits
from tests.fakes.local_server import open_local_server
from tests.fakes.model_faults import Good, Reply
from tests.fakes.model_server import open_model_server

NOBODY = "http://127.0.0.1:9/v1"  # the discard port
LISTED = {"data": [{"id": "text-embedding"}, {"id": "qwen"}, {"id": "other"}]}
ANSWER = b'data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
SLOW = Script((ScriptedAnswer(text="At last.", delay_s=900.0),))
"""As a server that first answers whoever asked before."""


def local(*urls: str) -> list[BuiltIn]:
    return [BuiltIn(name=f"server{number}", api="openai-chat", base_url=url) for number, url in enumerate(urls)]


async def resolved(clock: MockClock, registry: Registry, model: str = "") -> str | Problem:
    async with agent_beside(clock, registry) as agent:
        try:
            return (await agent.ask("providers", ResolveModel(model=model), ResolvedModel)).model
        except Failed as error:
            return error.problem


async def test_a_server_that_lets_a_request_queue_is_not_dead(mock_clock: MockClock) -> None:
    async with open_model_server(SLOW) as server:
        registry = Registry({"mine": ProviderSettings("openai-chat", f"{server.url}/v1")}, {}, ())
        async with agent_beside(mock_clock, registry) as agent:
            heard = await told(agent, msgspec.structs.replace(ASK, model="mine/test-model"))

    assert answer_in(heard).message.text == "At last."
    assert len(server.asked) == 1
    (queued,) = waits(heard)
    assert queued.why.startswith("mine: queued")
    assert (queued.wait_s, queued.again) == (0.0, False)


async def test_a_server_that_never_shakes_hands_is_not_said_to_queue(mock_clock: MockClock) -> None:
    async def silent(_: trio.SocketStream) -> None:
        await trio.sleep_forever()

    settings = msgspec.structs.replace(SETTINGS, retry_for_s=0.0)
    async with trio.open_nursery() as nursery:
        (listener, *_) = await nursery.start(trio.serve_tcp, silent, 0)
        port = listener.socket.getsockname()[1]
        registry = Registry({"mine": ProviderSettings("openai-chat", f"https://127.0.0.1:{port}/v1")}, {}, ())
        async with agent_beside(mock_clock, registry, settings) as agent:
            heard = await told(agent, msgspec.structs.replace(ASK, model="mine/test-model"))
        nursery.cancel_scope.cancel()

    assert waits(heard) == []
    assert problem_in(heard).code == "unreachable"


LOADING_S = 60.0
"""So long that waits without a limit of their own would be long ones."""


@pytest.mark.parametrize("model", ["server0/qwen", "server0"])
async def test_a_server_that_loads_is_asked_again_soon(mock_clock: MockClock, model: str) -> None:
    answers: dict[str, object] = {"GET /v1/models": 503, "POST /v1/chat/completions": 503}

    async def load() -> None:
        await trio.sleep(LOADING_S)
        answers.update({"GET /v1/models": LISTED, "POST /v1/chat/completions": ANSWER})

    async with (
        open_local_server(answers) as server,
        agent_beside(mock_clock, Registry({}, {}, local(f"{server.url}/v1"))) as agent,
        trio.open_nursery() as nursery,
    ):
        nursery.start_soon(load)
        heard = await told(agent, msgspec.structs.replace(ASK, model=model))

    assert answer_in(heard).message.text == "Hi."
    assert max(item.wait_s for item in waits(heard)) <= 3.0


def pings(good: Good) -> Reply:
    """Twenty minutes of them, before the answer."""
    return Reply((b": ping\n\n",) * 20 + good.pieces, pause_s=60.0)


async def test_signs_of_life_alone_are_no_silence_of_it(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO, [pings]) as server:
        registry = Registry({"mine": ProviderSettings("openai-chat", f"{server.url}/v1")}, {}, ())
        async with agent_beside(mock_clock, registry) as agent:
            heard = await told(agent, msgspec.structs.replace(ASK, model="mine/test-model"))

    assert answer_in(heard)
    assert len(server.asked) == 1


async def test_the_users_own_limit_holds_for_it_too(mock_clock: MockClock) -> None:
    async with open_model_server(SLOW) as server:
        mine = ProviderSettings("openai-chat", f"{server.url}/v1", idle_timeout_s=1.0)
        settings = msgspec.structs.replace(SETTINGS, retry_for_s=10.0)
        async with agent_beside(mock_clock, Registry({"mine": mine}, {}, ()), settings) as agent:
            problem = problem_in(await told(agent, msgspec.structs.replace(ASK, model="mine/test-model")))

    assert problem.code == "stalled"


async def test_where_no_server_answers_each_port_is_named_with_what_it_said(mock_clock: MockClock) -> None:
    async with (
        open_local_server({"GET /v1/models": 401}) as locked,
        open_local_server({"GET /v1/models": None}) as silent,
        open_local_server({"GET /v1/models": b"<html>Hi!</html>"}) as other,
    ):
        urls = [NOBODY, *(f"{server.url}/v1" for server in (locked, silent, other))]
        problem = await resolved(mock_clock, Registry({}, {}, local(*urls)))

    assert isinstance(problem, Problem)
    assert problem.code == "no_credentials"
    words = (
        "the connection was refused.",
        "HTTP 401: Invalid API Key.",
        "it has not answered within 1 s.",
        "it answers, and lists no models.",
    )
    for number, (url, said) in enumerate(zip(urls, words, strict=True)):
        assert f"server{number} ({url}): {said}" in problem.text
    assert problem.hint.startswith("server1 wants a key: keep it with: trouper auth set server1.")


async def test_a_server_that_loads_is_waited_for_before_its_model_is_known(mock_clock: MockClock) -> None:
    answers: dict[str, object] = {"GET /v1/models": 503}
    async with (
        open_local_server(answers) as server,
        agent_beside(mock_clock, Registry({}, {}, local(NOBODY, f"{server.url}/v1"))) as agent,
        agent.stream("providers", msgspec.structs.replace(ASK, model="")) as stream,
    ):
        waiting = await anext(stream)
        answers |= {"GET /v1/models": LISTED, "POST /v1/chat/completions": ANSWER}
        while not isinstance(await anext(stream), TextDelta):
            pass
        answer = await stream.result(Answer)

    assert isinstance(waiting, Retrying)
    assert waiting.why == "server1: HTTP 503: Loading model."
    assert (answer.message.model, answer.message.text) == ("server1/qwen", "Hi.")


@pytest.mark.parametrize(("model", "expected"), [("server0", "server0/qwen"), ("server0/", "server0/qwen")])
async def test_a_provider_without_a_model_takes_the_one_it_offers(
    mock_clock: MockClock, model: str, expected: str
) -> None:
    async with open_local_server({"GET /v1/models": LISTED}) as server:
        found = await resolved(mock_clock, Registry({}, {}, local(f"{server.url}/v1")), model)

    assert found == expected


async def test_a_provider_without_a_model_that_is_down_says_so(mock_clock: MockClock) -> None:
    problem = await resolved(mock_clock, Registry({}, {}, local(NOBODY)), "server0")

    assert isinstance(problem, Problem)
    assert problem.text == f"server0 ({NOBODY}): the connection was refused."
