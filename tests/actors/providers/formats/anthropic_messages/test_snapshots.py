"""The stored request bodies are what is sent, and the official library would send them too."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.actors.providers.formats import snapshots

BODIES = snapshots.anthropic()


@pytest.mark.parametrize("name", BODIES)
def test_the_request_is_the_stored_one(name: str) -> None:
    assert BODIES[name] == snapshots.stored(name)


@pytest.mark.parametrize("name", BODIES)
def test_the_official_library_knows_every_member(name: str) -> None:
    types = pytest.importorskip("anthropic.types.message_create_params")
    pydantic = pytest.importorskip("pydantic")
    sent = json.loads(BODIES[name])

    adapter = pydantic.TypeAdapter(types.MessageCreateParamsStreaming)

    assert whole(adapter.validate_python(sent)) == sent  # a member it does not know would be missing


def whole(understood: Any) -> Any:  # noqa: ANN401  # any JSON
    """What was read of it; lists are only read when they are gone through."""
    if hasattr(understood, "model_fields_set"):  # a block as the service sends it
        known = understood.model_fields_set - set(understood.model_extra or ())
        return {name: whole(getattr(understood, name)) for name in known}
    match understood:
        case Mapping():
            return {name: whole(value) for name, value in understood.items()}
        case str() | bytes():
            return understood
        case Iterable():
            return [whole(value) for value in understood]
        case _:
            return understood
