"""Config files: TOML into structs, and mistakes in words that name the file, the key and what it can be."""

import difflib
import re
import tomllib
from collections.abc import Set
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import inspect

from actors.errors import BadConfiguration
from actors.reading import read_regular

MOST = 1024 * 1024
"""Bytes of a config file."""
MOST_DOTS = 200
"""In the keys of a line: tomllib takes time by the square of a key's parts, 20 s for one that fills a file of 64 KB."""
Shape = TypeVar("Shape", bound=msgspec.Struct)
NOBODYS: Set[str] = frozenset()


def read(path: Path, shape: type[Shape], only_users: Set[str] = NOBODYS) -> Shape:
    """A file that is not there is an empty one. only_users: keys that only the user's own file has.

    Raises BadConfiguration.
    """
    return parse(text_of(path), path, shape, only_users)


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


def parse(text: str, path: Path, shape: type[Shape], only_users: Set[str] = NOBODYS) -> Shape:
    """Raises BadConfiguration."""
    for number, line in enumerate(text.split("\n"), 1):
        keys = line if line.lstrip().startswith("[") else line.rpartition("=")[0]
        if keys.count(".") > MOST_DOTS:
            raise BadConfiguration(
                f"{path}, line {number}: a key of more than {MOST_DOTS} parts. Shorten or remove it."
            )
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise BadConfiguration(f"{path} is not valid TOML: {error}.") from error
    try:
        return msgspec.convert(table, shape)
    except msgspec.ValidationError as error:
        whole = _with_name(str(error), table, shape)
        raise BadConfiguration(f"{path}: {_explain(whole, shape, only_users)}") from error


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


def _explain(error: str, shape: type[msgspec.Struct], only_users: Set[str]) -> str:
    unknown = re.search(r"unknown field `([^`]*)`(?: - at `\$\.?(.*)`)?", error)
    if unknown is None:
        return _explain_value(error, shape)
    key, place = unknown[1], unknown[2] or ""
    where = f"in [{place}] " if place else ""
    if key in only_users:
        return f'"{key}" may only be set in your own config file: a workspace is not trusted to.'
    known = [field.name for field in _table(place, shape)]
    near = difflib.get_close_matches(key, known, n=2, cutoff=0.5)
    if near:
        return f'unknown key "{key}" {where}. Did you mean {" or ".join(near)}?'.replace(" .", ".")
    return f'unknown key "{key}" {where}; known are: {", ".join(known)}.'.replace(" ;", ";")


def _explain_value(error: str, shape: type[msgspec.Struct]) -> str:
    """A value that its key cannot have: which key, and what it can have."""
    what, _, at = error.partition(" - at `$.")
    place, _, key = at.rstrip("`").rpartition(".")
    can_be = _can_be(_table(place, shape), key)
    where = f"[{place}] " if place else ""
    return f"{where}{key}: {what}{f'; it can be {can_be}' if can_be else ''}." if at else f"{what}."


def _can_be(table: tuple[inspect.Field, ...], key: str) -> str:
    """The range or the choices of a key, "" where there are none to name."""
    for type_ in (field.type for field in table if field.name == key):
        for one in _members(type_):
            match one:
                case inspect.LiteralType(values=values):
                    return ", ".join(map(str, values))
                case inspect.IntType(le=high) | inspect.FloatType(le=high) if high is not None:
                    low = f"more than {one.gt:,}" if one.gt is not None else f"{one.ge:,}"
                    return f"{low} to {high:,}"
                case _:
                    continue
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
