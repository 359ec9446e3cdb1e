"""Whether a record from elsewhere may be brought back here: nothing of it lies outside of a workspace, or is not its.

Whoever has made it may have written it by hand, so what our own records never hold is looked for: pure.
"""

from collections.abc import Iterable, Iterator

from actors.checkpoints.scan import DEEPEST, OURS
from actors.checkpoints.snapshot import PERMISSIONS, Snapshot, above, for_people

LONGEST_LINK = 4095
"""Bytes: PATH_MAX of Linux."""
UNSEEN = dict.fromkeys(
    (0x200C, 0x200D, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF),
)
"""Some file systems take a name with them for the one without, as git knows (core.protectHFS)."""


def objection(snapshot: Snapshot, closed: Iterable[bytes]) -> str:
    """What is wrong with it; "" for nothing. closed: folders of the workspace that no record reaches into."""
    details = snapshot.details
    barred = {_folded(folder) for folder in (OURS, *closed)}
    for path in _paths(snapshot.files, details.modes, details.folders, details.made):
        if _is_bad(path) or any(_folded(path + b"/").startswith(folder) for folder in barred):
            return f"it names {for_people(path[:200])!r}"
    for path in _paths(details.left_out, details.passed):
        if _is_bad(path):
            return f"it names {for_people(path[:200])!r}"
    if any(not 0 <= mode <= PERMISSIONS for mode in (*details.modes.values(), *details.folders.values())):
        return "it has a mode that is none"
    return _doubled(snapshot)


def link_objection(target: bytes) -> str:
    return "it has a symlink that is none" if not 0 < len(target) <= LONGEST_LINK or b"\0" in target else ""


def _paths(*kinds: Iterable[bytes]) -> Iterator[bytes]:
    """Without a slash at their ends."""
    return (path.removesuffix(b"/") for kind in kinds for path in kind)


def _is_bad(path: bytes) -> bool:
    """It leads out, or into what belongs to git."""
    parts = path.split(b"/")
    return b"\0" in path or len(parts) > DEEPEST + 2 or any(_is_bad_name(part) for part in parts)


def _is_bad_name(name: bytes) -> bool:
    return name in (b"", b".", b"..") or _folded(name) == b".git"


def _folded(path: bytes) -> bytes:
    """The same for names that a file system without letter case takes for one."""
    return path.decode(errors="surrogateescape").translate(UNSEEN).casefold().encode(errors="surrogateescape")


def _doubled(snapshot: Snapshot) -> str:
    """A file that something lies in would have to be a folder, too, or a link to one."""
    files, folders = snapshot.files, snapshot.details.folders
    for path in (*files, *folders):
        if any(over[:-1] in files for over in above(path)) or (path.endswith(b"/") and path[:-1] in files):
            return f"{for_people(path[:200])!r} is in what is no folder"
    return ""
