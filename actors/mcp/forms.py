"""What a server asks the user in a form: its fields as questions with choices, and answers as values of them. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from actors.mcp import limits
from actors.messages.tool import Choice

Value = str | int | float | bool | list[str] | None
TEXT = "text"
"""Id of the choice that takes text."""
SKIP = "skip"
DECLINE = Choice(id="decline", key="n", label="decline: tell it nothing", refuses=True)
NUMBERED = "value-"
MOST_CHOICES = 9
"""That have a key of their own; of more the value is written."""
LABEL_CHARS = 200


class NoValue(Exception):
    """What was written is none of the field, and why."""


@dataclass(frozen=True)
class Field:
    name: str
    kind: Literal["text", "number", "integer", "boolean", "one", "many"]
    title: str
    values: tuple[str, ...] = ()
    """Of one or many of them."""
    required: bool = False
    default: Value = None
    least: float | None = None
    """Of a number, or of a text's length."""
    most: float | None = None


def fields(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """Raises NoValue: it is no form that can be asked."""
    properties = schema.get("properties")
    if not isinstance(properties, dict) or len(properties) > limits.FORM_FIELDS:
        raise NoValue("the form has no fields, or too many")
    required = schema.get("required")
    needed = required if isinstance(required, list) else []
    return tuple(_field(name, described, name in needed) for name, described in properties.items())


def _field(name: str, described: object, required: bool) -> Field:
    if not isinstance(described, dict):
        raise NoValue(f"its field {name[:LABEL_CHARS]} is not described")
    kind, values = _kind(described)
    title, told = described.get("title"), described.get("description")
    words = [word for word in (title if isinstance(title, str) else name, told) if isinstance(word, str) and word]
    return Field(
        name=name,
        kind=kind,
        title=" ".join(": ".join(words).split())[:LABEL_CHARS],
        values=values,
        required=required,
        default=described.get("default"),
        least=_number(described, "minimum", "minLength"),
        most=_number(described, "maximum", "maxLength"),
    )


def _kind(described: Mapping[str, Any]) -> tuple[Literal["text", "number", "integer", "boolean", "one", "many"], Any]:
    match described.get("type"):
        case "boolean":
            return "boolean", ()
        case "integer":
            return "integer", ()
        case "number":
            return "number", ()
        case "array":
            inner = described.get("items")
            return "many", _values(inner if isinstance(inner, dict) else {})
        case _:
            values = _values(described)
            return ("one", values) if values else ("text", ())


def _values(described: Mapping[str, Any]) -> tuple[str, ...]:
    """An enum, or alternatives with titles."""
    alternatives = described.get("enum") or [
        one.get("const") for one in (described.get("oneOf") or described.get("anyOf") or ()) if isinstance(one, dict)
    ]
    return tuple(one for one in alternatives if isinstance(one, str)) if isinstance(alternatives, list) else ()


def _number(described: Mapping[str, Any], *names: str) -> float | None:
    found = next((described[name] for name in names if name in described), None)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def defaults(asked: tuple[Field, ...]) -> dict[str, Value] | None:
    """None: one that is needed has none."""
    if any(field.required and field.default is None for field in asked):
        return None
    return {field.name: field.default for field in asked if field.default is not None}


def choices(field: Field) -> tuple[Choice, ...]:
    """For the user."""
    skip = () if field.required else (Choice(id=SKIP, key="s", label="leave it out"),)
    match field.kind:
        case "boolean":
            given = YES_OR_NO
        case "one" if len(field.values) <= MOST_CHOICES:
            given = tuple(
                Choice(id=f"{NUMBERED}{value}", key=str(number), label=value[:LABEL_CHARS])
                for number, value in enumerate(field.values, 1)
            )
        case _:
            given = (Choice(id=TEXT, key="t", label=_how(field), takes_text=True),)
    return (*given, *skip, DECLINE)


YES_OR_NO: tuple[Choice, ...] = (
    Choice(id=f"{NUMBERED}true", key="y", label="yes"),
    Choice(id=f"{NUMBERED}false", key="f", label="no"),
)


def _how(field: Field) -> str:
    if field.kind == "many":
        return f"write some of these, with commas between: {', '.join(field.values)}"[:LABEL_CHARS]
    if field.kind == "one":
        return f"write one of these: {', '.join(field.values)}"[:LABEL_CHARS]
    return {"number": "write a number", "integer": "write a whole number"}.get(field.kind, "write it")


def value(field: Field, choice: str, text: str) -> Value:
    """Of a choice that was taken. Raises NoValue."""
    said = text.strip() if choice == TEXT else choice.removeprefix(NUMBERED)
    match field.kind:
        case "boolean":
            return said == "true"
        case "many":
            chosen = [word.strip() for word in said.split(",") if word.strip()]
            if field.values and (unknown := [word for word in chosen if word not in field.values]):
                raise NoValue(f"{unknown[0]} is none of them")
            return list(chosen)
        case "one":
            if said not in field.values:
                raise NoValue(f"it is none of {', '.join(field.values)}")
            return said
        case "number" | "integer":
            return _counted(field, said)
        case "text":
            _check_bounds(field, len(said), "characters")
            return said


def _counted(field: Field, said: str) -> int | float:
    try:
        number = int(said) if field.kind == "integer" else float(said)
    except ValueError:
        raise NoValue(f"{said[:40]} is no {'whole ' if field.kind == 'integer' else ''}number") from None
    _check_bounds(field, number, "")
    return number


def _check_bounds(field: Field, size: float, unit: str) -> None:
    if field.least is not None and size < field.least:
        raise NoValue(f"it has to be at least {field.least:g} {unit}".strip())
    if field.most is not None and size > field.most:
        raise NoValue(f"it can be at most {field.most:g} {unit}".strip())
