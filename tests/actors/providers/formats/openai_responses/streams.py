"""Responses streams written by hand, event by event."""

from collections.abc import Iterable
from typing import Any

import msgspec

from actors.messages.conversation import Opaque
from actors.messages.model import Answer
from actors.providers.formats.openai_responses.reader import Reader
from actors.providers.formats.sse import Event
from actors.providers.formats.wire_format import Delta
from tests.actors.providers.formats.reading import ASK, target

Json = dict[str, Any]
REASONING: Json = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "c2VjcmV0"}


def event(kind: str, **members: Any) -> Json:  # noqa: ANN401  # any JSON
    return {"type": f"response.{kind}", **members}


def added(index: int | None, item: Json) -> Json:
    return event("output_item.added", item=item, **({} if index is None else {"output_index": index}))


def done(index: int | None, item: Json) -> Json:
    return event("output_item.done", item=item, **({} if index is None else {"output_index": index}))


def message(text: str, **members: Any) -> Json:  # noqa: ANN401  # any JSON
    content = [{"type": "output_text", "text": text, "annotations": []}]
    return {"type": "message", "role": "assistant", "content": content, **members}


def call(call_id: str, arguments: str, **members: Any) -> Json:  # noqa: ANN401  # any JSON
    return {"type": "function_call", "call_id": call_id, "name": "read", "arguments": arguments, **members}


def completed(**members: Any) -> Json:  # noqa: ANN401  # any JSON
    return event("completed", response={"id": "resp_1", "status": "completed", **members})


COMPLETED = completed()


def read(events: Iterable[Json | bytes]) -> tuple[list[Delta], Answer, Reader]:
    """Raises ServiceFailed."""
    reader = Reader(target("openai-responses"), ASK)
    deltas: list[Delta] = []
    for one in events:
        data = one if isinstance(one, bytes) else msgspec.json.encode(one)
        deltas += reader.read(Event("", data))
    return deltas, reader.finish(), reader


def answer(*events: Json | bytes) -> Answer:
    return read(events)[1]


def own(item: Json) -> Opaque:
    return Opaque(api="openai-responses", data=msgspec.json.encode(item).decode())
