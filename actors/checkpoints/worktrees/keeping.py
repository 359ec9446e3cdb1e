"""The work of a worktree is brought into the user's repository: objects first, read once more, then one ref.

Nothing is run there. Broken off at any point the same again completes it; what an earlier one of the same key has left
there stays in reach of the new ref.
"""

import os
import secrets
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from actors.checkpoints import open_folders
from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees import commits, kept_work, users_repository
from actors.checkpoints.worktrees.keyed_folder import Held
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import UsersRepository
from actors.checkpoints.worktrees.work import LONGEST_S, Work, opened, record_work, told
from actors.common.folders import removal
from actors.common.folders.worktree_places import GIT, Note

EXCHANGE = "exchange-"
"""Repositories for now."""
NAMES = {
    **dict.fromkeys(("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"), "Trouper"),
    **dict.fromkeys(("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"), ""),
}


def keep(held: Held, note: Note) -> str:
    """The commit that a ref in the user's repository leads to from now on; "" where there is nothing to keep.

    Raises Failed, GitFailed, OSError: nothing may be removed.
    """
    users = users_repository.at(note)
    top = held.folder / note.name
    work = record_work(held.git(users.top), top, note.base, held.among)
    if work.lost:
        raise refused(
            f"what is in {top} cannot be kept as a whole ({'; '.join(told(work.lost)[:3])}).",
            "Move that elsewhere or delete it, then remove the worktree again.",
        )
    for left in held.folder.glob(f"{EXCHANGE}*"):
        removal.remove(left)
    with tempfile.TemporaryDirectory(prefix=EXCHANGE, dir=held.folder) as folder, opened(top) as root:
        incoming = held.git(users.top, Path(folder, "incoming"), bounded=True)
        incoming.create("")
        incoming.lend(users.objects, held.folder / GIT / "objects")
        if cut := users.shallow():
            (incoming.folder / "shallow").write_bytes(cut)
        commits.take_objects(root, incoming)
        earlier = users.refs().get(held.ref, "")
        commit = _commit(incoming, work, note, held, (root, earlier))
        if commit and commit != earlier:
            _hand_over(incoming, users, commit, note.start, Path(folder, "arrived"))
            _point(users, held.ref, commit)
            _verify(held.git(users.top, Path(folder, "seen")), users, held.ref, commit)
    return commit


def _commit(git: Repository, work: Work, note: Note, held: Held, found: tuple[int, str]) -> str:
    """found: a descriptor of the copy, and what an earlier worktree of this key has left; that itself, where it is all
    the same.
    """
    root, earlier = found
    ends = commits.tips(git, note.base, root)
    if work.commit == note.base and not ends:
        return earlier if earlier and kept_work.find(git, earlier) else ""
    head = commits.head(root)
    head = head if head in ends else note.base
    parents = list(dict.fromkeys((head, *ends)))
    if earlier:
        parents = git.run("merge-base", "--independent", *parents, earlier, longest_s=LONGEST_S).decode().split()
        parents.sort(key=lambda parent: (parent != head, parent == earlier))
        if parents == [earlier] and _tree(git, earlier) == _tree(git, work.commit):
            return earlier
    said = kept_work.message(held.key, base=note.base, start=note.start, head=head)
    named = (word for parent in parents for word in ("-p", parent))
    return git.run("commit-tree", _tree(git, work.commit), *named, given=said, variables=NAMES).decode().strip()


def _tree(git: Repository, commit: str) -> str:
    return git.run("rev-parse", "--verify", f"{commit}^{{tree}}").decode().strip()


def _hand_over(incoming: Repository, users: UsersRepository, commit: str, start: str, folder: Path) -> None:
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


def _point(users: UsersRepository, ref: str, commit: str) -> None:
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


def _verify(git: Repository, users: UsersRepository, ref: str, commit: str) -> None:
    """Raises Failed unless it can be had from the user's repository alone."""
    git.create("")
    git.lend(users.objects)
    if cut := users.shallow():
        (git.folder / "shallow").write_bytes(cut)
    if users.refs().get(ref) != commit:
        raise refused(f"{ref} could not be written in {users.common}.")
    git.run("rev-list", "--objects", "--quiet", "--max-count=1", commit, longest_s=LONGEST_S)
