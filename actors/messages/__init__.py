"""Every word that crosses a process: a file for each pair that talks, or for what several of them talk about.

Its entrances are `encode` and `decode`, where bytes become structs, once; a word itself is imported from its file.
`base` is below all others, then `conversation`, which is stored, replayed and sent to models. It imports nothing of
ours.
"""

from functools import cache

import msgspec

from actors.messages import (
    auth,
    base,
    batch,
    budget,
    checkpoint,
    conversation,
    job,
    mcp,
    model,
    store,
    subagent,
    system,
    tool,
    turn,
)
from actors.messages.base import Message

_encoder = msgspec.msgpack.Encoder()


def _words(module: object) -> set[type[Message]]:
    return {
        word
        for word in vars(module).values()
        if isinstance(word, type) and issubclass(word, Message) and word is not Message
    }


_MODULES = (
    auth,
    base,
    batch,
    budget,
    checkpoint,
    conversation,
    job,
    mcp,
    model,
    store,
    subagent,
    system,
    tool,
    turn,
)

ALL = tuple(sorted(set().union(*map(_words, _MODULES)), key=lambda word: word.__name__))


@cache
def _decoder() -> msgspec.msgpack.Decoder[Message]:
    union: object = ALL[0]
    for word in ALL[1:]:
        union = union | word
    return msgspec.msgpack.Decoder(union)


def warm() -> None:
    """Build the decoder: a millisecond and a megabyte that forked processes can share."""
    _decoder()


def encode(message: Message) -> msgspec.Raw:
    return msgspec.Raw(_encoder.encode(message))


def decode(body: msgspec.Raw | bytes) -> Message:
    """Raises msgspec.ValidationError for anything that is not one of our words."""
    return _decoder().decode(body)
