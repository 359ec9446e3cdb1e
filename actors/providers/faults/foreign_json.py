"""JSON that others wrote: whatever is wrong with it, there is one thing to catch. Pure."""

from typing import TypeVar

import msgspec

from actors.errors import Trouble

Kind = TypeVar("Kind")


class Unreadable(Trouble):
    """It is no JSON, not of the kind that was asked for, or nested without end."""


def decoded(data: bytes | msgspec.Raw, kind: type[Kind]) -> Kind:
    """Raises Unreadable, whose words quote nothing of the data."""
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(type(error).__name__) from None
