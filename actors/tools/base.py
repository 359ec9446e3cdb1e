"""What a tool is: a name, arguments with a schema, an effect class, and what it does."""

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar, get_args, get_origin

import msgspec
import trio

from actors.messages.conversation import Attachment, Effect
from actors.messages.model import MergeEdit, ToolSpec, Touch
from actors.messages.tool import Grant, Preview
from actors.messages.web import Found, SearchWeb
from actors.tools.errors import ToolFailed
from actors.tools.jobs import Jobs
from actors.tools.processes import Processes
from actors.tools.workspace import Workspace

NOTHING = Grant()
Report = Callable[[str], Awaitable[None]]
"""Takes live output."""


class Arguments(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the model has to give; its JSON schema goes to the model."""


A = TypeVar("A", bound=Arguments)


@dataclass(frozen=True)
class Changed:
    """A file whose text a call has changed."""

    path: Path
    before: str
    """Its text until then; "" for a new one."""


@dataclass(frozen=True)
class Outcome:
    output: str
    """For the model."""
    summary: str
    """One line for the user."""
    failed: bool = False
    diff: str = ""
    attachments: tuple[Attachment, ...] = ()
    """Images and PDFs for the model, beside the output."""
    changed: tuple[Changed, ...] = ()


async def no_service(_wanted: MergeEdit) -> str:
    raise ToolFailed("There is no service here that merges edits.")


async def no_search(_wanted: SearchWeb) -> Found:
    raise ToolFailed("There is no service here that searches the web.")


async def unchecked(_worker: "Worker", edit: Callable[[], Awaitable[Outcome]]) -> Outcome:
    return await edit()


@dataclass(frozen=True)
class Worker:
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
    jobs: Jobs = field(default_factory=Jobs)
    """What runs in the background."""
    checked: Callable[["Worker", Callable[[], Awaitable[Outcome]]], Awaitable[Outcome]] = unchecked
    """Makes an edit and tells in its outcome what it broke."""

    def granted(self, grant: Grant) -> "Worker":
        return replace(self, workspace=self.workspace.granted(grant), grant=grant)


def _always() -> bool:
    return True


@dataclass(frozen=True)
class Tool(Generic[A]):
    name: str
    effect: Effect
    arguments: type[A]
    run: Callable[[A, Worker, Report], Awaitable[Outcome]]
    """Raises ToolFailed and OSError."""
    preview: Callable[[A, Workspace], Preview]
    """What would it do? Changes nothing. Raises ToolFailed and OSError."""
    touches: tuple[Touch, ...] = ()
    runs_in: Literal["worker", "web", "open"] = "worker"
    always_asks: bool = False
    freeform: bool = False
    is_there: Callable[[], bool] = _always
    """Whether it is offered on this machine."""

    def spec(self) -> ToolSpec:
        """The description is the file NAME.md beside the code."""
        description = Path(__file__).with_name(f"{self.name}.md").read_text(encoding="utf-8").strip()
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
            always_asks=self.always_asks,
            freeform=self.freeform,
        )

    def parse(self, arguments: str) -> A:
        """Numbers may come as strings. Raises ToolFailed that shows the shape."""
        try:
            return msgspec.json.decode(arguments.strip() or "{}", type=self.arguments, strict=False)
        except (msgspec.DecodeError, RecursionError) as error:
            near = _near(str(error), self.arguments)
            shape = _shape(self.arguments)
            raise ToolFailed(f"Malformed arguments for {self.name}: {error}.{near} Expected JSON: {shape}") from error


def _shape(arguments: type[msgspec.Struct]) -> str:
    return "{" + ", ".join(map(_member, msgspec.structs.fields(arguments))) + "}"


def _member(field: msgspec.structs.FieldInfo) -> str:
    known: dict[object, str] = {int: "integer", float: "number", str: "string", bool: "true or false"}
    item = _item(field.type)
    shown = f"[{_shape(item)}, ...]" if item else f"<{known.get(_plain(field.type), 'value')}>"
    return f'"{field.name}": {shown if field.required else shown.removesuffix(">") + ", optional>"}'


def _near(error: str, arguments: type[msgspec.Struct]) -> str:
    """For a field that there is not: what may have been meant."""
    unknown = re.search(r"unknown field `([^`]*)`", error)
    if unknown is None:
        return ""
    import difflib  # 10 ms, and only a wrong name needs it

    items = [item for field in msgspec.structs.fields(arguments) if (item := _item(field.type))]
    known = [field.name for struct in (arguments, *items) for field in msgspec.structs.fields(struct)]
    near = difflib.get_close_matches(unknown[1], known, n=1, cutoff=0.4)
    return f" Did you mean `{near[0]}`?" if near else ""


def _item(annotated: object) -> type[msgspec.Struct] | None:
    """Of a list of structs."""
    plain = _plain(annotated)
    inside = get_args(plain)[0] if get_origin(plain) is tuple else None
    return inside if isinstance(inside, type) and issubclass(inside, msgspec.Struct) else None


def _plain(annotated: object) -> object:
    """The type in an Annotated."""
    return get_args(annotated)[0] if get_origin(annotated) is Annotated else annotated
