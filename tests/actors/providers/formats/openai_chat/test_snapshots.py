"""The stored request bodies are what is sent, and OpenAI's own library would send those for OpenAI too."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tests.actors.providers.formats import snapshots

BODIES = snapshots.chat()


@pytest.mark.parametrize("name", BODIES)
def test_the_request_is_the_stored_one(name: str) -> None:
    assert BODIES[name] == snapshots.stored(name)


@pytest.mark.parametrize("name", [name for name in BODIES if name.startswith("openai-chat-openai-")])
def test_the_official_library_knows_every_member(name: str) -> None:
    types = pytest.importorskip("openai.types.chat.completion_create_params")
    pydantic = pytest.importorskip("pydantic")
    sent = json.loads(BODIES[name])

    adapter = pydantic.TypeAdapter(types.CompletionCreateParamsStreaming)

    assert whole(adapter.validate_python(sent)) == sent  # a member it does not know would be missing


@pytest.mark.parametrize("name", [name for name in BODIES if name.startswith("openai-chat-unknown-")])
def test_an_unknown_server_is_sent_nothing_that_openai_does_not_know(name: str) -> None:
    test_the_official_library_knows_every_member(name)


def whole(understood: Any) -> Any:  # noqa: ANN401  # any JSON
    """What was read of it; lists are only read when they are gone through."""
    match understood:
        case Mapping():
            return {name: whole(value) for name, value in understood.items()}
        case str() | bytes():
            return understood
        case Iterable():
            return [whole(value) for value in understood]
        case _:
            return understood
