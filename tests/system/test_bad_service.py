"""A model service that fails as services do: a message with the cause and the next step, and a true exit code."""

import json
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from tests.system.harness import ROOT, Finished, Place, answer

pytestmark = pytest.mark.slow
Serve = Callable[[str], str]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server with these faults; its address."""
    servers: list[subprocess.Popen[str]] = []

    def start(faults: str) -> str:
        script = json.dumps({"answers": [answer("hello")], "end": answer("Done.")})
        command = [sys.executable, "-m", "tests.fakes.model_server", "--script", script, "--faults", faults]
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        servers.append(server)
        assert server.stdout is not None
        return server.stdout.readline().strip()

    yield start
    for server in servers:
        server.kill()
        server.communicate()


def ask(place: Place, base_url: str, model: str = "local/test-model") -> Finished:
    provider = f'[providers.local]\napi = "openai-chat"\nbase_url = "{base_url}"\nidle_timeout_s = 0.5\n'
    (place.home / "config.toml").write_text(provider)
    return place.run("-p", "hi", "--model", model, "--output", "json")


RECOVERED = ("drop", "garbage", "stall", "429", "529")


@pytest.mark.parametrize("fault", RECOVERED)
def test_one_fault_costs_only_time(place: Place, serve: Serve, fault: str) -> None:
    finished = ask(place, serve(fault) + "/v1")

    assert finished.code == 0, finished.err
    assert finished.events[-1]["answer"] == "hello"


FATAL = {
    "401": "HTTP 401: Incorrect API key provided: planted-key. Name its key: api_key_env in config.toml.",
    "404": "HTTP 404: The model does not exist. It offers local/test-model, local/test-model-large.",
    "drop,drop,drop,drop": "the connection broke, or what came is not HTTP. Is this the right server and api",
    "stall,stall,stall,stall": "raise idle_timeout_s of this provider in config.toml.",
    "wrong-type": "it answered with text/html where an event stream was asked for. Is this the right server",
}


@pytest.mark.parametrize("faults", FATAL)
def test_a_service_that_keeps_failing_is_named_with_the_next_step(place: Place, serve: Serve, faults: str) -> None:
    finished = ask(place, serve(faults) + "/v1")

    assert finished.code == 1
    assert FATAL[faults] in finished.err
    assert finished.events[-1]["reason"] == "failed"
    assert FATAL[faults] in finished.events[-1]["error"]


def test_after_a_failure_the_session_goes_on(place: Place, serve: Serve) -> None:
    failed = ask(place, serve("401") + "/v1")
    ask(place, serve("") + "/v1")

    resumed = place.run("-p", "again", "-r", failed.events[-1]["session"], "--output", "json")

    assert resumed.code == 0, resumed.err


def test_a_wrong_path_in_base_url_is_named(place: Place, serve: Serve) -> None:
    finished = ask(place, serve("") + "/wrong")

    assert finished.code == 1
    assert "base_url" in finished.err


def test_nobody_at_the_address_is_named(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: it refuses
        finished = ask(place, f"http://127.0.0.1:{taken.getsockname()[1]}/v1")

    assert finished.code == 1
    assert "Is the server running, and is its base_url right?" in finished.err
