"""`move` and `copy`: files, folders and symlinks, never over something that is there."""

import errno
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.workspace import Workspace

Source = Annotated[str, msgspec.Meta(description="A file, folder or symlink, relative to the workspace.")]
Destination = Annotated[
    str, msgspec.Meta(description="Its whole new path, which must be free; the folders above are made.")
]


class Move(Arguments, frozen=True):
    source: Source
    destination: Destination


class Copy(Arguments, frozen=True):
    source: Source
    destination: Destination


async def run_move(arguments: Move, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_move, arguments, worker.workspace)


async def run_copy(arguments: Copy, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_copy, arguments, worker.workspace)


def preview_move(arguments: Move, workspace: Workspace) -> Preview:
    source, destination = _ends(arguments, workspace)
    return Preview(title=f"move {workspace.shown(source)} to {workspace.shown(destination)}")


def preview_copy(arguments: Copy, workspace: Workspace) -> Preview:
    source, destination = _ends(arguments, workspace)
    return Preview(title=f"copy {workspace.shown(source)} to {workspace.shown(destination)}")


def _move(arguments: Move, workspace: Workspace) -> Outcome:
    source, destination = _ends(arguments, workspace)
    destination.parent.mkdir(parents=True, exist_ok=True)
    try:
        source.rename(destination)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _copy_whole(source, destination)  # to another file system
        if source.is_dir() and not source.is_symlink():
            shutil.rmtree(source)
        else:
            source.unlink()
    return _done("Moved", source, destination, workspace)


def _copy(arguments: Copy, workspace: Workspace) -> Outcome:
    source, destination = _ends(arguments, workspace)
    destination.parent.mkdir(parents=True, exist_ok=True)
    _copy_whole(source, destination)
    return _done("Copied", source, destination, workspace)


def _ends(arguments: Move | Copy, workspace: Workspace) -> tuple[Path, Path]:
    """Raises ToolFailed unless all of the source may be read and the destination is free."""
    moves = isinstance(arguments, Move)
    source = workspace.locate_entry(arguments.source, change=moves)
    destination = workspace.locate_entry(arguments.destination)
    if not os.path.lexists(source):
        raise ToolFailed(f"No such file or folder: {workspace.shown(source)}. Use glob to find it.")
    if os.path.lexists(destination):
        inside = destination / source.name
        hint = f" To put it in there name {workspace.shown(inside)}." if destination.is_dir() else ""
        raise ToolFailed(f"{workspace.shown(destination)} exists already; nothing is overwritten.{hint}")
    if destination.is_relative_to(source):
        raise ToolFailed(f"{workspace.shown(destination)} is inside {workspace.shown(source)}.")
    for path, info in _everything(source):
        if not workspace.is_readable(path):
            raise ToolFailed(f"{workspace.shown(path)} may not be read: a rule of the user denies it.")
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode) or stat.S_ISLNK(info.st_mode)):
            raise ToolFailed(f"{workspace.shown(path)} is not a regular file.")
    return source, destination


def _everything(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The path and all that is below; symlinks are not followed."""
    info = path.lstat()
    yield path, info
    if stat.S_ISDIR(info.st_mode):
        for below in sorted(path.iterdir()):
            yield from _everything(below)


def _copy_whole(source: Path, destination: Path) -> None:
    """A copy that fails half-way is removed."""
    try:
        if source.is_dir() and not source.is_symlink():
            shutil.copytree(source, destination, symlinks=True)
        else:
            shutil.copy2(source, destination, follow_symlinks=False)
    except BaseException as error:
        shutil.rmtree(destination, ignore_errors=True)
        destination.unlink(missing_ok=True)
        if isinstance(error, shutil.Error):
            raise ToolFailed(f"{source.name} could not be copied: {error.args[0][0][2]}") from error
        raise


def _done(verb: str, source: Path, destination: Path, workspace: Workspace) -> Outcome:
    said = f"{verb} {workspace.shown(source)} to {workspace.shown(destination)}."
    return Outcome(said, f"to {workspace.shown(destination)}")


MOVE = Tool(
    "move",
    "write",
    Move,
    run_move,
    preview_move,
    touches=(Touch(scope="write", argument="source"), Touch(scope="write", argument="destination")),
)
COPY = Tool(
    "copy",
    "write",
    Copy,
    run_copy,
    preview_copy,
    touches=(Touch(scope="read", argument="source"), Touch(scope="write", argument="destination")),
)
