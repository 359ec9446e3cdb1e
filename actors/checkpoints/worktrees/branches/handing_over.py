"""What is new goes into the user's repository: objects first, read once more, then one ref. Nothing is run there."""

import os
import secrets
import shutil
from contextlib import suppress
from pathlib import Path

from actors.checkpoints import open_folders
from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import UsersRepository
from actors.checkpoints.worktrees.work import LONGEST_S, opened

NAMES = {
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Trouper"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), ""),
}
"""Of commits that are ours."""


def hand_over(incoming: Repository, users: UsersRepository, commit: str, start: str, folder: Path) -> None:
    """What is new, as one pack, every object of which was read and found whole by a repository without the others."""
    folder.mkdir()
    wanted = f"{commit}\n^{start}\n".encode()
    told = incoming.run("pack-objects", "--revs", "-q", str(folder / "pack"), given=wanted, longest_s=LONGEST_S)
    name = f"pack-{told.decode().strip()}"
    arrived = incoming.another(folder / "git")
    arrived.lend(users.objects)
    if cut := users.shallow():
        (arrived.folder / "shallow").write_bytes(cut)
    arrived.run("index-pack", "--strict", str(folder / f"{name}.pack"), longest_s=LONGEST_S)
    with opened(users.objects) as objects:
        with suppress(FileExistsError):
            os.mkdir("pack", dir_fd=objects)
        target = os.open("pack", open_folders.FOLDER, dir_fd=objects)
        try:
            for suffix in (".pack", ".idx"):  # with its index, what is in a pack is there
                _put(folder / f"{name}{suffix}", target, f"{name}{suffix}")
            os.fsync(target)
        finally:
            os.close(target)


def _put(file: Path, folder: int, name: str) -> None:
    """Another name first, by which git knows what is left over."""
    temporary = f"tmp_{name[:5]}{secrets.token_hex(8)}"
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o444, dir_fd=folder)
    with open(descriptor, "wb") as copy, file.open("rb") as source:  # noqa: PTH123
        shutil.copyfileobj(source, copy)
        copy.flush()
        os.fsync(descriptor)
    os.replace(temporary, name, src_dir_fd=folder, dst_dir_fd=folder)


def point(users: UsersRepository, ref: str, commit: str) -> None:
    """As git does it, but for its lock: nobody else has refs of this name, and names with a dot are not read."""
    *folders, name = ref.split("/")
    at = os.open(users.common, open_folders.FOLDER)
    try:
        for each in folders:
            with suppress(FileExistsError):
                os.mkdir(each, dir_fd=at)
            inner = os.open(each, open_folders.FOLDER, dir_fd=at)
            os.close(at)
            at = inner
        temporary = f".{secrets.token_hex(8)}"
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666, dir_fd=at)
        with open(descriptor, "wb") as file:  # noqa: PTH123
            file.write(f"{commit}\n".encode())
            file.flush()
            os.fsync(descriptor)
        os.replace(temporary, name, src_dir_fd=at, dst_dir_fd=at)
        os.fsync(at)
    finally:
        os.close(at)


def verify(git: Repository, users: UsersRepository, ref: str, commit: str) -> None:
    """Raises Failed unless it can be had from the user's repository alone."""
    git.create("")
    git.lend(users.objects)
    if cut := users.shallow():
        (git.folder / "shallow").write_bytes(cut)
    if users.refs().get(ref) != commit:
        raise refused(f"{ref} could not be written in {users.common}.")
    git.run("rev-list", "--objects", "--quiet", "--max-count=1", commit, longest_s=LONGEST_S)
