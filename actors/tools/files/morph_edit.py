"""`morph_edit`: a service merges the sketch of an edit into the file; what comes back is checked before it counts."""

from collections.abc import Awaitable
from pathlib import Path
from typing import Annotated, TypeVar

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.errors import Failed
from actors.messages.model import MergeEdit, Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Changed, Outcome, Report, Tool, Worker
from actors.tools.files import whole_files
from actors.tools.files.merge_check import checked
from actors.tools.text import diff
from actors.tools.workspace.folder import Workspace

INSTEAD = "The file is untouched; use edit instead."
_T = TypeVar("_T")


class MorphEdit(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace.")]
    instructions: Annotated[str, msgspec.Meta(description="One sentence: what the edit does.")]
    code_edit: Annotated[
        str, msgspec.Meta(description="The sketch: only what changes, with `... existing code ...` for what stays.")
    ]


async def run(arguments: MorphEdit, worker: Worker, _report: Report) -> Outcome:
    path, before = await trio.to_thread.run_sync(_before, arguments, worker.workspace)
    name = worker.workspace.shown(path)
    sent, crlf = _as_sent(before)
    question = MergeEdit(original=sent, sketch=arguments.code_edit, instruction=arguments.instructions)
    merged = await _answered(worker.merge(question))
    try:
        after = checked(sent, merged)
    except ToolFailed as rejected:
        raise ToolFailed(f"The merged text of {name} was rejected: {rejected} {INSTEAD}") from rejected
    after = after.replace("\n", "\r\n") if crlf else after
    return await trio.to_thread.run_sync(_replace, worker.workspace, path, before, after)


def preview(arguments: MorphEdit, workspace: Workspace) -> Preview:
    """What will be in the file is known only afterwards: the sketch is what can be shown."""
    path, _ = _before(arguments, workspace)
    title = f"merge into {workspace.shown(path)}; the whole file is sent to morph"
    return Preview(title=title, detail=f"{arguments.instructions}\n\n{arguments.code_edit}")


def _before(arguments: MorphEdit, workspace: Workspace) -> tuple[Path, str]:
    path = workspace.locate_for_editing(arguments.path)
    name = workspace.shown(path)
    if whole_files.existing(workspace, path) is None:
        raise ToolFailed(f"No such file: {name}. To make a new file use write.")
    before, info = whole_files.read_whole(workspace, path)
    whole_files.check_unchanged(workspace, path, info)
    if not arguments.code_edit.strip():
        raise ToolFailed("code_edit is empty. Give the sketch of the edit.")
    if not before.strip():
        raise ToolFailed(f"{name} is empty: there is nothing to merge into. Use write.")
    if not before.isascii() and any("\ud800" <= character <= "\udfff" for character in before):
        raise ToolFailed(f"{name} is not UTF-8, so it cannot be sent to be merged. {INSTEAD}")
    if len(before) + len(arguments.code_edit) > limits.MERGE_CHARS:
        raise ToolFailed(f"{name} and the sketch together are too large to be merged. {INSTEAD}")
    return path, before


def _as_sent(text: str) -> tuple[str, bool]:
    """With plain line ends; and whether it had others, all over."""
    crlf = "\r\n" in text and text.count("\n") == text.count("\r\n")
    return (text.replace("\r\n", "\n") if crlf else text), crlf


async def _answered(asked: Awaitable[_T]) -> _T:
    try:
        return await asked
    except Failed as failure:
        raise ToolFailed(f"The edit could not be merged: {failure} {INSTEAD}") from failure


def _replace(workspace: Workspace, path: Path, before: str, after: str) -> Outcome:
    name = workspace.shown(path)
    if whole_files.existing(workspace, path) is None:
        raise ToolFailed(f"{name} is gone: it was removed while the edit was being merged.")
    now, info = whole_files.read_whole(workspace, path)
    if now != before:
        raise ToolFailed(f"{name} changed on disk while the edit was being merged. Read it again, then edit.")
    whole_files.replace(workspace, path, after, info)
    change = diff.unified(name, before, after)
    said = f"Merged into {name}. Read the diff: is it what you meant?\n{diff.for_model(change)}"
    summary = diff.counted(change) if after != before else "nothing changed"
    return Outcome(said, summary, diff=change, changed=(Changed(path, before),))


MORPH_EDIT = Tool(
    "morph_edit",
    "write",
    MorphEdit,
    run,
    preview,
    touches=(Touch(scope="read", argument="path"), Touch(scope="write", argument="path")),
    edits=True,
)
