"""`write`: a whole file, new or replaced; or more at the end of one."""

import os
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools.base import Arguments, Changed, Outcome, Report, Tool, Worker
from actors.tools.files import whole_files
from actors.tools.files.draft import Draft
from actors.tools.text import diff, line_ends
from actors.tools.workspace.folder import Workspace


class Write(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace; its folders are made.")]
    content: Annotated[str, msgspec.Meta(description="The whole new content.")]
    append: Annotated[bool, msgspec.Meta(description="Put the content after what is there, not in its place.")] = False


async def run(arguments: Write, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_append if arguments.append else _write, arguments, worker.workspace)


def preview(arguments: Write, workspace: Workspace) -> Preview:
    if arguments.append and (longer := _longer(arguments, workspace)) is not None:
        name = workspace.shown(workspace.locate_for_editing(arguments.path))
        return Preview(title=f"append to {name}", detail="".join(longer.diffs(whole=True)))
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    exists = _replaced(workspace, path) is not None
    verb = "replace" if exists else "make"
    before = _before(workspace, path)
    content, _ = line_ends.kept(before, arguments.content)
    # what is there already may be gone when it is written
    return Preview(title=f"{verb} {name}", detail=diff.unified(name, before, content, whole=True) or content)


def _write(arguments: Write, workspace: Workspace) -> Outcome:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    info = _replaced(workspace, path)
    before = _before(workspace, path)
    content, kept = line_ends.kept(before, arguments.content)
    change = diff.unified(name, before, content)
    whole_files.replace(workspace, path, content, info)
    size = len(content.encode("utf-8", "surrogateescape"))
    changed = (Changed(path, before),)
    if info is None:
        lines = content.count("\n") + (not content.endswith("\n") and content != "")
        return Outcome(
            f"Made {name} ({how_many(size, 'byte')}).{workspace.passes(path)}",
            f"new, {how_many(lines, 'line')}",
            diff=change,
            changed=changed,
        )
    said = f" It keeps {' and '.join(kept)}, as it had before." if kept else ""
    return Outcome(
        f"Replaced {name} ({how_many(size, 'byte')}).{said}", diff.counted(change), diff=change, changed=changed
    )


def _append(arguments: Write, workspace: Workspace) -> Outcome:
    longer = _longer(arguments, workspace)
    if longer is None:
        return _write(arguments, workspace)
    path = workspace.locate_for_editing(arguments.path)
    diffs = longer.diffs()
    (changed,) = longer.changed or (Changed(path, longer.text(path)),)
    info = whole_files.existing(workspace, path)
    unread = info is not None and workspace.sight.is_unknown(path, info)
    longer.commit()
    if unread:
        workspace.sight.forget(path)
    joined = changed.before and not changed.before.endswith("\n")
    said = " It did not end with a line end: the content goes on in its last line." if joined else ""
    change = "".join(diffs)
    return Outcome(f"Appended to {workspace.shown(path)}.{said}", diff.counted(*diffs), diff=change, changed=(changed,))


def _longer(arguments: Write, workspace: Workspace) -> Draft | None:
    """An edit, for what is there stays; None: there is nothing. Raises ToolFailed."""
    path = workspace.locate_for_editing(arguments.path)
    draft = Draft(workspace)
    if not draft.exists(path):
        return None
    before, content = draft.text(path), arguments.content
    if "\r" not in content and line_ends.has_crlf(before):
        content = line_ends.as_crlf(content)
    draft.write(path, before + content)
    return draft


def _replaced(workspace: Workspace, path: Path) -> os.stat_result | None:
    """What is there, which who writes has read. Raises ToolFailed."""
    info = whole_files.existing(workspace, path)
    if info is not None and info.st_size:
        whole_files.check_unchanged(workspace, path, info, "write")
        if workspace.sight.is_unknown(path, info):
            name = workspace.shown(path)
            raise ToolFailed(f"{name} exists and you have not read it. Read it first, then write; or use edit.")
    return info


def _before(workspace: Workspace, path: Path) -> str:
    """For the diff only: a binary or huge file is replaced without one."""
    try:
        return whole_files.read_whole(workspace, path)[0]
    except (FileNotFoundError, ToolFailed):
        return ""


WRITE = Tool("write", "write", Write, run, preview, touches=(Touch(scope="write", argument="path"),), edits=True)
