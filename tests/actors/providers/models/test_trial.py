"""What `trouper doctor` and `trouper models` say of an address: what it answered, not what is written down of it."""

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.model import ListModels, Models, ServiceSaid, TryService
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from tests.actors.providers.talking import HELLO, agent_beside
from tests.fakes.local_server import open_local_server
from tests.fakes.model_server import open_model_server


async def tried(clock: MockClock, url: str, model: str = "test-model") -> ServiceSaid:
    registry = Registry({"mine": ProviderSettings("openai-chat", url)}, {}, ())
    async with agent_beside(clock, registry) as agent:
        said = await agent.ask("providers", TryService(model=f"mine/{model}"), ServiceSaid)
    return msgspec.structs.replace(said, text=said.text.replace(url, "URL"))


async def listed(clock: MockClock, registry: Registry, wanted: str = "") -> Models:
    async with agent_beside(clock, registry) as agent:
        return await agent.ask("providers", ListModels(filter=wanted), Models)


async def test_a_service_that_has_the_model_is_ok_and_is_asked_nothing_that_costs(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        said = await tried(mock_clock, f"{server.url}/v1")

    assert said == ServiceSaid(state="ok", text="URL lists 3 models")
    assert [got.method for got in server.requests] == ["GET"]


async def test_one_that_has_others_is_asked_which(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        said = await tried(mock_clock, f"{server.url}/v1", "test-modle")

    assert said == ServiceSaid(
        state="note",
        text="URL lists 3 models, and not this one",
        hint="It offers mine/test-model, mine/test-model-large.",
    )


@pytest.mark.parametrize(
    ("answer", "state", "text"),
    [
        (401, "problem", "mine (URL): HTTP 401: Invalid API Key."),
        (500, "problem", "mine (URL): HTTP 500."),
        (None, "problem", "mine (URL): it has not answered within 3 s."),
        (503, "note", "mine (URL): HTTP 503: Loading model."),
        (400, "note", "mine (URL): HTTP 400."),
        (403, "note", "mine (URL): HTTP 403."),
        (404, "note", "mine (URL): HTTP 404."),
        (b"<html>Hi!</html>", "note", "mine (URL): it answers, and lists no models."),
    ],
)
async def test_what_it_answers_instead_is_said(mock_clock: MockClock, answer: object, state: str, text: str) -> None:
    async with open_local_server({"GET /v1/models": answer}) as server:
        said = await tried(mock_clock, f"{server.url}/v1")

    assert (said.state, said.text) == (state, text)


async def test_one_that_is_down_is_a_problem(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        gone = f"{server.url}/v1"

    said = await tried(mock_clock, gone)

    assert (said.state, said.text) == ("problem", "mine (URL): the connection was refused.")


async def test_a_wrong_path_is_a_problem_with_the_right_one(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        said = await tried(mock_clock, server.url)

    assert said.state == "problem"
    assert said.hint == f"Models are listed at {server.url}/v1: set its base_url to that."


async def test_models_says_what_a_configured_address_answered(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        gone = f"{server.url}/v1"
    environ = {"OPENAI_BASE_URL": gone, "OPENAI_API_KEY": "k", "OLLAMA_HOST": gone}

    every = await listed(mock_clock, Registry({}, environ))
    filtered = await listed(mock_clock, Registry({"mine": ProviderSettings("openai-chat", gone)}, {}), "mine")

    openai, ollama = every.silent
    assert openai.startswith(f"openai ({gone}): the connection was refused.")
    assert openai.endswith("is OPENAI_BASE_URL right?")
    assert ollama.startswith(f"ollama ({gone}): the connection was refused.")
    assert {row.usable for row in every.models if row.model.startswith("openai/")} == {False}
    assert (filtered.models, filtered.nearest) == ((), ())
    assert filtered.silent[0].startswith(f"mine ({gone}): the connection was refused.")


async def test_of_the_usual_addresses_only_those_that_were_named_are_said(mock_clock: MockClock) -> None:
    assert (await listed(mock_clock, Registry({}, {}))).silent == ()
    (said,) = (await listed(mock_clock, Registry({}, {}), "llamacpp")).silent
    assert said.startswith("llamacpp (http://127.0.0.1:8080/v1): ")


async def test_a_moved_service_lists_what_it_offers_itself(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        environ = {"OPENAI_BASE_URL": f"{server.url}/v1", "OPENAI_API_KEY": "k"}
        found = await listed(mock_clock, Registry({}, environ), "openai test-model")

    assert next((row.model, row.usable) for row in found.models) == ("openai/test-model", True)


@pytest.mark.parametrize(
    ("answer", "state"), [({"data": [{"id": "one"}]}, "ok"), (401, "problem"), (500, "problem"), (404, "note")]
)
async def test_a_service_can_be_tried_whatever_models_it_has(mock_clock: MockClock, answer: object, state: str) -> None:
    async with open_local_server({"GET /v1/models": answer}) as server:
        registry = Registry({"mine": ProviderSettings("openai-chat", f"{server.url}/v1")}, {}, ())
        async with agent_beside(mock_clock, registry) as agent:
            said = await agent.ask("providers", TryService(provider="mine"), ServiceSaid)

    assert said.state == state
