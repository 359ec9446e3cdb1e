"""`delete` and `make_dir`."""

import os
import shutil
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
from actors.tools.workspace.folder import Workspace


class Delete(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="A file, symlink or folder, relative to the workspace.")]
    recursive: Annotated[bool, msgspec.Meta(description="Needed for a folder that is not empty.")] = False


class MakeDir(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="The folder, relative to the workspace; those above are made, too.")]


async def run_delete(arguments: Delete, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_delete, arguments, worker.workspace)


async def run_make_dir(arguments: MakeDir, worker: Worker, _report: Report) -> Outcome:
    return await trio.to_thread.run_sync(_make, arguments, worker.workspace)


def preview_delete(arguments: Delete, workspace: Workspace) -> Preview:
    path = _condemned(arguments, workspace)
    return Preview(title=f"delete {_what(path, workspace)}", detail="\n".join(_inside(path, workspace)))


def preview_make_dir(arguments: MakeDir, workspace: Workspace) -> Preview:
    return Preview(title=f"make the folder {workspace.shown(workspace.locate_for_writing(arguments.path))}")


def _delete(arguments: Delete, workspace: Workspace) -> Outcome:
    path = _condemned(arguments, workspace)
    what = _what(path, workspace)
    if not _is_folder(path):
        path.unlink()
    elif arguments.recursive:
        shutil.rmtree(path)
    else:
        path.rmdir()
    return Outcome(f"Deleted {what}.", f"deleted {what}")


def _condemned(arguments: Delete, workspace: Workspace) -> Path:
    path = workspace.locate_condemned(arguments.path)
    if not os.path.lexists(path):
        raise ToolFailed(f"No such file or folder: {workspace.shown(path)}. Use glob to find it.")
    if _is_folder(path) and not arguments.recursive and any(path.iterdir()):
        raise ToolFailed(f"{workspace.shown(path)} is a folder and not empty. Set recursive if all of it is meant.")
    return path


def _what(path: Path, workspace: Workspace) -> str:
    if not _is_folder(path):
        return workspace.shown(path)
    files = sum(1 for _ in islice(_files(path), limits.COUNTED_FILES))
    return f"{workspace.shown(path)}/ with {how_many(files, 'file', more=files == limits.COUNTED_FILES)}"


def _inside(path: Path, workspace: Workspace) -> list[str]:
    if not _is_folder(path):
        return []
    files = list(islice(_files(path), limits.DELETE_NAMED + 1))
    return [*map(workspace.shown, files[: limits.DELETE_NAMED]), *(["..."] if len(files) > limits.DELETE_NAMED else [])]


def _files(folder: Path) -> Iterator[Path]:
    waiting = [folder]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
        yield from (path for path in (Path(entry.path) for entry in listed) if not path.is_dir())
        waiting += [Path(entry.path) for entry in reversed(listed) if entry.is_dir(follow_symlinks=False)]


def _is_folder(path: Path) -> bool:
    return stat.S_ISDIR(path.lstat().st_mode)


def _make(arguments: MakeDir, workspace: Workspace) -> Outcome:
    path = workspace.locate_for_writing(arguments.path)
    name = workspace.shown(path)
    if path.is_dir():
        return Outcome(f"{name}/ was there already.", "there already")
    if path.exists():
        raise ToolFailed(f"{name} is a file. Choose another name.")
    path.mkdir(parents=True)
    return Outcome(f"Made {name}/.", "made")


DELETE = Tool(
    "delete",
    "write",
    Delete,
    run_delete,
    preview_delete,
    touches=(Touch(scope="delete", argument="path"),),
)
MAKE_DIR = Tool(
    "make_dir", "write", MakeDir, run_make_dir, preview_make_dir, touches=(Touch(scope="write", argument="path"),)
)
