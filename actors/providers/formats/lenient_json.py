"""Decoding what a service sends in another form than anybody's: what is odd is left out. No I/O."""

import re
from typing import Any, TypeVar

import msgspec

T = TypeVar("T")

_PLACE = re.compile(r" - at `\$\.([^`]+)`$")
_STEP = re.compile(r"\w+")
_MOST_MENDED = 20


def without_odd_members(data: bytes, decoder: msgspec.json.Decoder[T]) -> T:
    """Without the members that have a type nobody knows of: the rest may be all that counts.

    Raises msgspec.DecodeError or UnicodeDecodeError for what is no JSON or has another form altogether.
    """
    value: Any = msgspec.json.decode(data)
    for _ in range(_MOST_MENDED):
        try:
            return decoder.decode(msgspec.json.encode(value))
        except msgspec.ValidationError as error:
            place = _PLACE.search(str(error))
            if place is None:
                raise
            _leave_out(value, _STEP.findall(place[1]))
    return decoder.decode(msgspec.json.encode(value))


def _leave_out(value: Any, place: list[str]) -> None:  # noqa: ANN401  # any JSON
    """`place`: names of members and numbers of elements, from the outside in."""
    steps = [int(step) if step.isdigit() else step for step in place]
    for step in steps[:-1]:
        value = value[step]
    del value[steps[-1]]
