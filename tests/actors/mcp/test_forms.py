"""Forms of servers: which fields they have, how each is asked, and what counts as an answer."""

from typing import Any

import pytest

from actors.mcp import forms
from actors.mcp.forms import DECLINE, SKIP, TEXT, Field, NoValue, Value


def asked(name: str, described: dict[str, Any], *, required: bool = False) -> Field:
    needed = [name] if required else []
    (field,) = forms.fields({"type": "object", "properties": {name: described}, "required": needed})
    return field


@pytest.mark.parametrize(
    ("described", "ids"),
    [
        ({"type": "string"}, [TEXT, SKIP]),
        ({"type": "boolean"}, ["value-true", "value-false", SKIP]),
        ({"type": "string", "enum": ["a", "b"]}, ["value-a", "value-b", SKIP]),
        ({"oneOf": [{"const": "a", "title": "A"}]}, ["value-a", SKIP]),
        ({"type": "string", "enum": [str(number) for number in range(20)]}, [TEXT, SKIP]),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, [TEXT, SKIP]),
    ],
)
def test_a_field_is_asked_by_what_it_takes(described: dict[str, Any], ids: list[str]) -> None:
    choices = forms.choices(asked("f", described))

    assert [choice.id for choice in choices] == [*ids, DECLINE.id]
    assert len({choice.key for choice in choices}) == len(choices)


def test_what_is_needed_cannot_be_left_out() -> None:
    choices = forms.choices(asked("f", {"type": "string"}, required=True))

    assert [choice.id for choice in choices] == [TEXT, DECLINE.id]


@pytest.mark.parametrize(
    ("described", "choice", "text", "value"),
    [
        ({"type": "string"}, TEXT, " Ada ", "Ada"),
        ({"type": "boolean"}, "value-false", "", False),
        ({"type": "integer", "minimum": 1, "maximum": 5}, TEXT, "5", 5),
        ({"type": "number"}, TEXT, "2.5", 2.5),
        ({"type": "string", "enum": ["a", "b"]}, "value-b", "", "b"),
        ({"type": "array", "items": {"enum": ["a", "b", "c"]}}, TEXT, "a, c", ["a", "c"]),
    ],
)
def test_an_answer_is_a_value_of_the_field(described: dict[str, Any], choice: str, text: str, value: Value) -> None:
    assert forms.value(asked("f", described), choice, text) == value


@pytest.mark.parametrize(
    ("described", "text", "why"),
    [
        ({"type": "integer"}, "2.5", "2.5 is no whole number"),
        ({"type": "number", "minimum": 3}, "2", "it has to be at least 3"),
        ({"type": "string", "maxLength": 2}, "abc", "it can be at most 2 characters"),
        ({"type": "array", "items": {"enum": ["a"]}}, "a, z", "z is none of them"),
    ],
)
def test_what_is_no_value_says_why(described: dict[str, Any], text: str, why: str) -> None:
    with pytest.raises(NoValue, match=why):
        forms.value(asked("f", described), TEXT, text)


@pytest.mark.parametrize(
    "schema",
    [{}, {"properties": "none"}, {"properties": {"f": "text"}}, {"properties": {str(n): {} for n in range(50)}}],
    ids=["nothing", "no fields", "no field", "too many"],
)
def test_what_is_no_form_is_not_asked(schema: dict[str, Any]) -> None:
    with pytest.raises(NoValue):
        forms.fields(schema)


def test_the_defaults_of_a_form_are_its_answer_where_nothing_else_is_needed() -> None:
    optional = asked("a", {"type": "integer", "default": 7})
    needed = asked("b", {"type": "string"}, required=True)

    assert forms.defaults((optional,)) == {"a": 7}
    assert forms.defaults((optional, needed)) is None
