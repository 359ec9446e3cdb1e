"""Config files: TOML into structs, and mistakes in words that name the file, the key and what it can be."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from actors.common.small_files import read_regular
from actors.errors import BadConfiguration

MOST = 1024 * 1024
"""Bytes of a config file."""
MOST_DOTS = 200
"""In the keys of a line: tomllib takes time by the square of a key's parts, 20 s for one that fills a file of 64 KB."""
NAMES = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "a table",
    "array": "a list",
}
"""What msgspec's words for types are to people."""
Shape = TypeVar("Shape", bound=msgspec.Struct)


def read(path: Path, shape: type[Shape]) -> Shape:
    """A file that is not there is an empty one. Raises BadConfiguration."""
    return parse(text_of(path), path, shape)


def text_of(path: Path, most: int = MOST) -> str:
    """ "" of a file that is not there; one of more bytes is an error. Raises BadConfiguration."""
    try:
        data = read_regular(path, most + 1)
        if len(data) > most:
            raise BadConfiguration(f"{path} is larger than any config file ({most // 1024} KB). Move it away.")
        return data.decode("utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"cannot read {path}: {error}. Make it readable, or move it away.") from error


def parse(text: str, path: Path, shape: type[Shape]) -> Shape:
    """Raises BadConfiguration."""
    return convert(table(text, path), path, shape)


def table(text: str, path: Path) -> dict[str, Any]:
    """What is written there, whatever it means. Raises BadConfiguration."""
    for number, line in enumerate(text.split("\n"), 1):
        keys = line if line.lstrip().startswith("[") else line.rpartition("=")[0]
        if keys.count(".") > MOST_DOTS:
            raise BadConfiguration(
                f"{path}, line {number}: a key of more than {MOST_DOTS} parts. Shorten or remove it."
            )
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise BadConfiguration(f"{path} is not valid TOML: {error}. Correct it, or move it away.") from error


def convert(table: dict[str, Any], path: Path, shape: type[Shape]) -> Shape:
    """Raises BadConfiguration."""
    try:
        return msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        raise BadConfiguration(f"{path}: {_explain(_with_name(str(error), table, shape), shape)}") from error


def why_not(table: dict[str, Any], shape: type[msgspec.Struct]) -> str:
    """What is wrong with it; "" for nothing."""
    try:
        msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        return _explain(_with_name(str(error), table, shape), shape).rstrip(".")
    return ""


def _with_name(error: str, table: dict[str, Any], shape: type[msgspec.Struct]) -> str:
    """msgspec says `$.providers[...].api`: which one is found by trying each alone."""
    found = re.search(r"\$\.(\w+)\[\.\.\.\]", error)
    if found is None:
        return error
    for name, value in table[found[1]].items():
        try:
            msgspec.convert({found[1]: {name: value}}, shape)
        except msgspec.ValidationError as its_own:
            quoted = name if re.fullmatch(r"[\w-]+", name) else f'"{name}"'
            return str(its_own).replace(found[0], f"$.{found[1]}.{quoted}").replace("[...]", "")
    return error


def _explain(error: str, shape: type[msgspec.Struct]) -> str:
    unknown = re.search(r"unknown field `([^`]*)`(?: - at `\$\.?(.*)`)?", error)
    if unknown is None:
        return _explain_value(error, shape)
    key, place = unknown[1], unknown[2] or ""
    where = f"in [{place}] " if place else ""
    known = [field.name for field in _table(place, shape)]
    import difflib  # for mistakes alone

    near = difflib.get_close_matches(key, known, n=2, cutoff=0.5)
    if near:
        return f'unknown key "{key}" {where}. Did you mean {" or ".join(near)}?'.replace(" .", ".")
    return f'unknown key "{key}" {where}; known are: {", ".join(known)}.'.replace(" ;", ";")


def _explain_value(error: str, shape: type[msgspec.Struct]) -> str:
    """A value that its key cannot have: which key, and what it can have."""
    what, _, at = error.partition(" - at `$.")
    place, _, key = at.rstrip("`").rpartition(".")
    if not at:
        return f"{what}."
    where = f"[{place}] " if place else ""
    return f"{where}{key}: {_plain(what, _can_be(_table(place, shape), key))}."


def _plain(what: str, can_be: str) -> str:
    """What msgspec says, in words."""
    known = f"; it can be {can_be}" if can_be else ""
    if unknown := re.fullmatch(r"Invalid enum value (.*)", what, re.DOTALL):
        return f"{unknown[1]} is unknown{known}"
    if other := re.fullmatch(r"Expected `(\w+)(?:[^`\w][^`]*)?`, got `(\w+)`", what):
        return f"it has to be {NAMES.get(other[1], other[1])}, not {NAMES.get(other[2], other[2])}{known}"
    if can_be and re.fullmatch(r"Expected `\w+` [<>]=? [-\d.]+", what):
        return f"it can be {can_be}"
    return f"{what}{known}"


def _can_be(table: tuple[inspect.Field, ...], key: str) -> str:
    """The range or the choices of a key, "" where there are none to name."""
    for type_ in (field.type for field in table if field.name == key):
        for one in _members(type_):
            match one:
                case inspect.LiteralType(values=values):
                    return ", ".join(str(value) for value in values if value != "")
                case inspect.IntType() | inspect.FloatType():
                    return _range(one)
                case _:
                    continue
    return ""


def _range(number: inspect.IntType | inspect.FloatType) -> str:
    match number:
        case inspect.IntType(ge=low, le=high) | inspect.FloatType(ge=low, le=high) if low is not None:
            return f"{low:,} or more" if high is None else f"{low:,} to {high:,}"
        case inspect.IntType(gt=low, le=high) | inspect.FloatType(gt=low, le=high) if low is not None:
            return f"more than {low:,}" + ("" if high is None else f" to {high:,}")
        case _:
            return ""


def _table(place: str, shape: type[msgspec.Struct]) -> tuple[inspect.Field, ...]:
    """The keys at a place such as `models."a/b".prices[0]`."""
    types: tuple[inspect.Type, ...] = (inspect.type_info(shape),)
    for name in re.findall(r'"[^"]*"|[\w-]+', place):
        types = tuple(member for type_ in types for below in _below(type_, name) for member in _members(below))
    return next((type_.fields for type_ in types if isinstance(type_, inspect.StructType)), ())


def _below(type_: inspect.Type, name: str) -> list[inspect.Type]:
    match type_:
        case inspect.StructType(fields=fields):
            return [field.type for field in fields if field.name == name]
        case inspect.DictType(value_type=value):
            return [value]
        case inspect.VarTupleType(item_type=item):
            return [item]
        case _:
            return []


def _members(type_: inspect.Type) -> tuple[inspect.Type, ...]:
    return type_.types if isinstance(type_, inspect.UnionType) else (type_,)
