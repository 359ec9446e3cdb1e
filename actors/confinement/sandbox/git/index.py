"""Submodules that a git index names, read without git: asked, git would read the repository's settings and run them.

The format is gitformat-index(5), versions 2 to 4, with SHA-1 or SHA-256.
"""

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from actors.common.small_files import is_folder, read_regular
from actors.confinement.sandbox.git import repository_places
from actors.confinement.sandbox.git.folders import Finder

MOST_BYTES = 1 << 28
MOST_BELOW, MOST_LEFT_OUT = 2000, 16
"""Folders looked through for submodules in one that was left out of the working tree, and how many such are."""
GITLINK, FOLDER = (0o160000).to_bytes(4), (0o040000).to_bytes(4)
"""Modes as they stand in an index. A folder stands for all that is in it and was left out of the working tree."""
STATUS = 40
"""Bytes of an entry before its hash; the mode is among them."""
EXTENDED, LENGTH = 0x4000, 0x0FFF
"""Of an entry's flags: two more bytes of them follow; how long its path is, where it is shorter than that."""
Entry = tuple[bytes, bytes]
"""Mode and path."""


class Named(msgspec.Struct, frozen=True):
    """What an index names, there or not."""

    submodules: tuple[Path, ...] = ()
    left_out: tuple[Path, ...] = ()
    """Folders in which there may be more."""

    def there(self) -> list[Path]:
        """Those that have a repository now: git goes nowhere else."""
        some = [folder for folder in self.left_out if is_folder(folder)][:MOST_LEFT_OUT]
        below = (found for folder in some for found in Finder(folder, MOST_BELOW).tops())
        return [link for link in (*self.submodules, *below) if os.path.lexists(f"{link}/.git")]


def named(top: Path, folders: Sequence[Path]) -> Named:
    """folders: git's own, of the repository whose files are at `top`, the common one last."""
    lengths = (20, 32) if any(b"sha256" in _read(folder / "config").lower() for folder in folders) else (20,)
    shared = [_read(index) for index in repository_places.within(folders[0], "sharedindex.*")]
    texts = [text for text in (_read(folders[0] / "index"), *shared) if GITLINK in text or FOLDER in text]
    entries = [entry for text in texts for length in lengths for entry in _entries(text, length)]
    if (GITLINK, b"") in entries:  # it changes an entry of the shared index, and which one is not read here
        entries += [(GITLINK, path) for text in shared for length in lengths for _, path in _entries(text, length)]
    return Named(_inside(top, entries, GITLINK), _inside(top, entries, FOLDER))


def _inside(top: Path, entries: Iterable[Entry], wanted: bytes) -> tuple[Path, ...]:
    paths = dict.fromkeys(path for mode, path in entries if mode == wanted and path)
    return tuple(
        top / os.fsdecode(path)
        for path in paths
        if not (path.startswith(b"/") or b"\0" in path or b".." in path.split(b"/"))
    )


def _entries(text: bytes, hash_length: int) -> Iterator[Entry]:
    """As many as can be read."""
    if not text.startswith(b"DIRC"):
        return
    version, count = int.from_bytes(text[4:8]), int.from_bytes(text[8:12])
    at, path = 12, b""
    for _ in range(count):
        flags_at = at + STATUS + hash_length
        flags = int.from_bytes(text[flags_at : flags_at + 2])
        begin = flags_at + (4 if flags & EXTENDED else 2)
        if begin >= len(text):
            return
        mode = text[at + 24 : at + 28]
        if version == 4:
            strip, begin = _number(text, begin)
            end = text.find(b"\0", begin)
            path, next_at = path[: max(len(path) - strip, 0)] + text[begin:end], end + 1
        else:
            length = flags & LENGTH
            end = begin + length if length < LENGTH else text.find(b"\0", begin)
            path, next_at = text[begin:end], at + ((end - at + 8) & ~7)
        if end < 0:
            return
        yield mode, path
        at = next_at


def _number(text: bytes, at: int) -> tuple[int, int]:
    """How much the path before loses at its end, and where that number ends."""
    value, more = text[at] & 0x7F, text[at] & 0x80
    while more and at + 1 < len(text):
        at += 1
        value, more = ((value + 1) << 7) + (text[at] & 0x7F), text[at] & 0x80
    return value, at + 1


def _read(file: Path) -> bytes:
    try:
        return read_regular(file, MOST_BYTES)
    except OSError:
        return b""
