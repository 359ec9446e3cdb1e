"""Which model answers when none, a wrong one or a local one is asked for."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from trio.testing import MockClock

from actors.errors import Failed
from actors.messages.base import Problem
from actors.messages.model import ResolvedModel, ResolveModel
from actors.providers.endpoint import Endpoint
from actors.providers.http.exchange import Client
from actors.providers.models.choice import nearest, running_here
from actors.providers.services.registry import Registry
from actors.settings.config import ProviderSettings
from actors.settings.services import BuiltIn
from tests import ROOT
from tests.actors.providers.talking import ASK, HELLO, SETTINGS, agent_beside, answer_in, told
from tests.fakes.local_server import open_local_server
from tests.fakes.model_server import open_model_server

NOBODY = "http://127.0.0.1:9/v1"  # the discard port


async def resolved(clock: MockClock, registry: Registry, model: str = "", configured: str = "") -> str | Problem:
    async with agent_beside(clock, registry, msgspec.structs.replace(SETTINGS, model=configured)) as agent:
        try:
            return (await agent.ask("providers", ResolveModel(model=model), ResolvedModel)).model
        except Failed as error:
            return error.problem


def local(*urls: str) -> list[BuiltIn]:
    return [BuiltIn(name=f"server{number}", api="openai-chat", base_url=url) for number, url in enumerate(urls)]


async def test_a_named_model_is_taken_without_asking_anybody(mock_clock: MockClock) -> None:
    registry = Registry({}, {"OPENAI_API_KEY": "k"})

    assert await resolved(mock_clock, registry, "openai/gpt-5.5") == "openai/gpt-5.5"
    assert await resolved(mock_clock, registry, "", "openai/gpt-5.4") == "openai/gpt-5.4"
    assert await resolved(mock_clock, registry) == "openai/gpt-6.2-sol"


async def test_a_running_local_server_is_found(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        registry = Registry({}, {}, local(NOBODY, f"{server.url}/v1"))
        async with agent_beside(mock_clock, registry) as agent:
            found = await agent.ask("providers", ResolveModel(), ResolvedModel)
            heard = await told(agent, msgspec.structs.replace(ASK, model=""))

    assert found.model == "server1/test-model"
    assert answer_in(heard).message.model == "server1/test-model"
    assert [got.method for got in server.requests] == ["GET", "POST"]  # found once


async def test_a_configured_server_comes_first(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        mine = ProviderSettings("anthropic-messages", server.url)
        registry = Registry({"mine": mine}, {}, local(f"{server.url}/v1"))

        assert await resolved(mock_clock, registry) == "mine/test-model"


async def test_with_nothing_to_ask_the_next_step_is_said(mock_clock: MockClock) -> None:
    problem = await resolved(mock_clock, Registry({}, {}, local(NOBODY)))

    assert isinstance(problem, Problem)
    assert problem.code == "no_credentials"
    assert all(step in problem.hint for step in ("ANTHROPIC_API_KEY", "Ollama", "trouper demo"))


async def test_with_nothing_to_ask_other_programs_sign_ins_are_named(mock_clock: MockClock, tmp_path: Path) -> None:
    file = tmp_path / ".local" / "share" / "opencode" / "auth.json"
    file.parent.mkdir(parents=True)
    file.touch()

    problem = await resolved(mock_clock, Registry({}, {"HOME": str(tmp_path)}, local(NOBODY)))

    assert isinstance(problem, Problem)
    assert "trouper auth import opencode" in problem.hint
    assert "auth import gh" not in problem.hint


async def test_a_server_whose_key_is_in_the_keyring_is_asked_with_it() -> None:
    registry = Registry({"mine": ProviderSettings("openai-chat", NOBODY)}, {}, ())
    asked: list[str] = []

    async def signed(endpoint: Endpoint) -> Endpoint:
        asked.append(endpoint.provider)
        return replace(endpoint, base_url=f"{server.url}/v1", key="kept")

    client = Client()
    async with open_local_server({"GET /v1/models": {"data": [{"id": "m"}]}}) as server:
        target = await running_here(registry, client, signed)
        await client.aclose()

    assert (target.name, target.endpoint.key, asked) == ("m", "", ["mine"])
    assert "authorization: bearer kept" in server.headers[0]


def test_the_name_that_was_asked_for_is_not_what_is_offered_instead() -> None:
    target = Registry({}, {"OPENAI_API_KEY": "k"}).target("openai/gpt-5.5")

    assert "openai/gpt-5.5." not in f"{nearest(target, [])}."
    assert "openai/gpt-5.5," not in nearest(target, ["gpt-5.5", "gpt-5.4"])
    assert nearest(target, ["gpt-5.5", "gpt-5.4"]) == "It offers openai/gpt-5.4."


async def test_a_server_that_lists_something_else_is_none(mock_clock: MockClock) -> None:
    async with open_model_server(HELLO) as server:
        problem = await resolved(mock_clock, Registry({}, {}, local(f"{server.url}/elsewhere")))

    assert isinstance(problem, Problem)


@pytest.mark.parametrize(("model", "code"), [("nobody/x", "unknown_model"), ("openai/x", "no_credentials")])
async def test_what_cannot_be_asked_is_said(mock_clock: MockClock, model: str, code: str) -> None:
    problem = await resolved(mock_clock, Registry({}, {}), model)

    assert isinstance(problem, Problem)
    assert problem.code == code


def test_importing_the_actor_does_not_load_the_http_library() -> None:
    program = "import sys, actors.providers.actor; print('httpcore' in sys.modules)"

    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ended.stdout == "False\n"


@pytest.mark.slow
def test_the_model_server_runs_as_a_process() -> None:
    command = [sys.executable, "-m", "tests.fakes.model_server", "--script", '{"answers": []}', "--faults", "drop"]

    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        address = server.stdout.readline()
        server.kill()

    assert address.startswith("http://127.0.0.1:")
