"""A model that nobody knows of is refused before it is asked anything, with the names that are nearest."""

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.base import Message, Problem
from actors.messages.model import ModelFacts
from actors.providers.services.registry import Registry
from actors.settings.services import BuiltIn
from tests.actors.providers.talking import ASK, HELLO, SETTINGS, agent_beside, answer_in, problem_in, told
from tests.fakes.local_server import open_local_server
from tests.fakes.model_server import open_model_server

ANSWER = b'data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
OLD_NAMES = {"data": [{"id": "gpt-5.5"}, {"id": "gpt-5.5-mini"}, {"id": "text-embedding-3-large"}]}


def service(url: str, name: str = "openai", **models: ModelFacts) -> Registry:
    """A built-in one, whose models the table knows, at its own address."""
    built_in = BuiltIn(name=name, api="openai-chat", base_url=f"{url}/v1", key_env="KEY")
    return Registry({}, {"KEY": "planted-key"}, [built_in], models)


async def asked(clock: MockClock, registry: Registry, model: str, times: int = 1) -> list[Message]:
    async with agent_beside(clock, registry) as agent:
        for _ in range(times):
            heard = await told(agent, msgspec.structs.replace(ASK, model=model))
    return heard


async def test_it_is_refused_with_the_nearest_names_of_its_services_list(mock_clock: MockClock) -> None:
    async with open_local_server({"GET /v1/models": OLD_NAMES}) as server:
        problem = problem_in(await asked(mock_clock, service(server.url), "openai/gpt-5.5-mimi"))

    assert problem == Problem(
        code="unknown_model",
        text='No model "openai/gpt-5.5-mimi": openai does not offer it.',
        hint="It offers openai/gpt-5.5-mini, openai/gpt-5.5.",
    )
    assert [what for what, _ in server.asked] == ["GET /v1/models"]


@pytest.mark.parametrize("models", [404, b"<html>Hi!</html>"])
async def test_where_the_service_lists_nothing_the_table_decides(mock_clock: MockClock, models: object) -> None:
    async with open_local_server({"GET /v1/models": models}) as server:
        problem = problem_in(await asked(mock_clock, service(server.url), "openai/gpt-5.5-mimi"))

    assert problem.code == "unknown_model"
    assert "openai/gpt-5.5" in problem.hint
    assert '[models."openai/gpt-5.5-mimi"]' in problem.hint
    assert [what for what, _ in server.asked] == ["GET /v1/models"]


async def test_a_refused_key_is_said_and_not_taken_for_a_wrong_name(mock_clock: MockClock) -> None:
    async with open_local_server({"GET /v1/models": 401}) as server:
        problem = problem_in(await asked(mock_clock, service(server.url), "openai/gpt-5.5-mimi"))

    assert (problem.code, problem.hint) == ("unauthorized", "Check the key in KEY.")


@pytest.mark.parametrize("models", [403, 500])
async def test_where_the_list_cannot_be_had_the_service_decides(mock_clock: MockClock, models: int) -> None:
    answers = {"GET /v1/models": models, "POST /v1/chat/completions": ANSWER}
    async with open_local_server(answers) as server:
        heard = await asked(mock_clock, service(server.url), "openai/gpt-of-tomorrow")

    assert answer_in(heard).message.model == "openai/gpt-of-tomorrow"
    assert [what for what, _ in server.asked] == ["GET /v1/models", "POST /v1/chat/completions"]


@pytest.mark.parametrize("model", ["openai/test-model", "openai/test-model:free"])
async def test_one_that_its_service_lists_is_asked_and_the_list_only_once(mock_clock: MockClock, model: str) -> None:
    async with open_model_server(HELLO) as server:
        heard = await asked(mock_clock, service(server.url), model, times=2)

    assert answer_in(heard).message.model == model
    assert [got.method for got in server.requests] == ["GET", "POST", "POST"]


async def test_one_that_the_user_knows_of_is_asked_at_once(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        registry = service(server.url, **{"openai/mine": ModelFacts(context=9)})
        heard = await asked(mock_clock, registry, "openai/mine")

    assert answer_in(heard).message.model == "openai/mine"
    assert [got.method for got in server.requests] == ["POST"]


async def test_what_the_user_has_put_elsewhere_decides_itself(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        environ = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": f"{server.url}/v1"}
        heard = await asked(mock_clock, Registry({}, environ), "openai/anything")

    assert answer_in(heard).message.model == "openai/anything"
    assert {got.method for got in server.requests} == {"POST"}


async def test_where_the_service_cannot_be_reached_the_nearest_names_are_said_in_the_end(mock_clock: MockClock) -> None:
    async with open_local_server({}) as server:
        registry = service(server.url)
    settings = msgspec.structs.replace(SETTINGS, retry_for_s=0.0)
    async with agent_beside(mock_clock, registry, settings) as agent:
        wrong = problem_in(await told(agent, msgspec.structs.replace(ASK, model="openai/gpt-5.5-mimi")))
        right = problem_in(await told(agent, msgspec.structs.replace(ASK, model="openai/gpt-5.5")))

    assert (wrong.code, right.code) == ("unreachable", "unreachable")
    doubt = f'{right.hint} Nor is "openai/gpt-5.5-mimi" a model of the table. It offers openai/gpt-'
    assert wrong.hint.startswith(doubt)
