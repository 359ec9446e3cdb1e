"""What an agent has committed in a worktree: found and read as files that may have been made to do harm.

No git is run there. Objects are copied, without following a link, into a repository of ours, which reads each of them
before anything of it is kept.
"""

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from actors.checkpoints import open_folders
from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import OID
from actors.checkpoints.worktrees.work import LONGEST_S

MOST_BYTES = 2_000_000_000
MOST_FILES = 200_000
MOST_SAID = 10_000_000
"""Bytes of one file that names commits."""
MOST_TIPS = 500
"""Of all that a log says, the latest."""
FOLDER = re.compile(rb"[0-9a-f]{2}")
LOOSE = re.compile(rb"[0-9a-f]{38}")
PACK = re.compile(rb"pack-[0-9a-f]{40}\.pack")
LOGGED = re.compile(rb"^[0-9a-f]{40} ([0-9a-f]{40}) ", re.MULTILINE)
PACKED = re.compile(rb"^([0-9a-f]{40}) ", re.MULTILINE)


def head(root: int) -> str:
    """What is checked out; "" where that cannot be told. root: a descriptor of the copy."""
    says = _read(root, b".git/HEAD").strip()
    if says.startswith(b"ref: refs/"):
        says = _read(root, b".git/" + says[5:].strip()).strip()
    found = says.decode(errors="replace")
    return found if OID.fullmatch(found) else ""


def named(root: int) -> tuple[list[str], list[str]]:
    """By refs, and by logs alone. Raises OSError."""
    refs = [_read(root, b".git/HEAD")]
    refs += [_read(root, path) for path in _files(root, b".git/refs")]
    refs += [oid + b"\n" for oid in PACKED.findall(_read(root, b".git/packed-refs"))]
    by_refs = {found for text in refs if OID.fullmatch(found := text.strip().decode(errors="replace"))}
    logs = [oid.decode() for path in _files(root, b".git/logs") for oid in LOGGED.findall(_read(root, path))]
    return sorted(by_refs), [oid for oid in dict.fromkeys(reversed(logs)) if oid not in by_refs][:MOST_TIPS]


def take_objects(root: int, into: Repository) -> None:
    """Raises Failed where there is too much, GitFailed, OSError."""
    total = 0
    for path in _files(root, b".git/objects"):
        parts = path.split(b"/")[2:]
        if len(parts) != 2:
            continue
        folder, name = parts
        is_pack = folder == b"pack" and PACK.fullmatch(name) is not None
        if not is_pack and not (FOLDER.fullmatch(folder) and LOOSE.fullmatch(name)):
            continue
        place = into.folder / "objects" / os.fsdecode(folder)
        place.mkdir(mode=0o700, exist_ok=True)
        with _opened(root, path) as descriptor:
            total += os.fstat(descriptor).st_size
            if total > MOST_BYTES:
                raise refused(f"its commits take more than {MOST_BYTES // 1_000_000_000} GB.")
            with open(descriptor, "rb", closefd=False) as source, (place / os.fsdecode(name)).open("wb") as copy:
                shutil.copyfileobj(source, copy)
        if is_pack:
            into.run("index-pack", str(place / os.fsdecode(name)), longest_s=LONGEST_S)  # its own index is not believed


def tips(git: Repository, base: str, root: int) -> list[str]:
    """Commits with what was committed since the base, none of which is in another.

    Raises Failed, GitFailed, OSError.
    """
    by_refs, by_logs = named(root)
    found = _commits(git, [*by_refs, *by_logs])
    if lacking := next((oid for oid in by_refs if oid not in found), ""):
        raise refused(f"its repository is damaged: a name in it leads to {lacking}, which is no commit.")
    if not found:
        return []
    ends = git.run("merge-base", "--independent", base, *dict.fromkeys(found.values()), longest_s=LONGEST_S)
    return [end for end in ends.decode().split() if end != base]


def _commits(git: Repository, oids: Sequence[str]) -> dict[str, str]:
    """Of each that is one, or a tag of one."""
    asked = "".join(f"{oid}^{{commit}}\n" for oid in oids).encode()
    told = git.run("cat-file", "--batch-check", given=asked, longest_s=LONGEST_S).decode().splitlines()
    answers = ((oid, line.split(" ")) for oid, line in zip(oids, told, strict=True))
    return {oid: words[0] for oid, words in answers if words[1:2] == ["commit"]}


def _files(root: int, top: bytes) -> Iterator[bytes]:
    """Regular files below a folder. Raises Failed where there are too many, OSError."""
    waiting, count = [top], 0
    while waiting:
        path = waiting.pop()
        try:
            with _opened(root, path, open_folders.FOLDER) as descriptor, os.scandir(descriptor) as listing:
                entries = list(listing)
        except OSError:
            continue  # it is not there, or no folder
        for entry in entries:
            count += 1
            if count > MOST_FILES:
                raise refused(f"its repository has more than {MOST_FILES:,} files.", "In it: git gc")
            inner = path + b"/" + os.fsencode(entry.name)
            if entry.is_dir(follow_symlinks=False):
                waiting.append(inner)
            elif entry.is_file(follow_symlinks=False):
                yield inner


def _read(root: int, path: bytes) -> bytes:
    """b"" where it cannot be read."""
    try:
        with _opened(root, path) as descriptor:
            return os.read(descriptor, MOST_SAID)
    except OSError:
        return b""


@contextmanager
def _opened(root: int, path: bytes, how: int = open_folders.FILE) -> Iterator[int]:
    """A file or folder of the copy; no link is followed. Raises OSError."""
    with open_folders.opened(root, path) as (folder, name):
        descriptor = os.open(name, how, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
