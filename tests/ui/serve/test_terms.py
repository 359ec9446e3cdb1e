"""What clients read of the tools."""

import msgspec
import pytest

from ui.serve.terms import FoundSessions, Messages, Outcome, ReadMessages, RunTask, SearchWords, schema


@pytest.mark.parametrize("shape", [RunTask, SearchWords, ReadMessages])
def test_arguments_are_objects_with_nothing_else_in_them(shape: type[msgspec.Struct]) -> None:
    made = schema(shape)

    assert (made["type"], made["additionalProperties"]) == ("object", False)
    assert set(made["properties"]) == set(shape.__struct_fields__)
    assert "$ref" not in str(made)


@pytest.mark.parametrize("shape", [Outcome, FoundSessions, Messages])
def test_results_are_objects(shape: type[msgspec.Struct]) -> None:
    assert schema(shape)["type"] == "object"
