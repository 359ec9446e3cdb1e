"""`move` and `copy`: files, folders and symlinks, never over something that is there."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.files import copies
from actors.tools.workspace.folder import Workspace

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
    with _folders(source, destination, workspace) as ends:
        try:
            os.rename(source.name, destination.name, src_dir_fd=ends.old, dst_dir_fd=ends.new)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            copies.copy(source, ends, destination.name, _checked(workspace))  # to another file system
            copies.remove(source.name, ends.old)
    return _done("Moved", source, destination, workspace)


def _copy(arguments: Copy, workspace: Workspace) -> Outcome:
    source, destination = _ends(arguments, workspace)
    with _folders(source, destination, workspace) as ends:
        copies.copy(source, ends, destination.name, _checked(workspace))
    return _done("Copied", source, destination, workspace)


@contextmanager
def _folders(source: Path, destination: Path, workspace: Workspace) -> Iterator[copies.Ends]:
    """Of those they are in: a command may swap what has their names. Raises ToolFailed, OSError."""
    with ExitStack() as stack:
        old = workspace.open_folder(source.parent)
        stack.callback(os.close, old)
        new = copies.open_made(workspace, destination.parent)
        stack.callback(os.close, new)
        yield copies.Ends(old, new)


def _checked(workspace: Workspace) -> copies.Check:
    def check(path: Path, info: os.stat_result) -> None:
        if not workspace.is_readable(path) or workspace.is_held(info):
            raise ToolFailed(f"{workspace.shown(path)} may not be read: a rule of the user denies it.")
        if not (stat.S_ISREG(info.st_mode) or stat.S_ISDIR(info.st_mode) or stat.S_ISLNK(info.st_mode)):
            raise ToolFailed(f"{workspace.shown(path)} is not a regular file.")

    return check


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
    check = _checked(workspace)
    for path, info in _everything(source):
        check(path, info)
    return source, destination


def _everything(path: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """The path and all that is below; symlinks are not followed."""
    waiting = [path]
    while waiting:
        path = waiting.pop()
        info = path.lstat()
        yield path, info
        if stat.S_ISDIR(info.st_mode):
            waiting += sorted(path.iterdir(), reverse=True)


def _done(verb: str, source: Path, destination: Path, workspace: Workspace) -> Outcome:
    said = f"{verb} {workspace.shown(source)} to {workspace.shown(destination)}.{workspace.passes(destination)}"
    return Outcome(said, f"to {workspace.shown(destination)}")


MOVE = Tool(
    "move",
    "write",
    Move,
    run_move,
    preview_move,
    touches=(Touch(scope="write", argument="source"), Touch(scope="write", argument="destination", moved_to=True)),
)
COPY = Tool(
    "copy",
    "write",
    Copy,
    run_copy,
    preview_copy,
    touches=(Touch(scope="read", argument="source"), Touch(scope="write", argument="destination")),
)
