"""Tools that no worker has: what the model is told of one, and its arguments as a struct. Pure, but for reading it."""

from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from actors.errors import failed
from actors.messages.conversation import Effect, ToolCall
from actors.messages.model import ToolSpec, Touch

A = TypeVar("A", bound=msgspec.Struct)


def spec(
    name: str,
    arguments: type[msgspec.Struct],
    runs_in: Literal["gate", "agent"],
    folder: Path,
    effect: Effect = "meta",
    *touches: Touch,
) -> ToolSpec:
    """The description is the file NAME.md in the folder."""
    schemas: dict[str, Any] = msgspec.json.schema(arguments)["$defs"]
    schema = schemas.pop(arguments.__name__)
    schema.pop("title")
    if schemas:
        schema["$defs"] = schemas
    return ToolSpec(
        name=name,
        description=(folder / f"{name}.md").read_text(encoding="utf-8").strip(),
        parameters=msgspec.json.encode(schema).decode(),
        effect=effect,
        touches=touches,
        runs_in=runs_in,
    )


def parsed(call: ToolCall, shape: type[A]) -> A:
    """Raises Failed."""
    try:
        return msgspec.json.decode(call.arguments.strip() or "{}", type=shape, strict=False)
    except (msgspec.DecodeError, RecursionError) as error:
        fields = ", ".join(f'"{field}"' for field in shape.__struct_fields__)
        raise failed(
            "bad_arguments", f"Malformed arguments for {call.name}: {error}.", f"They are: {fields}."
        ) from error
