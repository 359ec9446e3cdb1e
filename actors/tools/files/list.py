"""`list`: what is in a folder, and in the folders in it."""

import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.search.ripgrep import Wanted, only_paths, search
from actors.tools.workspace.folder import Workspace

INDENT = "  "
MOST_FILES = 1_000_000


class List(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The folder, relative to the workspace.")] = "."
    depth: Annotated[
        int, msgspec.Meta(ge=1, le=limits.LIST_DEPTH, description="1: the folder; more: a tree of so many levels.")
    ] = 1
    hidden: Annotated[bool, msgspec.Meta(description="Show names that begin with a dot.")] = True
    include_ignored: Annotated[bool, msgspec.Meta(description="In a tree: open what .gitignore leaves out.")] = False


class _Look(msgspec.Struct, frozen=True):
    workspace: Workspace
    hidden: bool
    opened: frozenset[Path] | None
    """Folders that are not ignored; None: all are looked into."""


async def run(arguments: List, worker: Worker, _report: Report) -> Outcome:
    folder = worker.workspace.locate(arguments.path)
    if not folder.exists():
        raise ToolFailed(f"No such folder: {arguments.path}. Use glob to find it.")
    if not folder.is_dir():
        what = "a file. Use read." if folder.is_file() else "neither a folder nor a regular file."
        raise ToolFailed(f"{arguments.path} is {what}")
    opened = None
    if arguments.depth > 1 and not arguments.include_ignored:
        opened = await _not_ignored(worker, folder)
    look = _Look(worker.workspace, arguments.hidden, opened)
    return await trio.to_thread.run_sync(_list, look, folder, arguments.depth, abandon_on_cancel=True)


def preview(arguments: List, workspace: Workspace) -> Preview:
    return Preview(title=f"list {workspace.shown(workspace.locate(arguments.path))}")


async def _not_ignored(worker: Worker, folder: Path) -> frozenset[Path]:
    wanted = Wanted(["--files"], folder, only_paths, MOST_FILES, most_bytes=limits.LIST_SCAN_BYTES)
    found = await search(wanted, worker)
    if found.more:
        raise ToolFailed(f"{worker.workspace.shown(folder)} has too many files for a tree. List a folder in it.")
    return frozenset(above for record in found.records for above in record.path.parents)


def _list(look: _Look, folder: Path, depth: int) -> Outcome:
    lines = list(islice(_lines(look, folder, depth), limits.LIST_ENTRIES + 1))
    shown = lines[: limits.LIST_ENTRIES]
    more = len(lines) > len(shown)
    if more:
        shown.append("[there are more; list a folder in it, or use glob]")
    return Outcome("\n".join(shown) or "(empty folder)", how_many(len(lines) - more, "entry", more=more))


def _lines(look: _Look, folder: Path, depth: int, indent: str = "") -> Iterator[str]:
    for name, info in _entries(look, folder):
        path = folder / name
        if not stat.S_ISDIR(info.st_mode):
            yield f"{indent}{name}{_about(path, info)}"
            continue
        is_ignored = look.opened is not None and path not in look.opened and name != ".git" and _has_entries(path)
        yield f"{indent}{name}/{'  (ignored)' if is_ignored else ''}"
        if depth > 1 and not is_ignored and name != ".git":
            yield from _lines(look, path, depth - 1, indent + INDENT)


def _entries(look: _Look, folder: Path) -> list[tuple[str, os.stat_result]]:
    """Folders first, then by name; what may not be read is not there."""
    descriptor = look.workspace.open_folder(folder)
    try:
        with os.scandir(descriptor) as entries:
            found = [(entry.name, info) for entry in entries if (info := _info(entry)) is not None]
    finally:
        os.close(descriptor)
    seen = [
        (name, info)
        for name, info in found
        if (look.hidden or not name.startswith(".")) and look.workspace.is_readable(folder / name)
    ]
    return sorted(seen, key=lambda entry: (not stat.S_ISDIR(entry[1].st_mode), entry[0]))


def _info(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except FileNotFoundError:
        return None  # gone meanwhile


def _about(path: Path, info: os.stat_result) -> str:
    if not stat.S_ISLNK(info.st_mode):
        return f"  {how_many(info.st_size, 'byte')}"
    try:
        return f" -> {path.readlink()}"
    except OSError:
        return " -> ?"


def _has_entries(folder: Path) -> bool:
    try:
        return any(folder.iterdir())
    except OSError:
        return False


LIST = Tool("list", "read", List, run, preview, touches=(Touch(scope="read", argument="path", missing="."),))
