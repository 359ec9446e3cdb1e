"""`write`: a whole file, new or replaced."""

from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import files
from actors.tools.base import Arguments, Changed, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.text import diff, line_ends
from actors.tools.workspace import Workspace


class Write(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The file, relative to the workspace; its folders are made.")]
    content: Annotated[str, msgspec.Meta(description="The whole new content.")]


async def run(arguments: Write, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_write, arguments, worker.workspace)


def preview(arguments: Write, workspace: Workspace) -> Preview:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    exists = files.existing(workspace, path) is not None
    verb = "replace" if exists else "make"
    before = _before(workspace, path)
    content, _ = line_ends.kept(before, arguments.content)
    return Preview(title=f"{verb} {name}", detail=diff.unified(name, before, content))


def _write(arguments: Write, workspace: Workspace) -> Outcome:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    info = files.existing(workspace, path)
    before = _before(workspace, path)
    content, kept = line_ends.kept(before, arguments.content)
    change = diff.unified(name, before, content)
    files.replace(workspace, path, content, info)
    size = len(content.encode("utf-8", "surrogateescape"))
    changed = (Changed(path, before),)
    if info is None:
        lines = content.count("\n") + (not content.endswith("\n") and content != "")
        return Outcome(f"Made {name} ({size} bytes).", f"new, {lines} lines", diff=change, changed=changed)
    said = f" It keeps {' and '.join(kept)}, as it had before." if kept else ""
    return Outcome(f"Replaced {name} ({size} bytes).{said}", diff.counted(change), diff=change, changed=changed)


def _before(workspace: Workspace, path: Path) -> str:
    """For the diff only: a binary or huge file is replaced without one."""
    try:
        return files.read_whole(workspace, path)[0]
    except (FileNotFoundError, ToolFailed):
        return ""


WRITE = Tool("write", "write", Write, run, preview, touches=(Touch(scope="write", argument="path"),))
