"""What arguments should look like, in words for a model that got them wrong. Pure."""

import json
import re
from collections.abc import Iterator
from typing import Annotated, Literal, get_args, get_origin

import msgspec

_KNOWN: dict[object, str] = {int: "integer", float: "number", str: "string", bool: "true or false"}


def shape(arguments: type[msgspec.Struct]) -> str:
    """As JSON with a word or the allowed values in the place of each value."""
    return "{" + ", ".join(map(_member, msgspec.structs.fields(arguments))) + "}"


def hint(error: str, arguments: type[msgspec.Struct]) -> str:
    """For msgspec's error: the field that may have been meant, or the values that there are; or nothing."""
    if unknown := re.search(r"unknown field `([^`]*)`", error):
        import difflib  # 10 ms, and only a wrong name needs it

        known = [field.name for field in _fields(arguments)]
        near = difflib.get_close_matches(unknown[1], known, n=1, cutoff=0.4)
        return f" Did you mean `{near[0]}`?" if near else ""
    if wrong := re.match(r"Invalid enum value .* - at `\$([^`]*)`", error):
        name = ["", *re.findall(r"\.(\w+)", wrong[1])][-1]
        values = [_values(field.type) for field in _fields(arguments) if field.name == name]
        return f" {name} is one of {', '.join(values[0])}." if values else ""
    return ""


def _fields(arguments: type[msgspec.Struct]) -> Iterator[msgspec.structs.FieldInfo]:
    """Also of what is in lists."""
    for field in msgspec.structs.fields(arguments):
        yield field
        if (item := _item(field.type)) and isinstance(item, type) and issubclass(item, msgspec.Struct):
            yield from _fields(item)


def _member(field: msgspec.structs.FieldInfo) -> str:
    word = _word(field.type)
    if field.required:
        return f'"{field.name}": {word}'
    return f'"{field.name}": ' + (f"{word[:-1]}, optional>" if word.startswith("<") else f"<optional> {word}")


def _word(annotated: object) -> str:
    plain = _plain(annotated)
    if get_origin(plain) is Literal:
        return f"<{' | '.join(_values(plain))}>"
    if item := _item(plain):
        return f"[{_word(item)}, ...]"
    if isinstance(plain, type) and issubclass(plain, msgspec.Struct):
        return shape(plain)
    if get_origin(plain) is dict:
        key, value = map(_word, get_args(plain))
        return f"{{{key}: {value}, ...}}"
    return f"<{_KNOWN.get(plain, 'value')}>"


def _values(annotated: object) -> list[str]:
    """Of an enum."""
    plain = _plain(_item(annotated) or annotated)
    return [json.dumps(value) for value in get_args(plain)] if get_origin(plain) is Literal else []


def _item(annotated: object) -> object:
    """What a list holds; None where it is none."""
    plain = _plain(annotated)
    return get_args(plain)[0] if get_origin(plain) is tuple else None


def _plain(annotated: object) -> object:
    """The type in an Annotated."""
    return get_args(annotated)[0] if get_origin(annotated) is Annotated else annotated
