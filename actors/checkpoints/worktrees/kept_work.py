"""What is kept of a worktree that was removed: a commit with its files, whose message says what it began with.

Nobody but the user drops it, and no git is run in his repository for that: a hook of his would be.
"""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from actors.checkpoints.repository import GitFailed, Repository
from actors.checkpoints.worktrees import users_repository
from actors.checkpoints.worktrees.keyed_folder import Held, OfHome, name_of
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import MOST_PACKED, OID, UsersRepository
from actors.checkpoints.worktrees.work import tree
from actors.common.small_files import is_file, read_regular
from actors.messages.checkpoint import KeptWork

REFS = "refs/trouper/work/"

SAYS = re.compile(r"^Base: ([0-9a-f]{40})\nStart: ([0-9a-f]{40})\nHead: ([0-9a-f]{40})$", re.MULTILINE)


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """Commits."""

    commit: str
    """With the files as they were."""
    base: str
    start: str
    head: str
    """What its branch was at."""


def message(key: str, *, base: str, start: str, head: str) -> bytes:
    return f"Work of {key!r}, kept by Trouper\n\nBase: {base}\nStart: {start}\nHead: {head}\n".encode(errors="replace")


def find(git: Repository, commit: str) -> Kept | None:
    """None where nothing of ours is kept there, or not whole. Raises OSError."""
    if not OID.fullmatch(commit):
        return None
    try:
        said = SAYS.search(git.run("cat-file", "commit", commit).decode(errors="replace"))
        if said is None:
            return None
        base, start, head = said.groups()
        for one in (base, start, head):
            git.run("merge-base", "--is-ancestor", one, commit)
    except GitFailed:
        return None
    return Kept(commit=commit, base=base, start=start, head=head)


def listed(among: OfHome, cwd: Path) -> tuple[KeptWork, ...]:
    """Of the repository that cwd is in, the oldest first. Raises Failed, GitFailed, OSError."""
    users = users_repository.find(cwd.resolve())
    refs = users.refs()
    at = users.commit_of_head()
    with reading(among, users) as git:
        there = tree(git, at) if OID.fullmatch(at) else {}
        ours = [(ref, kept) for ref, commit in refs.items() if ref.startswith(REFS) and (kept := find(git, commit))]
        found = [_described(git, ref, kept, there) for ref, kept in ours]
    return tuple(sorted(found, key=lambda one: one.kept_at))


def drop(cwd: Path, key: str) -> str:
    """The commit that it was. Raises Failed, OSError."""
    users, ref = users_repository.find(cwd.resolve()), f"{REFS}{name_of(key)}"
    commit = users.refs().get(ref, "")
    if not commit:
        raise refused(f"nothing is kept of {key} in {users.top}.", "See: trouper worktrees kept")
    _drop_packed(users, ref)
    (users.common / ref).unlink(missing_ok=True)  # second, or an older one that was packed would be there again
    return commit


def _described(git: Repository, ref: str, kept: Kept, there: dict[bytes, tuple[str, str]]) -> KeptWork:
    before, after = tree(git, kept.base), tree(git, kept.commit)
    changed = [path for path in before.keys() | after.keys() if before.get(path) != after.get(path)]
    return KeptWork(
        key=ref.removeprefix(REFS),
        ref=ref,
        commit=kept.commit,
        kept_at=float(git.run("log", "-1", "--format=%ct", kept.commit).decode()),
        files=len(changed),
        in_head=all(there.get(path) == after.get(path) for path in changed),
    )


@contextmanager
def reading(among: OfHome, users: UsersRepository) -> Iterator[Repository]:
    """A repository of ours that sees the user's objects."""
    among.top.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".kept-", dir=among.top) as folder:
        git = Held(among, "", Path(folder)).git(users.top, Path(folder, "git"))
        git.create("")
        git.lend(users.objects)
        if cut := users.shallow():
            (git.folder / "shallow").write_bytes(cut)
        yield git


def _drop_packed(users: UsersRepository, ref: str) -> None:
    """As git does it, under its lock."""
    packed = users.common / "packed-refs"
    if not is_file(packed) or not (lines := _without(read_regular(packed, MOST_PACKED), ref)):
        return
    lock = packed.with_name("packed-refs.lock")
    try:
        descriptor = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    except FileExistsError as error:
        raise refused(f"a git is at work in {users.top}.", f"Wait for it; if there is none: rm {lock}") from error
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123
            file.write(_without(read_regular(packed, MOST_PACKED), ref) or lines)
            file.flush()
            os.fsync(descriptor)
        lock.replace(packed)
    except OSError:
        lock.unlink(missing_ok=True)
        raise


def _without(packed: bytes, ref: str) -> bytes:
    """b"" where it is not there. What is below a line of its own, such as what a tag leads to, goes with it."""
    kept, gone = [], False
    for line in packed.splitlines(keepends=True):
        below = line.startswith(b"^")
        gone = gone if below else line.rstrip(b"\n").endswith(b" " + os.fsencode(ref))
        if not gone:
            kept.append(line)
    return b"".join(kept) if len(kept) < len(packed.splitlines()) else b""
