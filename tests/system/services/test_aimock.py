"""Round trips with a model service that others wrote, in every format: what is asked, answered, refused and broken."""

from collections.abc import Callable, Iterator

import pytest

from tests.fakes.aimock import Aimock, CannotInstall, Json, installed
from tests.system.harness import Event, Finished, Place

pytestmark = pytest.mark.slow
SOCKET = "openai-responses by WebSocket"
MODELS = {
    "openai-chat": "gpt-5",
    "openai-responses": "gpt-5",
    SOCKET: "gpt-5",
    "anthropic-messages": "claude-sonnet-4-5",
}
"""By what is spoken: a model whose name aimock takes for one that thinks."""
OVER_HTTP = [api for api in MODELS if api != SOCKET]
"""Where aimock can be told to fail."""
TEXT = "Größe 10 µm ✓ – and then some more words, so that it comes in many pieces. "
USAGE = {"prompt_tokens": 11, "completion_tokens": 7, "input_tokens": 11, "output_tokens": 7}
"""In everybody's words."""
SLOWLY = {"latency": 5, "chunkSize": 10}
"""Pieces that leave the server one by one: what is cut off has arrived up to there."""
LONG = TEXT * 4
Serve = Callable[..., Aimock]

each_api = pytest.mark.parametrize("api", MODELS)
each_over_http = pytest.mark.parametrize("api", OVER_HTTP)


@pytest.fixture(scope="session")
def only_server(pytestconfig: pytest.Config, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Aimock]:
    """One for all tests: each start costs more than a test."""
    cache: pytest.Cache | None = getattr(pytestconfig, "cache", None)
    try:
        server = Aimock(installed(cache.mkdir("aimock") if cache else tmp_path_factory.mktemp("aimock")))
    except CannotInstall as error:
        pytest.skip(str(error))
    yield server
    server.close()


@pytest.fixture
def serve(only_server: Aimock) -> Serve:
    """Let it answer by these fixtures."""

    def start(*fixtures: Json) -> Aimock:
        only_server.serve(fixtures)
        return only_server

    return start


def ask(place: Place, server: Aimock, api: str, *more: str, output: str = "stream-json") -> Finished:
    base_url = server.url if api == "anthropic-messages" else f"{server.url}/v1"
    provider = f'[providers.other]\napi = "{api.split()[0]}"\nbase_url = "{base_url}"\n'
    socket = "websocket = true\n" if api == SOCKET else ""
    (place.home / "config.toml").write_text(provider + socket)
    model = f"other/{MODELS[api]}"
    return place.run("-p", "go on", "--model", model, "--mode", "auto", "--output", output, *more)


def fixture(content: str = "", *calls: Json, told: bool = False, nth: int | None = None, **more: object) -> Json:
    """An answer; told: to the results of its calls; nth: only the so manieth time that it is asked for."""
    match = {"hasToolResult": told, **({} if nth is None else {"sequenceIndex": nth})}
    response = {"usage": USAGE, **({"content": content} if content else {}), **({"toolCalls": calls} if calls else {})}
    return {"match": match, "response": response, **more}


def refusal(status: int, message: str, kind: str, **more: object) -> Json:
    """The first time."""
    error = {"error": {"message": message, "type": kind}, "status": status, **more}
    return {"match": {"userMessage": "go on", "sequenceIndex": 0}, "response": error}


def call(name: str, call_id: str, **arguments: object) -> Json:
    return {"name": name, "id": call_id, "arguments": arguments}


def of_type(finished: Finished, kind: str) -> list[Event]:
    return [event for event in finished.events if event["type"] == kind]


def shown(events: list[Event]) -> list[str]:
    """The text of each try: a retry voids what came before it. Of what fails at once a busy front may hear nothing."""
    tries = [""]
    for event in events:
        if event["type"] == "retry":
            tries.append("")
        elif event["type"] == "text":
            tries[-1] += event["delta"]
    return tries


def results(request: Json) -> dict[str, str]:
    """What the service was told of its calls."""
    return {message["tool_call_id"]: message["content"] for message in request["messages"] if message["role"] == "tool"}


@each_api
def test_thoughts_text_and_calls_side_by_side_arrive_whole_and_are_counted(
    place: Place, serve: Serve, api: str
) -> None:
    names = ("a.txt", "b.txt", "c.txt")
    for name in names:
        (place.workspace / name).write_text(f"words of {name}\n")
    reads = [call("read", f"call_{name[0]}", path=name) for name in names]
    first = fixture("I look. ", *reads)
    first["response"]["reasoning"] = "Which files are there?"
    read = {"match": {"toolResultContains": "words of c.txt"}, "response": {"content": TEXT * 20, "usage": USAGE}}
    server = serve(first, {**read, **SLOWLY})

    finished = ask(place, server, api)

    assert finished.code == 0, finished.err
    assert "".join(event["delta"] for event in of_type(finished, "thinking")) == "Which files are there?"
    assert [event["text"] for event in of_type(finished, "message")] == ["I look. ", TEXT * 20]
    assert shown(finished.events) == ["I look. " + TEXT * 20]
    asked = [(event["id"], event["name"], event["arguments"]) for event in of_type(finished, "tool_call")]
    assert asked == [(f"call_{name[0]}", "read", {"path": name}) for name in names]
    told = results(server.requests()[-1])
    assert {call_id: output.split("\t")[-1] for call_id, output in told.items()} == {
        f"call_{name[0]}": f"words of {name}" for name in names
    }
    result = finished.events[-1]
    assert (result["answer"], result["reason"], result["stop_reason"]) == (TEXT * 20, "done", "end_turn")
    counted = of_type(finished, "message")[-1]["usage"]
    assert (counted["input_tokens"], counted["output_tokens"]) == (11, 7)


