"""What files were found to hold when they were read last, so that only those that have changed are read again."""

from pathlib import Path

import msgspec

from actors.checkpoints.scan import Stamp

TICK_NS = 100_000_000
"""A file that changed so shortly before it was read may change again and keep its stamp: the kernel's clock ticks."""
COARSE_NS = 2_000_000_000
"""The same where a file system keeps seconds, or two of them."""
FILE = "known"


class Ignored(msgspec.Struct, frozen=True, kw_only=True):
    """What git said, and of what that was made: the same again says the same of the same paths."""

    passed: tuple[bytes, ...] = ()
    tracked: tuple[bytes, ...] = ()
    sources: dict[str, Stamp] = {}
    """Files outside the workspace, or of git; none where they may change and keep their stamps."""
    patterns: dict[bytes, Stamp] = {}
    """.gitignore files of the workspace."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    files: dict[bytes, tuple[Stamp, str]] = {}
    """By path, of all that were there and not ignored: its state then, and the blob; "" for none."""
    ignored: Ignored = Ignored()
    stored: frozenset[str] = frozenset()
    """Blobs whose file may have changed since."""
    digest: str = ""
    """Of the latest record."""
    commit: str = ""


def load(folder: Path) -> Known:
    """Nothing, where it cannot be read: then all files are read again."""
    try:
        return msgspec.msgpack.decode((folder / FILE).read_bytes(), type=Known)
    except (OSError, msgspec.DecodeError):
        return Known()


def save(folder: Path, known: Known) -> None:
    """Raises OSError. Not made sure of: without it files are read again, and torn it is not understood."""
    new = folder / f"{FILE}.new"
    new.write_bytes(msgspec.msgpack.encode(known))
    new.replace(folder / FILE)


def forget(folder: Path) -> None:
    """Before blobs are dropped. Raises OSError."""
    (folder / FILE).unlink(missing_ok=True)


def is_settled(stamp: Stamp, began_ns: int) -> bool:
    changed = max(stamp[2:])
    coarse = any(moment % 1_000_000_000 == 0 for moment in stamp[2:])
    return changed < began_ns - (COARSE_NS if coarse else TICK_NS)
