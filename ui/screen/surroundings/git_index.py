"""Whether a checkout differs from what git has of it, read off git's index: nothing that it configures is run.

See gitformat-index(5). A file counts as unchanged as long as its size and its times are those of the index; else its
content is hashed. So a filter of the repository, which would be a program, is not applied: see ui/DECISIONS.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from actors.common.small_files import read_regular

MOST_FILES = 20_000
"""Of a repository that is looked at: a look takes 0.1 s of a thread then."""
MOST_BYTES = 8_000_000
"""Of the index; and of a file whose content is compared."""
MOST_COMPARED = 50
HEADER, FIXED = 12, 62
"""Bytes: of the index; of an entry before its name, with SHA-1."""
VERSIONS = (2, 3)
"""4 leaves out what names have in common: it is for repositories that are larger than what we look at."""
ASSUMED, EXTENDED, STAGE = 0x8000, 0x4000, 0x3000
SKIPPED, INTENDED = 0x4000, 0x2000
"""Of the extended flags: outside a sparse checkout; of `git add -N`."""
TREE, STALE = b"TREE", b"\0-1 "
"""The extension with the tree that would be committed, and its beginning once something was added since the commit."""


class _Unknown(Exception):  # it never leaves this module
    """The index is of a kind that we do not read."""


class _Entry:
    __slots__ = ("changed_at", "changed_ns", "flags", "mode", "more", "name", "oid", "size")

    def __init__(self, data: bytes, at: int, name: bytes, more: int) -> None:
        fields = [int.from_bytes(data[at + offset : at + offset + 4]) for offset in (8, 12, 24, 36)]
        self.changed_at, self.changed_ns, self.mode, self.size = fields
        self.oid = data[at + 40 : at + 60]
        self.flags = int.from_bytes(data[at + 60 : at + 62])
        self.name = name
        self.more = more


def has_changes(top: Path, git: Path) -> bool | None:
    """Of files that git knows, staged or not. None: it cannot be told. top: of the checkout; git: the folder of git's
    own files."""
    try:
        data = read_regular(git / "index", MOST_BYTES)
        written = (git / "index").stat().st_mtime_ns
        entries, end = _read(data)
        return (data[end : end + 4] == TREE and data[end + 8 : end + 12] == STALE) or _differs(top, entries, written)
    except (OSError, _Unknown):
        return None


def _read(data: bytes) -> tuple[list[_Entry], int]:
    """And where its extensions begin. Raises _Unknown."""
    count = int.from_bytes(data[8:12])
    if data[:4] != b"DIRC" or int.from_bytes(data[4:8]) not in VERSIONS or count > MOST_FILES:
        raise _Unknown
    entries, at = [], HEADER
    for _ in range(count):
        flags = int.from_bytes(data[at + 60 : at + 62])
        start = at + FIXED + 2 * bool(flags & EXTENDED)
        end = data.find(b"\0", start)
        if end < 0 or (end - start != flags & 0xFFF and flags & 0xFFF != 0xFFF):  # cut off, or of SHA-256
            raise _Unknown
        more = int.from_bytes(data[start - 2 : start]) if flags & EXTENDED else 0
        entries.append(_Entry(data, at, data[start:end], more))
        at += (end - at + 8) & ~7
    return entries, at


def _differs(top: Path, entries: list[_Entry], written: int) -> bool:
    doubtful = []
    for entry, is_sure in _suspects(top, entries, written):
        if is_sure:
            return True
        doubtful.append(entry)
    return any(_content_differs(top, entry) for entry in doubtful[:MOST_COMPARED]) or len(doubtful) > MOST_COMPARED


def _suspects(top: Path, entries: list[_Entry], written: int) -> Iterator[tuple[_Entry, bool]]:
    """Those that are not as they were, and whether that is sure."""
    root = os.fsencode(top)
    for entry in entries:
        if entry.flags & STAGE or entry.more & INTENDED:
            yield entry, True
        if entry.flags & ASSUMED or entry.more & SKIPPED or not (stat.S_ISREG(entry.mode) or stat.S_ISLNK(entry.mode)):
            continue
        try:
            found = os.lstat(root + b"/" + entry.name)
        except OSError:
            yield entry, True
            continue
        if stat.S_IFMT(found.st_mode) != stat.S_IFMT(entry.mode):
            yield entry, True
        same = found.st_size & 0xFFFFFFFF == entry.size and found.st_mtime_ns == _ns(entry)
        if not same or _ns(entry) >= written:  # else it may have changed in the moment in which the index was written
            yield entry, False


def _ns(entry: _Entry) -> int:
    return entry.changed_at * 1_000_000_000 + entry.changed_ns


def _content_differs(top: Path, entry: _Entry) -> bool:
    import hashlib

    path = Path(os.fsdecode(os.fsencode(top) + b"/" + entry.name))
    try:
        if stat.S_ISLNK(entry.mode):
            data = os.fsencode(path.readlink())
        else:
            data = read_regular(path, MOST_BYTES, follow=False)
    except OSError:
        return True
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).digest() != entry.oid