@each_api
def test_a_call_without_text_is_run(place: Place, serve: Serve, api: str) -> None:
    server = serve(fixture("", call("glob", "call_1", pattern="*")), fixture("None.", told=True))

    finished = ask(place, server, api)

    assert finished.code == 0, finished.err
    assert finished.events[-1]["answer"] == "None."
    if api == SOCKET:  # it is told only what is new
        assert [entry["method"] for entry in server.journal()] == ["WS", "WS"]
        first, second = [{message["role"] for message in request["messages"]} for request in server.requests()]
        assert first == {"system", "user"}
        assert "user" not in second


@each_over_http
def test_a_service_that_asks_to_wait_is_waited_for(place: Place, serve: Serve, api: str) -> None:
    slow_down = refusal(429, "Slow down", "rate_limit_error", retryAfter=1)
    server = serve(slow_down, fixture("Worth it.", nth=0))

    finished = ask(place, server, api)

    assert finished.code == 0, finished.err
    for retry in of_type(finished, "retry"):
        assert retry["wait"] == pytest.approx(1, abs=0.1)
        assert "Slow down" in retry["why"]
    assert finished.events[-1]["answer"] == "Worth it."
    first, second = [entry["timestamp"] for entry in server.journal()]
    assert second - first >= 990


def breaks_off(*, told: bool) -> tuple[Json, Json]:
    return fixture(LONG, told=told, nth=0, truncateAfterChunks=20, **SLOWLY), fixture(LONG, told=told, nth=1)


@each_api
def test_what_breaks_off_is_run_once_and_shown_once(place: Place, serve: Serve, api: str) -> None:
    write = call("bash", "call_1", command="echo ran >> log.txt # " + TEXT)
    cut = fixture("", write, nth=0, truncateAfterChunks=8, **SLOWLY)
    server = serve(cut, fixture("", write, nth=1), *breaks_off(told=True))

    finished = ask(place, server, api)

    assert finished.code == 0, finished.err
    *voided, broken, whole = shown(finished.events)
    assert "".join(voided) == ""
    assert (place.workspace / "log.txt").read_text() == "ran\n"
    assert LONG.startswith(broken)
    assert 0 < len(broken) < len(LONG)
    assert whole == LONG
    assert [event["text"] for event in of_type(finished, "message")] == ["", LONG]


def test_an_answer_that_breaks_off_is_printed_once(place: Place, serve: Serve) -> None:
    finished = ask(place, serve(*breaks_off(told=False)), "openai-chat", output="text")

    assert (finished.code, finished.out) == (0, LONG + "\n")


FAULTS = {
    "malformed JSON": {"chaos": {"malformedRate": 1}},
    "an error of the server": {"chaos": {"dropRate": 1}},
    "a connection that is closed at once": {"chaos": {"disconnectRate": 1}},
}


@each_over_http
def test_faults_cost_only_time(place: Place, serve: Serve, api: str) -> None:
    faults = [fixture(TEXT, nth=number, **fault) for number, fault in enumerate(FAULTS.values())]
    server = serve(*faults, fixture(TEXT, nth=len(faults)))

    finished = ask(place, server, api)

    assert finished.code == 0, finished.err
    *voided, whole = shown(finished.events)
    assert ("".join(voided), whole) == ("", TEXT)
    assert len(server.journal()) == len(faults) + 1


@pytest.mark.parametrize(("api", "fault"), list(zip(OVER_HTTP, FAULTS, strict=True)))
def test_a_fault_that_stays_is_named(place: Place, serve: Serve, api: str, fault: str) -> None:
    server = serve(fixture(TEXT, **FAULTS[fault]))

    finished = ask(place, server, api, "--retry-for", "2s")

    assert finished.code == 1
    result = finished.events[-1]
    assert result["reason"] == "failed"
    assert result["error"].startswith("other (http://127.0.0.1:")
    assert "Traceback" not in finished.err
    assert "".join(shown(finished.events)) == ""


@each_api
def test_a_wrong_key_is_named_and_not_tried_again(place: Place, serve: Serve, api: str) -> None:
    server = serve(refusal(401, "invalid x-api-key", "authentication_error"))

    finished = ask(place, server, api)

    assert finished.code == 1
    assert "invalid x-api-key" in finished.events[-1]["error"]
    assert len(server.requests()) == 1
    (logged,) = [line for line in place.log() if line["event"] == "request failed"]
    expected = {"actor": "providers", "model": f"other/{MODELS[api]}", "code": "unauthorized", "status": 401}
    assert logged.keys() - expected.keys() == {"at", "run", "event", "request"}
    assert expected.items() <= logged.items()
