"""Local servers are asked for the context and the abilities of a model, each in its own words."""

from typing import Any

import msgspec
import pytest
from trio.testing import MockClock

from actors.messages.model import ModelFacts
from actors.providers.endpoint import Endpoint
from actors.providers.http.exchange import Client
from actors.providers.models import local_servers
from tests.fakes.local_server import Answers, open_local_server

SHOWN = {
    "license": "MIT",
    "parameters": 'temperature 0.7\nstop           "<|end|>"',
    "model_info": {"general.architecture": "llama", "llama.attention.head_count": 32, "llama.context_length": 131072},
    "capabilities": ["completion", "tools", "vision", "thinking"],
}
NUM_CTX = {**SHOWN, "parameters": "num_ctx                        16384\ntemperature 0.7"}
SMALL = {**SHOWN, "capabilities": ["completion"]}
RUNNING = {"models": [{"name": "big:latest", "model": "big:latest", "context_length": 8192}, {"name": "other"}]}
KNOWN = ModelFacts(id="big", context=131072, efforts=("low", "medium", "high"), images=True, tools=True, unsure=True)
PROPS = {
    "default_generation_settings": {"n_ctx": 65536, "params": {"n_predict": -1}},
    "total_slots": 4,
    "modalities": {"vision": True, "audio": False},
    "chat_template_caps": {"supports_tools": True},
}
VLLM = {"object": "list", "data": [{"id": "other", "max_model_len": 1}, {"id": "big", "max_model_len": 40960}]}
IDLE: dict[str, Any] = {
    "type": "llm",
    "key": "big",
    "max_context_length": 131072,
    "loaded_instances": [],
    "capabilities": {"vision": False, "trained_for_tool_use": True},
    "variants": ["big@4bit"],
}
LOADED = {**IDLE, "loaded_instances": [{"id": "big", "config": {"context_length": 4096}}]}
TWICE = {
    **IDLE,
    "key": "maker/big",
    "loaded_instances": [
        {"id": "maker/big", "config": {"context_length": 4096}},
        {"id": "big", "config": {"context_length": 32768}},
    ],
}
OLDER = {"id": "big", "type": "vlm", "state": "not-loaded", "max_context_length": 131072}
OLDER_LOADED = {**OLDER, "type": "llm", "loaded_context_length": 8192, "capabilities": ["tool_use"]}


DEEP = b'{"models":' + b"[" * 200_000
LONG = b" " * (local_servers.LONGEST + 1) + msgspec.json.encode({"data": [{"id": "big", "max_model_len": 1}]})
DIGITS = "9" * 5000


async def asked(dialect: str, answers: Answers, key: str = "") -> tuple[ModelFacts, list[tuple[str, object]], str]:
    client = Client()
    async with open_local_server(answers) as server:
        endpoint = Endpoint(
            provider="here",
            api="openai-chat",
            base_url=f"{server.url}/v1",
            dialect=dialect,
            key=key,
            headers={"x-own": "1"},
        )
        found = await local_servers.facts(endpoint, "big", client, 5.0)
        await client.aclose()
        return found, server.asked, "".join(server.headers)


