"""What was changed in a folder since a commit, as a commit of ours: read by our own scan, so nothing there is run."""

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from actors.checkpoints import known_files, open_folders
from actors.checkpoints.ignored import Patterns
from actors.checkpoints.recording import Place, Recorded, Wanted, record
from actors.checkpoints.repository import GitFailed, Import, Repository
from actors.checkpoints.snapshot import above, for_people
from actors.checkpoints.worktrees.keyed_folder import OfHome

Entry = tuple[str, str]
"""As git writes it: mode and id."""
Changes = dict[bytes, Entry | None]
"""By path; None: it is gone."""
SUBMODULE = "160000"
SHARE = 16
"""So many times the limits of a workspace that is looked at before each turn hold for a copy."""
LARGEST = 2_000_000_000
"""Bytes of one file."""
LONGEST_S = 600.0
"""For one command that goes through all files."""
FILES_REF, WORK_REF = "refs/previews/files", "refs/previews/work"


class Work(msgspec.Struct, frozen=True, kw_only=True):
    commit: str
    """The base itself where nothing is changed."""
    before: dict[bytes, Entry]
    changes: Changes
    lost: dict[bytes, str]
    """What is there and could not be recorded, and why; of such a file the base's version stays."""

    @property
    def id(self) -> str:
        """The same for the same changes, whenever they are read."""
        each = [(path, self.before.get(path), entry) for path, entry in sorted(self.changes.items())]
        return hashlib.sha256(msgspec.msgpack.encode(each)).hexdigest()


def tree(git: Repository, commit: str) -> dict[bytes, Entry]:
    """All files and submodules of a commit. Raises GitFailed, OSError."""
    listed = git.run("ls-tree", "-r", "-z", "--full-tree", commit, longest_s=LONGEST_S)
    entries = {}
    for line in listed.split(b"\0")[:-1]:
        about, _, path = line.partition(b"\t")
        mode, _, oid = about.decode().split(" ")
        entries[path] = (mode, oid)
    return entries


def record_work(git: Repository, top: Path, base: str, among: OfHome) -> Work:
    """git: one of ours that can read the base and gets what is new. Raises Failed, GitFailed, OSError."""
    for ref in (FILES_REF, WORK_REF):  # of a git that was killed: who asks has the worktree for itself
        (git.folder / f"{ref}.lock").unlink(missing_ok=True)
    before = tree(git, base)
    with opened(top) as root:
        patterns = Patterns(git, top, among.environ)
        files = [path for path, (mode, _) in before.items() if mode != SUBMODULE]
        place = Place(root, git, patterns, among.home.stat())
        recorded = _recorded(place, Wanted(FILES_REF, also=files, share=SHARE))
        now = {path: (file.git_mode, file.oid) for path, file in recorded.snapshot.files.items()}
        lost: dict[bytes, str] = {}
        for path, why in recorded.snapshot.details.left_out.items():
            entry = _large(git, root, path)
            if entry is None:
                lost[path] = why
            else:
                now[path] = entry
    lost |= {path: "it is a repository of its own" for path in recorded.repositories if path[:-1] not in before}
    lost |= {path: "it is git's own" for path in now if _is_gits(path)}
    changes = _changes(before, {path: entry for path, entry in now.items() if path not in lost}, lost)
    if not changes:
        return Work(commit=base, before=before, changes={}, lost=lost)
    with Import(git) as into:
        into.change(WORK_REF, base, changes)
        into.finish()
    return Work(commit=git.commit_of(WORK_REF), before=before, changes=changes, lost=lost)


def told(lost: Mapping[bytes, str]) -> tuple[str, ...]:
    """For people."""
    return tuple(f"{for_people(path)}: {why}" for path, why in sorted(lost.items()))


def is_all(top: Path, work: Work) -> bool:
    """Nothing else is in the folder that would go with it, such as what git ignores."""
    gone = {path for path, entry in work.changes.items() if entry is None}
    known = (work.before.keys() | work.changes.keys()) - gone
    root = os.fsencode(top)
    for folder, folders, names in os.walk(root):
        if folder == root:
            folders[:] = [name for name in folders if name != b".git"]
        links = (name for name in folders if os.path.islink(os.path.join(folder, name)))  # noqa: PTH114, PTH118  # bytes
        paths = (os.path.relpath(os.path.join(folder, name), root) for name in (*names, *links))  # noqa: PTH118
        if any(path not in known for path in paths):
            return False
    return not work.lost


def _recorded(place: Place, wanted: Wanted) -> Recorded:
    try:
        return record(place, wanted)
    except GitFailed:
        known_files.forget(place.repository.folder)  # it may name what is not there any more
        return record(place, wanted)


def _changes(before: Mapping[bytes, Entry], now: Mapping[bytes, Entry], lost: Mapping[bytes, str]) -> Changes:
    changes: Changes = {path: entry for path, entry in now.items() if before.get(path) != entry}
    for path, (mode, _) in before.items():
        unknown = path in lost or any(folder in lost for folder in above(path))
        if path not in now and mode != SUBMODULE and not unknown:
            changes[path] = None
    return changes


def _large(git: Repository, root: int, path: bytes) -> Entry | None:
    """None: it is no file that could be read."""
    if path.endswith(b"/"):
        return None
    try:
        with open_folders.opened(root, path) as (folder, name):
            descriptor = os.open(name, open_folders.FILE, dir_fd=folder)
    except OSError:
        return None
    try:
        info = os.fstat(descriptor)
        if not stat.S_ISREG(info.st_mode) or info.st_size > LARGEST:
            return None
        oid = git.run("hash-object", "-w", "--stdin", given=descriptor, longest_s=LONGEST_S)
    finally:
        os.close(descriptor)
    return ("100755" if info.st_mode & stat.S_IXUSR else "100644", oid.decode().strip())


def _is_gits(path: bytes) -> bool:
    return b".git" in path.lower().split(b"/")


@contextmanager
def opened(top: Path) -> Iterator[int]:
    """A descriptor of a folder. Raises OSError."""
    root = os.open(top, open_folders.FOLDER)
    try:
        yield root
    finally:
        os.close(root)
