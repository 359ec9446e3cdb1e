"""`todo`: the agent's list of steps, shown to the user as a checklist; written to the workspace only on request."""

from typing import Annotated, Literal

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.files import whole_files
from actors.tools.workspace.folder import Workspace

FILE = "TODO.md"
MARKS = {"pending": "[ ]", "in_progress": "[~]", "completed": "[x]"}
MOST = 50


class Item(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    task: Annotated[str, msgspec.Meta(min_length=1, max_length=300, description="What is to be done, one line.")]
    status: Literal["pending", "in_progress", "completed"] = "pending"


class Todo(Arguments, frozen=True):
    items: Annotated[tuple[Item, ...], msgspec.Meta(max_length=MOST, description="The whole list, in order.")]
    persist: Annotated[bool, msgspec.Meta(description=f"Also write it to {FILE} in the workspace.")] = False


async def run(arguments: Todo, worker: Worker, _report: Report) -> Outcome:
    active = [item.task for item in arguments.items if item.status == "in_progress"]
    if len(active) > 1:
        raise ToolFailed(f"Only one step can be in progress; there are {len(active)}: {'; '.join(active)}.")
    done = sum(item.status == "completed" for item in arguments.items)
    written = ""
    if arguments.persist:
        await trio.to_thread.run_sync(_persist, arguments, worker.workspace)
        written = f" Written to {FILE}."
    count = f"{done} of {len(arguments.items)} done"
    return Outcome(f"Noted: {count}.{written}", count)


def preview(arguments: Todo, _workspace: Workspace) -> Preview:
    title = f"write the list to {FILE}" if arguments.persist else "note the list of steps"
    return Preview(title=title, detail=checklist(arguments))


def checklist(arguments: Todo) -> str:
    """As Markdown."""
    rows = [f"- {MARKS[item.status]} {' '.join(item.task.split())}" for item in arguments.items]
    return "\n".join(["# To do", "", *rows, ""])


def _persist(arguments: Todo, workspace: Workspace) -> None:
    path = workspace.locate_for_writing(FILE)
    whole_files.replace(workspace, path, checklist(arguments), whole_files.existing(workspace, path))


TODO = Tool("todo", "meta", Todo, run, preview, touches=(Touch(scope="write", argument="persist", fixed=FILE),))