@pytest.mark.parametrize(
    ("dialect", "answers", "expected"),
    [
        pytest.param("ollama", {"POST /api/show": SHOWN}, KNOWN, id="Ollama, not loaded"),
        pytest.param(
            "ollama",
            {"POST /api/show": NUM_CTX, "GET /api/ps": {"models": []}},
            ModelFacts(id="big", context=16384, efforts=KNOWN.efforts, images=True, tools=True),
            id="Ollama, a size of its own",
        ),
        pytest.param(
            "ollama",
            {"POST /api/show": NUM_CTX, "GET /api/ps": RUNNING},
            ModelFacts(id="big", context=8192, efforts=KNOWN.efforts, images=True, tools=True),
            id="Ollama, loaded",
        ),
        pytest.param(
            "ollama",
            {"POST /api/show": SMALL},
            ModelFacts(id="big", context=131072, images=False, tools=False, unsure=True),
            id="Ollama, no abilities",
        ),
        pytest.param(
            "llamacpp", {"GET /props": PROPS}, ModelFacts(context=65536, images=True, tools=True), id="llama.cpp"
        ),
        pytest.param(
            "llamacpp",
            {"GET /props": {"default_generation_settings": {"n_ctx": 4096}}},
            ModelFacts(context=4096),
            id="llama.cpp of old",
        ),
        pytest.param("vllm", {"GET /v1/models": VLLM}, ModelFacts(context=40960), id="vLLM"),
        pytest.param("", {"GET /v1/models": VLLM}, ModelFacts(context=40960), id="something like vLLM"),
        pytest.param(
            "lmstudio",
            {"GET /api/v1/models": {"models": [IDLE]}},
            ModelFacts(context=131072, images=False, tools=True, unsure=True),
            id="LM Studio, not loaded",
        ),
        pytest.param(
            "lmstudio",
            {"GET /api/v1/models": {"models": [LOADED]}},
            ModelFacts(context=4096, images=False, tools=True),
            id="LM Studio, loaded",
        ),
        pytest.param(
            "lmstudio",
            {"GET /api/v1/models": {"models": [{"key": "other"}, TWICE]}},
            ModelFacts(context=32768, images=False, tools=True),
            id="LM Studio, loaded twice",
        ),
        pytest.param(
            "lmstudio",
            {"GET /api/v0/models": {"data": [OLDER]}},
            ModelFacts(context=131072, images=True, unsure=True),
            id="LM Studio of old, not loaded",
        ),
        pytest.param(
            "lmstudio",
            {"GET /api/v0/models": {"data": [OLDER_LOADED]}},
            ModelFacts(context=8192, images=False, tools=True),
            id="LM Studio of old, loaded",
        ),
    ],
)
async def test_what_a_server_says(dialect: str, answers: Answers, expected: ModelFacts) -> None:
    found, _, _ = await asked(dialect, answers)

    assert found == expected


@pytest.mark.parametrize("dialect", ["ollama", "llamacpp", "vllm", "lmstudio", ""])
@pytest.mark.parametrize(
    "body", [b"", b"<html>Welcome!</html>", b"[]", b'{"data":"none","models":7}', b"\xff", DEEP, LONG]
)
async def test_a_server_that_does_not_say_leaves_the_facts_unknown(dialect: str, body: bytes) -> None:
    paths = (
        "POST /api/show",
        "GET /api/ps",
        "GET /props",
        "GET /v1/models",
        "GET /api/v1/models",
        "GET /api/v0/models",
    )

    found, _, _ = await asked(dialect, dict.fromkeys(paths, body))

    assert found == ModelFacts()


@pytest.mark.parametrize(
    ("dialect", "answers"),
    [
        ("ollama", {"POST /api/show": f'{{"model_info":{{"a.context_length":{DIGITS}}}}}'.encode()}),
        ("ollama", {"POST /api/show": {**SHOWN, "model_info": {"a": 1}, "parameters": f"num_ctx {DIGITS}"}}),
        ("ollama", {"POST /api/show": {**SHOWN, "model_info": {"a.context_length": 10**12}}}),
        ("llamacpp", {"GET /props": b'{"default_generation_settings":{"n_ctx":1' + b"0" * 30 + b"}}"}),
        ("vllm", {"GET /v1/models": {"data": [{"id": "big", "max_model_len": 10**10}]}}),
        ("vllm", {"GET /v1/models": {"data": [{"id": "big", "max_model_len": -1}]}}),
        ("lmstudio", {"GET /api/v1/models": {"models": [{**IDLE, "max_context_length": -(10**10)}]}}),
        ("lmstudio", {"GET /api/v0/models": {"data": [{**OLDER, "max_context_length": 10**10}]}}),
    ],
)
async def test_a_size_that_cannot_be_is_not_known(dialect: str, answers: Answers) -> None:
    found, _, _ = await asked(dialect, answers)

    assert found.context == 0


async def test_ollama_is_told_which_model_is_meant() -> None:
    _, questions, headers = await asked("ollama", {"POST /api/show": SHOWN}, key="planted-key")

    assert questions == [("POST /api/show", {"model": "big"}), ("GET /api/ps", None)]
    assert headers.count("authorization: bearer planted-key") == headers.count("x-own: 1") == 2


@pytest.mark.parametrize("dialect", ["ollama", "llamacpp", "vllm", "lmstudio"])
async def test_a_server_that_is_not_there_says_nothing(dialect: str) -> None:
    client = Client()
    async with open_local_server({}) as server:
        gone = server.url
    endpoint = Endpoint(provider="here", api="openai-chat", base_url=f"{gone}/v1", dialect=dialect)

    assert await local_servers.facts(endpoint, "big", client, 5.0) == ModelFacts()
    await client.aclose()


async def test_a_server_that_is_stuck_is_not_waited_for(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05

    found, _, _ = await asked("llamacpp", {"GET /props": None})

    assert found == ModelFacts()
