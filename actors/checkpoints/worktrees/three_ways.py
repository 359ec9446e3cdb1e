"""One file three ways: as it was, as it is in the worktree, and as it is in the workspace."""

import stat
import tempfile
from pathlib import Path

import msgspec

from actors.checkpoints.repository import Blobs, GitFailed, Repository
from actors.checkpoints.snapshot import PERMISSIONS
from actors.checkpoints.worktrees.present import Conflicting, Now
from actors.checkpoints.worktrees.work import SUBMODULE, Entry

MOST_MERGED = 20_000_000
"""Bytes of a version that is merged line by line."""
NEW_FILE, NEW_PROGRAM = 0o644, 0o755


class Result(msgspec.Struct, frozen=True):
    """What is to be there; data None: nothing."""

    mode: int
    data: bytes | None


def merge(git: Repository, blobs: Blobs, old: Entry | None, new: Entry | None, now: Now | None) -> Result | None:
    """blobs: of that repository. None: it is as it should be. Raises Conflicting, GitFailed, OSError."""
    if any(entry is not None and entry[0] == SUBMODULE for entry in (old, new)):
        raise Conflicting("it is a submodule, whose files are not merged")
    was, wanted = _content(blobs, old), _content(blobs, new)
    there = None if now is None else (now.kind, now.data)
    if there == wanted:
        return None
    if there == was:
        return Result(0, None) if wanted is None else _as_wanted(wanted, now)
    if wanted is None:
        raise Conflicting("deleted in the worktree, and changed here")
    if now is None:
        raise Conflicting("changed in the worktree, and deleted here")
    if was is None:
        raise Conflicting("new on both sides, and not the same")
    if "120000" in (was[0], wanted[0], now.kind):
        raise Conflicting("changed on both sides, and a symlink on one")
    return _both(git, was, wanted, now)


def _both(git: Repository, was: tuple[str, bytes], wanted: tuple[str, bytes], now: Now) -> Result | None:
    data = _lines(git, was[1], wanted[1], now.data)
    kind = wanted[0] if wanted[0] != was[0] else now.kind
    merged = _as_wanted((kind, data), now)
    return None if (merged.mode, data) == (now.mode & ~0o7000, now.data) else merged


def _lines(git: Repository, was: bytes, wanted: bytes, now: bytes) -> bytes:
    if now == was or wanted == now:
        return wanted
    if wanted == was:
        return now
    if _has_crlf(now) and not _has_crlf(was) and not _has_crlf(wanted):  # git has checked it out so
        was, wanted = was.replace(b"\n", b"\r\n"), wanted.replace(b"\n", b"\r\n")
        if now == was or wanted == now:
            return wanted
    if any(b"\0" in version or len(version) > MOST_MERGED for version in (was, wanted, now)):
        raise Conflicting("changed on both sides, and binary")
    with tempfile.TemporaryDirectory(dir=git.folder, prefix="merge-") as folder:
        names = [Path(folder, name) for name in ("workspace", "base", "worktree")]
        for path, data in zip(names, (now, was, wanted), strict=True):
            path.write_bytes(data)
        try:
            return git.run("merge-file", "-p", "-q", "--diff3", *map(str, names))
        except GitFailed as error:
            raise Conflicting("changed on both sides, in the same lines") from error


def _as_wanted(wanted: tuple[str, bytes], now: Now | None) -> Result:
    """Permissions of the workspace stay, but for running it."""
    kind, data = wanted
    if kind == "120000":
        return Result(stat.S_IFLNK, data)
    runs = kind == "100755"
    if now is None or now.is_link:
        return Result(stat.S_IFREG | (NEW_PROGRAM if runs else NEW_FILE), data)
    mode = now.mode & PERMISSIONS
    readable = (mode & 0o444) >> 2
    if runs != bool(mode & stat.S_IXUSR):
        mode = mode | readable if runs else mode & ~0o111
    return Result(stat.S_IFREG | mode, data)


def _content(blobs: Blobs, entry: Entry | None) -> tuple[str, bytes] | None:
    if entry is None:
        return None
    return entry[0], blobs.read(entry[1])


def _has_crlf(data: bytes) -> bool:
    return b"\r\n" in data
