"""Whole files in and out: read for an edit, replaced atomically, compared for the user."""

import contextlib
import os
import secrets
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.tools import limits
from actors.tools.workspace.folder import Workspace


def read_whole(workspace: Workspace, path: Path) -> tuple[str, os.stat_result]:
    """Bytes that are not UTF-8 survive a round trip as surrogates. Raises ToolFailed, OSError."""
    with os.fdopen(workspace.open_file(path), "rb") as file:
        info = os.fstat(file.fileno())
        if info.st_size > limits.EDIT_BYTES:
            raise ToolFailed(
                f"{workspace.shown(path)} is too big ({how_many(info.st_size, 'byte')}) to be edited. Use bash."
            )
        data = file.read(limits.EDIT_BYTES + 1)
    if b"\0" in data[: limits.SNIFF_BYTES]:
        raise ToolFailed(f"{workspace.shown(path)} is a binary file. Use bash, or move, copy and delete.")
    return data.decode("utf-8", "surrogateescape"), info


def replace(workspace: Workspace, path: Path, text: str, before: os.stat_result | None) -> None:
    """All or nothing: a new file takes the place of the old one, with its mode and owner. Makes the folders above."""
    with staged(workspace, path, text, before) as put:
        put()


@contextlib.contextmanager
def staged(workspace: Workspace, path: Path, text: str, like: os.stat_result | None) -> Iterator[Callable[[], None]]:
    """The new file waits beside its place until what is yielded is called; without that nothing is left of it."""
    made = _make_folders(path.parent)
    folder = workspace.open_folder(path.parent)
    name = f".{path.name[:100]}.{secrets.token_hex(6)}.tmp"
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(name, flags, 0o666, dir_fd=folder), "wb") as file:
            if like is not None:
                _dress(file.fileno(), like)
            file.write(text.encode("utf-8", "surrogateescape"))
            file.flush()
            info = os.fstat(file.fileno())

        def put() -> None:
            os.replace(name, path.name, src_dir_fd=folder, dst_dir_fd=folder)
            workspace.sight.note(path, info)
            workspace.made.note(path, info.st_ino, like)

        yield put
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=folder)
        os.close(folder)
        for empty in made:
            with contextlib.suppress(OSError):  # it has the file now
                empty.rmdir()


def remove(workspace: Workspace, path: Path) -> None:
    folder = workspace.open_folder(path.parent)
    try:
        os.unlink(path.name, dir_fd=folder)
    finally:
        os.close(folder)


def check_unchanged(workspace: Workspace, path: Path, info: os.stat_result, verb: str = "edit") -> None:
    """verb: what is to be done with it. Raises ToolFailed: what is there is not what was read."""
    if workspace.sight.has_changed(path, info):
        raise ToolFailed(f"{workspace.shown(path)} changed on disk since you read it. Read it again, then {verb}.")


def existing(workspace: Workspace, path: Path) -> os.stat_result | None:
    """What a write would replace. Raises ToolFailed when that cannot be replaced."""
    try:
        info = path.lstat()
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(info.st_mode):
        raise ToolFailed(f"{workspace.shown(path)} is a folder.")
    if not stat.S_ISREG(info.st_mode):
        raise ToolFailed(f"{workspace.shown(path)} is not a regular file.")
    if not os.access(path, os.W_OK):
        raise ToolFailed(f"{workspace.shown(path)} is read-only. Make it writable first (chmod +w) if that is meant.")
    return info


def _dress(descriptor: int, before: os.stat_result) -> None:
    if (os.geteuid(), os.getegid()) != (before.st_uid, before.st_gid):
        with contextlib.suppress(PermissionError):  # only root may give a file away
            os.fchown(descriptor, before.st_uid, before.st_gid)
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))


def _make_folders(folder: Path) -> list[Path]:
    """Those that had to be made, the deepest first."""
    missing = [folder, *folder.parents]
    missing = missing[: next(index for index, each in enumerate(missing) if os.path.lexists(each))]
    folder.mkdir(parents=True, exist_ok=True)
    return missing
