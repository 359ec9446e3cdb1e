"""A conversation for the model that is asked now: what is bound to another one is dropped or becomes text. No I/O.

Thinking, signatures and blocks of a service's own go back only to the model they came from, and only while everything
before them is as it was: services answer 400 to the rest. See reference notes in DECISIONS.md.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator

import msgspec

from actors.messages.conversation import (
    AssistantMessage,
    Block,
    ModelInput,
    Opaque,
    Text,
    Thinking,
    ToolCall,
    UserMessage,
)

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
    if isinstance(message, UserMessage) and message.quoted:
        return msgspec.structs.replace(message, text=message.whole, quoted=())
    if not isinstance(message, AssistantMessage) or (message.model == model and message.answers == before):
        return message
    return msgspec.structs.replace(message, blocks=tuple(_unbound(message.blocks, as_text)))


def _unbound(blocks: Iterable[Block], as_text: AsText) -> Iterator[Block]:
    """Text that stands for a block is a paragraph: formats without blocks put all text of an answer together."""
    kept = [(block, made) for block in blocks if (made := _understood(block, as_text)) is not None]
    for (block, made), (following, after) in zip(kept, [*kept[1:], (None, None)], strict=False):
        stands_in = isinstance(block, Opaque) or isinstance(following, Opaque)
        if stands_in and isinstance(made, Text) and isinstance(after, Text):
            made = msgspec.structs.replace(made, text=f"{made.text}\n\n")
        yield made


def _understood(block: Block, as_text: AsText) -> Block | None:
    """None: nothing of it."""
    match block:
        case Thinking():
            return None
        case Opaque():
            return Text(text=text) if (text := as_text(block)) else None
        case Text() | ToolCall():
            return msgspec.structs.replace(block, extra="")
