"""What a tool is: a name, arguments with a schema, an effect class, and what it does."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, TypeVar

import msgspec
import trio

from actors.messages.conversation import Effect
from actors.messages.model import MergeEdit, ToolSpec
from actors.messages.tool import Preview
from actors.tools.errors import ToolFailed
from actors.tools.processes import Processes
from actors.tools.workspace import Workspace

Report = Callable[[str], Awaitable[None]]
"""Takes live output."""


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the model has to give; its JSON schema goes to the model."""


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Outcome:
    output: str
    """For the model."""
    summary: str
    """One line for the user."""
    failed: bool = False
    diff: str = ""


async def no_service(_wanted: MergeEdit) -> str:
    raise ToolFailed("There is no service here that merges edits.")


@dataclass(frozen=True)
class Worker:
    """What all calls of one worker share."""

    workspace: Workspace
    processes: Processes
    nursery: trio.Nursery
    """Lives as long as the worker: for what a call leaves behind."""
    merge: Callable[[MergeEdit], Awaitable[str]] = no_service
    """The new text of the file, not checked. Raises Failed."""


@dataclass(frozen=True)
class Tool(Generic[A]):
    name: str
    effect: Effect
    arguments: type[A]
    run: Callable[[A, Worker, Report], Awaitable[Outcome]]
    """Raises ToolFailed and OSError."""
    preview: Callable[[A, Workspace], Preview]
    """What would it do? Changes nothing. Raises ToolFailed and OSError."""

    def spec(self) -> ToolSpec:
        """The description is the file NAME.md beside the code."""
        description = Path(__file__).with_name(f"{self.name}.md").read_text(encoding="utf-8").strip()
        schema = msgspec.json.schema(self.arguments)
        parameters = {**schema.pop("$defs")[self.arguments.__name__]}
        parameters.pop("title")
        parameters.pop("description", None)
        return ToolSpec(
            name=self.name,
            description=description,
            parameters=msgspec.json.encode(parameters).decode(),
            effect=self.effect,
        )

    def parse(self, arguments: str) -> A:
        """Numbers may come as strings. Raises ToolFailed that shows the shape."""
        try:
            return msgspec.json.decode(arguments.strip() or "{}", type=self.arguments, strict=False)
        except (msgspec.DecodeError, RecursionError) as error:
            raise ToolFailed(f"Malformed arguments for {self.name}: {error}. Expected JSON: {self._shape()}") from error

    def _shape(self) -> str:
        fields = msgspec.structs.fields(self.arguments)
        known: dict[object, str] = {int: "integer", str: "string", bool: "true or false"}
        parts = [
            f'"{field.name}": <{known.get(_plain(field.type), "value")}{"" if field.required else ", optional"}>'
            for field in fields
        ]
        return "{" + ", ".join(parts) + "}"


def _plain(annotated: object) -> object:
    """The type in an Annotated."""
    return getattr(annotated, "__origin__", annotated)
