"""What there is to say of a struct's fields: what each can be, what it is when left out, what stands under it."""

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

PLURALS = {str: "texts", Any: "anything"}
WORDS = {str: "text", bool: "true or false", int: "a whole number", float: "a number", Any: "anything"}


@dataclass(frozen=True)
class Field:
    name: str
    can_be: str
    default: str
    """As TOML, or "" where there is none to name."""
    meaning: str


def fields(struct: type[msgspec.Struct]) -> Iterator[Field]:
    hints, texts = get_type_hints(struct, include_extras=True), _docstrings(struct)
    for field in msgspec.structs.fields(struct):
        yield Field(field.name, can_be(hints[field.name]), _default(field), texts[field.name])


def can_be(hint: Any) -> str:  # noqa: ANN401  # any type there is
    arguments = get_args(hint)
    match get_origin(hint):
        case origin if origin is Annotated:
            return f"{can_be(arguments[0])}{_range(arguments[1])}"
        case origin if origin is Literal:
            return ", ".join(f'`"{value}"`' for value in arguments if value)
        case origin if origin in (Union, UnionType):
            return can_be(next(one for one in arguments if one is not NoneType))
        case origin if origin is tuple:
            return "tables" if _is_struct(arguments[0]) else "a list of texts"
        case origin if origin is dict:
            return "tables by name" if _is_struct(arguments[1]) else f"a table of {PLURALS[arguments[1]]}"
        case _:
            return "a table" if _is_struct(hint) else WORDS[hint]


def _range(meta: msgspec.Meta) -> str:
    low = f", {meta.ge:,} to " if meta.ge is not None else f", more than {meta.gt:,}, up to "
    return f"{low}{meta.le:,}" if meta.le is not None else f", {meta.ge:,} or more"


def _default(field: msgspec.structs.FieldInfo) -> str:
    """Where it says nothing the meaning does."""
    if field.required:
        return "needed"
    match field.default:
        case bool() as answer:
            return f"`{str(answer).lower()}`"
        case int() | float() as number if number:
            return f"`{number:g}`"
        case str() as text if text:
            return f'`"{text}"`'
        case _:
            return ""


def _docstrings(struct: type[msgspec.Struct]) -> dict[str, str]:
    """The string under each field, also of what it inherits. Raises KeyError, when asked for one that has none."""
    parents = [one for one in struct.__mro__ if issubclass(one, msgspec.Struct) and one is not msgspec.Struct]
    return {name: text for parent in reversed(parents) for name, text in _own_docstrings(parent).items()}


def _own_docstrings(struct: type) -> dict[str, str]:
    source = ast.parse(Path(str(sys.modules[struct.__module__].__file__)).read_text())
    body = next(node.body for node in source.body if isinstance(node, ast.ClassDef) and node.name == struct.__name__)
    return {
        above.target.id: " ".join(below.value.value.split())
        for above, below in pairwise(body)
        if isinstance(above, ast.AnnAssign)
        and isinstance(above.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }


def _is_struct(hint: Any) -> bool:  # noqa: ANN401
    return isinstance(hint, type) and issubclass(hint, msgspec.Struct)
