"""`apply_patch`: a patch of any number of files, all of it or nothing."""

import re
from pathlib import Path
from typing import Annotated, assert_never

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.files.draft import Draft
from actors.tools.files.patches import unified, v4a
from actors.tools.files.patches.hunks import Add, Delete, Operation, Update, applied
from actors.tools.text import diff
from actors.tools.workspace.folder import Workspace

WRAPPERS = (
    re.compile(r"(?:apply_patch\s+)?<<-?\s*(['\"]?)(\w+)\1\n(?P<patch>.*)\n\2", re.DOTALL),
    re.compile(r"```\w*\n(?P<patch>.*)\n```", re.DOTALL),
)
"""A heredoc, a Markdown fence: some models put the patch in one."""


class ApplyPatch(Arguments, frozen=True):
    input: Annotated[str, msgspec.Meta(max_length=limits.PATCH_CHARS, description="The whole patch.")]


async def run(arguments: ApplyPatch, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_apply, arguments, worker.workspace)


def preview(arguments: ApplyPatch, workspace: Workspace) -> Preview:
    draft, said = _drafted(arguments, workspace)
    return Preview(title=f"patch: {', '.join(said)}", detail="".join(draft.diffs(whole=True)))


def _apply(arguments: ApplyPatch, workspace: Workspace) -> Outcome:
    draft, said = _drafted(arguments, workspace)
    diffs = draft.diffs()
    draft.commit()
    summary = f"{diff.counted(*diffs)} in {how_many(len(said), 'file')}"
    return Outcome("\n".join(["Done:", *said]), summary, diff="".join(diffs), changed=draft.changed)


def _drafted(arguments: ApplyPatch, workspace: Workspace) -> tuple[Draft, list[str]]:
    """And what it does with each file, as git's letters say it."""
    draft = Draft(workspace)
    try:
        return draft, [_done(operation, draft, workspace) for operation in parsed(arguments.input)]
    except ToolFailed as failed:
        raise ToolFailed(f"{failed}\nNothing of the patch was applied.") from failed


def parsed(patch: str) -> tuple[Operation, ...]:
    """Raises ToolFailed."""
    text = patch.replace("\r\n", "\n").strip("\n")
    for wrapper in WRAPPERS:
        if found := wrapper.fullmatch(text.strip()):
            text = found["patch"].strip("\n")
    if text.lstrip().startswith("***"):
        return v4a.parse(text)
    if re.search(r"^(--- |diff --git )", text, re.MULTILINE):
        return unified.parse(text)
    raise ToolFailed(f"This is no patch: it begins neither with `{v4a.BEGIN}` nor with `--- a/PATH` or `diff --git`.")


def _done(operation: Operation, draft: Draft, workspace: Workspace) -> str:
    match operation:
        case Add():
            path = workspace.locate_for_editing(operation.path)
            _check_free(draft, path, operation.path)
            draft.write(path, operation.text)
            return f"A {workspace.shown(path)}"
        case Delete():
            path = workspace.locate_condemned(operation.path)
            draft.remove(path)
            return f"D {workspace.shown(path)}"
        case Update():
            return _updated(operation, draft, workspace)
        case _:
            assert_never(operation)


def _updated(update: Update, draft: Draft, workspace: Workspace) -> str:
    path = workspace.locate_for_editing(update.path)
    text = applied(draft.text(path), update.hunks, workspace.shown(path))
    if not update.to:
        draft.write(path, text)
        return f"M {workspace.shown(path)}"
    to = workspace.locate_for_editing(update.to)
    _check_free(draft, to, update.to)
    draft.move(path, to, text)
    return f"R {workspace.shown(path)} -> {workspace.shown(to)}"


def _check_free(draft: Draft, path: Path, name: str) -> None:
    if draft.exists(path):
        raise ToolFailed(f"{name} exists already. Update it, or delete it in the patch first.")


APPLY_PATCH = Tool(
    "apply_patch",
    "write",
    ApplyPatch,
    run,
    preview,
    touches=(Touch(scope="patch", argument="input"),),
    freeform=True,
    edits=True,
)
