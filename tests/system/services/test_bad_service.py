"""A model service that fails as services do: a message with the cause and the next step, and a true exit code."""

import json
import socket
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path

import pytest

from tests.fakes.model_server import certified
from tests.system.harness import Event, Finished, Place, answer, call
from tests.system.services.servers import serving

pytestmark = pytest.mark.slow
Serve = Callable[..., str]
BASE = {"openai-chat": "/v1", "openai-responses": "/v1", "anthropic-messages": ""}
STALLS_SOON = "providers.local.idle_timeout_s = 0.5\n"
each_api = pytest.mark.parametrize("api", BASE)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Start a server with these faults; its address."""
    with serving() as start:

        def begin(faults: str, authority: Path | None = None, *, answers: Sequence[Event] = (answer("hello"),)) -> str:
            """authority: the file its certificate is written to, where it speaks https."""
            script = {"answers": answers, "end": answer("Done.")}
            return start(script, faults.split(",") if faults else (), certified(authority) if authority else None)

        yield begin


def ask(
    place: Place, base_url: str, api: str = "openai-chat", output: str = "json", config: str = "", **environment: str
) -> Finished:
    provider = f'providers.local.api = "{api}"\nproviders.local.base_url = "{base_url}"\n'
    (place.home / "config.toml").write_text(f"{provider}{config}")
    return place.run("-p", "hi", "--model", "local/test-model", "--output", output, **environment)


RECOVERED = (
    "drop",
    "garbage",
    "stall",
    "429",
    "429-ms",
    "529",
    "503-loading",
    "overloaded-inside",
    "empty",
    "bad-gzip",
)
ODD = ("split", "plain-stream", "json", "json-as-stream", "gzip", "unended")


@each_api
def test_a_fault_costs_only_time_and_an_answer_may_come_in_any_way(place: Place, serve: Serve, api: str) -> None:
    turns = [fault for pair in zip(RECOVERED, cycle(ODD), strict=False) for fault in pair]
    looks = [answer("", call("glob", pattern="*"))] * (len(RECOVERED) - 1)
    url = serve(",".join(turns), answers=[*looks, answer("hello")]) + BASE[api]
    finished = ask(place, url, api, config=STALLS_SOON)

    assert finished.code == 0, finished.err
    result = finished.events[-1]
    assert (result["answer"], result["turns"]) == ("hello", len(RECOVERED))
    assert result["failed_tries"] >= len(RECOVERED)


FATAL = {
    "401": "HTTP 401: Incorrect API key provided: planted-key. It wants a key: name its variable (api_key_env), or",
    "402": "HTTP 402: Insufficient credits. Add more. Check your credit and limits with the service; waiting does not",
    "403-html": "a web page came; whatever guards the service turned the request away. Try again later, or without",
    "404": "HTTP 404: The model does not exist. It offers local/test-model-large.",
    "garbage,garbage,garbage,garbage": "it sent something that is not a chat completion chunk. Is its base_url that of",
    "wrong-type": "it answered with a web page where an event stream was asked for. Check its base_url: ",
    "usage-limit": "What your plus plan includes is used up until ",
    "spend-limit": "You have reached the limit. Check your credit and limits with the service; waiting does not help.",
    "429-long": "Slow down. The service asks to wait 2 h, until ",
    "redirect": "HTTP 307: the server redirects to http://127.0.0.1:9/v1. Set its base_url to the address that answers",
}


@pytest.mark.parametrize("faults", FATAL)
def test_a_service_that_keeps_failing_is_named_with_the_next_step(place: Place, serve: Serve, faults: str) -> None:
    finished = ask(place, serve(faults) + "/v1")

    assert finished.code == 1
    assert FATAL[faults] in finished.err
    assert finished.events[-1]["reason"] == "failed"
    assert FATAL[faults] in finished.events[-1]["error"]


def test_a_wait_is_shown(place: Place, serve: Serve) -> None:
    finished = ask(place, serve("429-ms") + "/v1", output="text")

    assert "local: HTTP 429: Slow down. (again in 2 s)" in finished.err


def test_an_authority_of_ones_own_is_believed_when_it_is_named(place: Place, serve: Serve, tmp_path: Path) -> None:
    authority = tmp_path / "ca.pem"
    url = serve("", authority) + "/v1"

    named = ask(place, url, SSL_CERT_FILE=str(authority))
    unknown = ask(place, url)

    assert (named.code, named.events[-1]["answer"]) == (0, "hello")
    assert unknown.code == 1
    assert (
        "no trusted connection: unable to get local issuer certificate. Is it an authority of your own" in unknown.err
    )


def test_plain_http_to_another_machine_is_refused(place: Place) -> None:
    finished = ask(place, "http://192.0.2.1/v1")

    assert finished.code == 1
    assert "set allow_http = true in [providers.local] of config.toml." in finished.err


def test_eight_workers_on_one_key_all_get_their_answer(place: Place, serve: Serve) -> None:
    (place.home / "config.toml").write_text(
        f'[providers.local]\napi = "openai-chat"\nbase_url = "{serve(",".join(["429-ms"] * 9))}/v1"\n'
    )
    tasks = "".join(json.dumps({"id": str(number), "prompt": "hi"}) + "\n" for number in range(8))
    (place.workspace / "tasks.jsonl").write_text(tasks)

    finished = place.run("batch", "tasks.jsonl", "--workers", "8", "--out", "out", "--model", "local/test-model")

    assert finished.code == 0, finished.err
    results = [json.loads(line) for line in (place.workspace / "out").read_text().splitlines()]
    assert [result["answer"] for result in results] == ["hello"] * 8


def test_after_a_failure_the_session_goes_on(place: Place, serve: Serve) -> None:
    failed = ask(place, serve("401") + "/v1")
    ask(place, serve("") + "/v1")

    resumed = place.run("-p", "again", "-r", failed.events[-1]["session"], "--output", "json")

    assert resumed.code == 0, resumed.err


def test_without_patience_a_stall_is_named_with_the_next_step(place: Place, serve: Serve) -> None:
    finished = ask(place, serve("stall") + "/v1", config=f'retry_for = "0"\n{STALLS_SOON}')

    assert finished.code == 1
    assert "raise idle_timeout_s of this provider in config.toml." in finished.err


def test_a_wrong_path_in_base_url_is_named(place: Place, serve: Serve) -> None:
    finished = ask(place, serve("") + "/wrong")

    assert finished.code == 1
    assert "base_url" in finished.err


def test_nobody_at_the_address_is_named(place: Place) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: it refuses
        finished = ask(place, f"http://127.0.0.1:{taken.getsockname()[1]}/v1", config='retry_for = "1s"\n')

    assert finished.code == 1
    assert "Is the server running, and is its base_url right?" in finished.err
