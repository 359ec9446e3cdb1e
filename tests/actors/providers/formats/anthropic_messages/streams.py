"""Messages streams for tests: the recorded ones, small ones of our own writing, and what becomes of them."""

import json
from itertools import count
from typing import Any

from actors.messages.conversation import AssistantMessage
from actors.messages.model import Answer
from actors.providers.faults.fault import ServiceFailed
from actors.providers.formats.anthropic_messages import FORMAT
from actors.providers.formats.wire_format import Delta
from tests import ROOT
from tests.actors.providers.formats.reading import ASK, answer_to, target

FIXTURES = ROOT.parent / "shared" / "fixtures"
STREAMED = sorted(path.name for path in FIXTURES.glob("anthropic/*.sse"))
AT_ONCE = sorted(path.name for path in FIXTURES.glob("anthropic/*.json") if not path.name.endswith(".meta.json"))
EXPECTED: dict[str, dict[str, Any]] = json.loads((FIXTURES / "expected.json").read_text()) if STREAMED else {}
MISSING = "the recorded streams are not beside this checkout"


def recorded(name: str) -> bytes:
    return (FIXTURES / "anthropic" / name).read_bytes()


def streamed(pieces: list[bytes]) -> tuple[list[Delta], Answer]:
    return answer_to("anthropic-messages", pieces)


def at_once(body: bytes) -> tuple[list[Delta], Answer]:
    reader = FORMAT.reader(target("anthropic-messages"), ASK)
    return list(reader.read_whole(body)), reader.finish()


def outcome(pieces: list[bytes]) -> Answer | str:
    try:
        return streamed(pieces)[1]
    except ServiceFailed as error:
        return error.fault.text


def event(kind: str, **members: Any) -> bytes:  # noqa: ANN401  # any JSON
    data = json.dumps({"type": kind, **members}, separators=(",", ":"))
    return f"event: {kind}\ndata: {data}\n\n".encode()


def start(index: int, **block: Any) -> bytes:  # noqa: ANN401
    return event("content_block_start", index=index, content_block=block)


def delta(index: int, kind: str, **members: Any) -> bytes:  # noqa: ANN401
    return event("content_block_delta", index=index, delta={"type": kind, **members})


def block(*deltas: dict[str, Any], **began: Any) -> "Block":  # noqa: ANN401
    return began, deltas


Block = tuple[dict[str, Any], tuple[dict[str, Any], ...]]


def message(*blocks: Block | bytes, stop: str | None = "end_turn", **usage: Any) -> list[bytes]:  # noqa: ANN401
    """A whole stream; bytes among the blocks are sent as they are."""
    pieces, numbers = [event("message_start", message={"content": [], "usage": {"input_tokens": 1}})], count()
    for one in blocks:
        if isinstance(one, bytes):
            pieces.append(one)
            continue
        index = next(numbers)
        began, deltas = one
        pieces += [start(index, **began), *(event("content_block_delta", index=index, delta=each) for each in deltas)]
        pieces.append(event("content_block_stop", index=index))
    return [*pieces, event("message_delta", delta={"stop_reason": stop}, usage=usage), event("message_stop")]


def text(said: str) -> Block:
    return block({"type": "text_delta", "text": said}, type="text", text="")


def said(pieces: list[bytes]) -> AssistantMessage:
    return streamed(pieces)[1].message
