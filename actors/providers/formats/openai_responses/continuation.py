"""What goes over a socket: the whole input, or only what is new since the response the service still remembers. Pure.

https://developers.openai.com/api/docs/guides/websocket-mode: a socket keeps its last response in memory, also where
nothing is stored; a request that names it sends the items that came after it. Instructions and tools go again.
"""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from actors.messages.conversation import AssistantMessage
from actors.providers.faults import error_body
from actors.providers.formats.openai_responses.items import answer_items

NOT_IN_FRAMES = ("stream", "stream_options", "background")
NOT_FOUND = "previous_response_not_found"
WORN_OUT = {"websocket_connection_limit_reached", "websocket_stream_limit_reached"}
"""Another socket will do."""


class Memory(NamedTuple):
    """What the service knows on one socket."""

    response_id: str
    items: int
    """So many items are behind that response: what was sent, and what came back."""
    digest: bytes
    """Of these items, byte for byte."""


class Frame(NamedTuple):
    text: str
    continued: bool
    """It builds on what the service remembers."""


def frame(body: bytes, memory: Memory | None) -> Frame:
    """body: of a request over HTTP."""
    members = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    items = msgspec.json.decode(members["input"], type=list[msgspec.Raw])
    created = {"type": msgspec.Raw(b'"response.create"')}
    created |= {name: value for name, value in members.items() if name not in NOT_IN_FRAMES}
    continued = memory is not None and len(items) > memory.items and _digest(items[: memory.items]) == memory.digest
    if memory is not None and continued:
        created["previous_response_id"] = msgspec.Raw(msgspec.json.encode(memory.response_id))
        created["input"] = msgspec.Raw(msgspec.json.encode(items[memory.items :]))
    return Frame(msgspec.json.encode(created).decode(), continued)


def remembered(body: bytes, answer: AssistantMessage, response_id: str) -> Memory:
    """After this answer to that request."""
    sent = msgspec.json.decode(body, type=_Input).input
    items = [*sent, *(msgspec.json.encode(item) for item in answer_items(answer))]
    return Memory(response_id, len(items), _digest(items))


class _Input(msgspec.Struct):
    input: list[msgspec.Raw]


def _digest(items: Iterable[bytes | msgspec.Raw]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for item in items:
        digest.update(item)
        digest.update(b"\n")
    return digest.digest()


def error_names(data: bytes) -> tuple[str, ...]:
    """Of an error frame, flat or nested; () for what names none."""
    return tuple(name for name in error_body.read(data, now=0.0).names if name)
