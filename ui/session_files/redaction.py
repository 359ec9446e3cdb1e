"""Secrets in the values of a call's arguments: by the names they stand under, and in their texts. Pure."""

import msgspec

from actors.settings.redaction import MARK, redacted
from actors.settings.secret_variables import SECRET

LEAST = 6
"""Characters of a value; a shorter one may be anything."""


def redacted_json(text: str) -> object:
    """A JSON text as values without secrets; as text where it is no JSON."""
    try:
        return _value(msgspec.json.decode(text), "")
    except (msgspec.DecodeError, RecursionError):
        return redacted(text)


def _value(value: object, name: str) -> object:
    """name: under which it stands."""
    match value:
        case str() if SECRET.search(name) and len(value) >= LEAST:
            return MARK
        case str():
            return redacted(value)
        case dict():
            return {redacted(str(key)): _value(each, str(key)) for key, each in value.items()}
        case list():
            return [_value(each, name) for each in value]
        case _:
            return value
