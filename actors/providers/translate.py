"""A conversation for the model that is asked now: what is bound to another one is dropped or becomes text. No I/O.

Thinking, signatures and blocks of a service's own go back only to the model they came from, and only while everything
before them is as it was: services answer 400 to the rest. See reference notes in DECISIONS.md.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator

import msgspec

from actors.messages.conversation import AssistantMessage, Block, ModelInput, Opaque, Text, Thinking, ToolCall

AsText = Callable[[Opaque], str]


def fingerprints(history: Iterable[ModelInput]) -> Iterator[str]:
    """Of the conversation before each message, and at last of the whole."""
    digest = hashlib.blake2b(digest_size=16)
    for message in history:
        yield digest.hexdigest()
        digest.update(msgspec.msgpack.encode(message))
    yield digest.hexdigest()


def translated(history: tuple[ModelInput, ...], model: str, as_text: AsText) -> tuple[tuple[ModelInput, ...], str]:
    """The history as `model` (PROVIDER/NAME) may see it, and the fingerprint of the whole."""
    *before, whole = fingerprints(history)
    return tuple(_for(model, *pair, as_text) for pair in zip(history, before, strict=True)), whole


def _for(model: str, message: ModelInput, before: str, as_text: AsText) -> ModelInput:
    if not isinstance(message, AssistantMessage) or (message.model == model and message.answers == before):
        return message
    blocks = (kept for block in message.blocks for kept in _unbound(block, as_text))
    return msgspec.structs.replace(message, blocks=tuple(blocks))


def _unbound(block: Block, as_text: AsText) -> list[Block]:
    match block:
        case Thinking():
            return []
        case Opaque():
            return [Text(text=text)] if (text := as_text(block)) else []
        case Text() | ToolCall():
            return [msgspec.structs.replace(block, extra="")]
