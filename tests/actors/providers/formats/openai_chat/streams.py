"""Chat streams for tests: the recorded ones, small ones of our own writing, and what becomes of them."""

import json
from typing import Any

from actors.messages.conversation import AssistantMessage
from actors.messages.model import Answer, AskModel, ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import Fault, ServiceFailed
from actors.providers.formats.openai_chat import FORMAT
from actors.providers.formats.sse import Parser
from actors.providers.formats.wire_format import Delta
from tests import ROOT
from tests.actors.providers.formats.reading import ASK

FIXTURES = ROOT.parent / "shared" / "fixtures"
FOLDERS = ("openai-chat", "openrouter", "local", "other-compatible", "copilot")
RESPONSES_API = {
    "openrouter/responses-raw-cot.sse",
    "local/lmstudio-responses-tool.sse",
    "copilot/responses-id-rotation.sse",
}
FILES = sorted(f"{folder}/{path.name}" for folder in FOLDERS for path in FIXTURES.glob(f"{folder}/*"))
STREAMED = [name for name in FILES if name.endswith(".sse") and name not in RESPONSES_API]
AT_ONCE = [name for name in FILES if name.endswith(".json") and not name.endswith(".meta.json")]
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "expected.json").read_text()) if FILES else {}
MISSING = "the recorded streams are not beside this checkout"
Json = dict[str, Any]


def recorded(name: str) -> bytes:
    return (FIXTURES / name).read_bytes()


def to(dialect: str, name: str = "model", facts: ModelFacts | None = None, **endpoint: Any) -> Target:  # noqa: ANN401
    """A model of a service that speaks so."""
    where = {"base_url": "http://127.0.0.1/v1", "key": "planted-key", **endpoint}
    return Target(Endpoint(provider="test", api="openai-chat", dialect=dialect, **where), name, facts or ModelFacts())


def streamed(pieces: list[bytes], ask: AskModel = ASK, dialect: str = "") -> tuple[list[Delta], Answer]:
    """As the exchange does it. Raises ServiceFailed."""
    reader, parser = FORMAT.reader(to(dialect), ask), Parser()
    events = [event for piece in pieces for event in parser.feed(piece)] + parser.finish()
    deltas = [delta for event in events if not reader.ended for delta in reader.read(event)]
    return deltas, reader.finish()


def at_once(body: bytes, dialect: str = "") -> tuple[list[Delta], Answer]:
    reader = FORMAT.reader(to(dialect), ASK)
    return list(reader.read_whole(body)), reader.finish()


def outcome(pieces: list[bytes]) -> Answer | str:
    try:
        return streamed(pieces)[1]
    except ServiceFailed as error:
        return error.fault.text


def fault_of(pieces: list[bytes]) -> Fault:
    try:
        answer = streamed(pieces)[1]
    except ServiceFailed as error:
        return error.fault
    raise AssertionError(answer)


def said(pieces: list[bytes]) -> AssistantMessage:
    return streamed(pieces)[1].message


def frame(value: object) -> bytes:
    return b"data: " + json.dumps(value).encode() + b"\n\n"


DONE = b"data: [DONE]\n\n"


def chat(*deltas: Json, finish: str | None = "stop", done: bool = True, **last: Any) -> list[bytes]:  # noqa: ANN401
    """A whole stream; `last`: members of the chunk before its end, such as usage."""
    chunks: list[Json] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if last:
        chunks.append({"choices": [], **last})
    return [*map(frame, chunks), *([DONE] if done else [])]


def whole(message: Json, finish: str | None = "stop", **more: Any) -> bytes:  # noqa: ANN401
    """The body of an answer that was not streamed."""
    return json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": finish}], **more}).encode()


def call(**fields: Any) -> Json:  # noqa: ANN401
    function = {key: fields.pop(key) for key in ("name", "arguments") if key in fields}
    return {"tool_calls": [{**fields, "function": function}]}
