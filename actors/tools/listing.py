"""`list`: what is in one folder."""

import os
import stat
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.workspace import Workspace


class List(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The folder, relative to the workspace.")] = "."


async def run(arguments: List, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_list, arguments, worker.workspace, abandon_on_cancel=True)


def preview(arguments: List, workspace: Workspace) -> Preview:
    return Preview(title=f"list {workspace.shown(workspace.locate(arguments.path))}")


def _list(arguments: List, workspace: Workspace) -> Outcome:
    folder = workspace.locate(arguments.path)
    if not folder.exists():
        raise ToolFailed(f"No such folder: {arguments.path}. Use glob to find it.")
    if not folder.is_dir():
        raise ToolFailed(f"{arguments.path} is a file. Use read.")
    descriptor = workspace.open_folder(folder)
    try:
        with os.scandir(descriptor) as entries:
            listed = sorted(line for entry in entries if (line := _line(entry, folder)))
    finally:
        os.close(descriptor)
    shown = [line for _, _, line in listed[: limits.LIST_ENTRIES]]
    if len(listed) > len(shown):
        shown.append(f"[{len(listed) - len(shown)} more entries; narrow it down with glob]")
    return Outcome("\n".join(shown) or "(empty folder)", f"{len(listed)} entries")


def _line(entry: os.DirEntry[str], folder: Path) -> tuple[bool, str, str] | None:
    """Folders come first, then by name. None: it is gone meanwhile."""
    try:
        info = entry.stat(follow_symlinks=False)
        if stat.S_ISLNK(info.st_mode):
            return (True, entry.name, f"{entry.name} -> {(folder / entry.name).readlink()}")
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(info.st_mode):
        return (False, entry.name, f"{entry.name}/")
    return (True, entry.name, f"{entry.name}  {info.st_size} bytes")


LIST = Tool("list", "read", List, run, preview)
