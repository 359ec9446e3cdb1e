"""What a tool is: a name, arguments with a schema, an effect class, and what it does."""

import inspect
from collections.abc import Awaitable, Callable, Iterable
from pathlib import Path
from typing import Generic, Literal, TypeVar

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.confinement.processes.jobs import Jobs
from actors.confinement.processes.process_trees import Processes
from actors.messages.conversation import Attachment, Effect, Seen
from actors.messages.model import Found, MergeEdit, SearchWeb, ToolSpec, Touch
from actors.messages.tool import Grant, Preview
from actors.tools import argument_shapes
from actors.tools.workspace.folder import Workspace

NOTHING = Grant()
Report = Callable[[str], Awaitable[None]]
"""Takes live output."""


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the model has to give; its JSON schema goes to the model."""


A = TypeVar("A", bound=Arguments)


class Changed(msgspec.Struct, frozen=True):
    """A file whose text a call has changed."""

    path: Path
    before: str
    """Its text until then; "" for a new one."""


class Outcome(msgspec.Struct, frozen=True):
    output: str
    """For the model."""
    summary: str
    """One line for the user."""
    failed: bool = False
    diff: str = ""
    attachments: tuple[Attachment, ...] = ()
    """Images and PDFs for the model, beside the output."""
    changed: tuple[Changed, ...] = ()
    warning: str = ""
    """What the user has to know, whatever the model says of it; also in the output."""


async def no_service(_wanted: MergeEdit) -> str:
    raise ToolFailed("There is no service here that merges edits.")


async def no_search(_wanted: SearchWeb) -> Found:
    raise ToolFailed("There is no service here that searches the web.")


async def unchecked(_worker: "Worker", edit: Callable[[], Awaitable[Outcome]]) -> Outcome:
    return await edit()


class Worker(msgspec.Struct, frozen=True):
    """What a call has to work with; all but the workspace and the grant is shared by all calls of one worker."""

    workspace: Workspace
    """As the call's grant lets it see it."""
    processes: Processes
    nursery: trio.Nursery
    """Lives as long as the worker: for what a call leaves behind."""
    merge: Callable[[MergeEdit], Awaitable[str]] = no_service
    """The new text of the file, not checked. Raises Failed."""
    search: Callable[[SearchWeb], Awaitable[Found]] = no_search
    """Raises Failed."""
    grant: Grant = NOTHING
    """What this call may do."""
    jobs: Jobs = msgspec.field(default_factory=Jobs)
    """What runs in the background."""
    checked: Callable[["Worker", Callable[[], Awaitable[Outcome]]], Awaitable[Outcome]] = unchecked
    """Makes an edit and tells in its outcome what it broke."""

    def granted(self, grant: Grant, seen: Iterable[Seen] | None = None) -> "Worker":
        """For one call. seen: files that who calls knows; None: all."""
        return msgspec.structs.replace(self, workspace=self.workspace.granted(grant, seen), grant=grant)


def _always() -> bool:
    return True


class Tool(msgspec.Struct, Generic[A], frozen=True):
    name: str
    effect: Effect
    arguments: type[A]
    run: Callable[[A, Worker, Report], Awaitable[Outcome]]
    """Raises ToolFailed and OSError."""
    preview: Callable[[A, Workspace], Preview]
    """What would it do? Changes nothing. Raises ToolFailed and OSError."""
    touches: tuple[Touch, ...] = ()
    runs_in: Literal["worker", "web", "open"] = "worker"
    freeform: bool = False
    edits: bool = False
    """It changes the text of files and says in its outcome what was there: checkers look at it."""
    is_there: Callable[[], bool] = _always
    """Whether it is offered on this machine."""

    def spec(self) -> ToolSpec:
        """The description is the file NAME.md beside the tool's code."""
        description = Path(inspect.getfile(self.run)).with_name(f"{self.name}.md").read_text(encoding="utf-8").strip()
        schema = msgspec.json.schema(self.arguments)
        definitions = schema.pop("$defs")
        parameters = {**definitions.pop(self.arguments.__name__), **({"$defs": definitions} if definitions else {})}
        parameters.pop("title")
        parameters.pop("description", None)
        return ToolSpec(
            name=self.name,
            description=description,
            parameters=msgspec.json.encode(parameters).decode(),
            effect=self.effect,
            touches=self.touches,
            runs_in=self.runs_in,
            freeform=self.freeform,
        )

    def parse(self, arguments: str) -> A:
        """Numbers may come as strings. Raises ToolFailed that shows the shape."""
        try:
            return msgspec.json.decode(arguments.strip() or "{}", type=self.arguments, strict=False)
        except (msgspec.DecodeError, RecursionError) as error:
            hint, shape = argument_shapes.hint(str(error), self.arguments), argument_shapes.shape(self.arguments)
            raise ToolFailed(f"Malformed arguments for {self.name}: {error}.{hint} Expected JSON: {shape}") from error
