"""The arguments of a call as its tool gets them, for whoever compares what they say. Pure.

What the model has written is JSON: with its escapes the same text can be written in many ways.
"""

from collections.abc import Iterator
from typing import Any

import msgspec

ABOUT = ("command", "path", "pattern", "query", "url", "question", "symbol", "plan")
"""Arguments that say what a call is about."""


def decoded(arguments: str) -> dict[str, Any]:
    """Raises msgspec.DecodeError and RecursionError."""
    return msgspec.json.decode(arguments.strip() or "{}", type=dict[str, Any])


def about(arguments: str) -> str:
    """The command, path or whatever else the call is about, as the model wrote it; "" where none is known."""
    try:
        known = decoded(arguments)
    except (msgspec.DecodeError, RecursionError):
        return ""  # no tool takes them
    return next((text for key in ABOUT if isinstance(text := known.get(key), str) and text), "")


def said(arguments: str) -> str:
    """As they are written, which has the numbers, too; and every text in them as it is meant."""
    try:
        return "\n".join((arguments, *_texts(decoded(arguments))))
    except (msgspec.DecodeError, RecursionError):
        return arguments  # no tool takes them


def _texts(value: object) -> Iterator[str]:
    """Of names and values, however deep."""
    match value:
        case str():
            yield value
        case dict():
            yield from _texts([*value, *value.values()])
        case list():
            for each in value:
                yield from _texts(each)
        case _:
            return
