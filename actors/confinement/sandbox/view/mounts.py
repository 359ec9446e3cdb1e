"""What is mounted where; and by which other paths something is reached, where its file system is mounted twice."""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

INFO = Path("/proc/self/mountinfo")
"""https://man7.org/linux/man-pages/man5/proc_pid_mountinfo.5.html: device, root and place are fields 3 to 5."""

OF_ENGINES = frozenset({"/etc/hosts", "/etc/hostname", "/etc/resolv.conf"})
"""Container engines mount these out of folders of their own, which may be in a home; without them no name is found."""


class Mount(NamedTuple):
    device: str
    """Of its file system."""
    root: str
    """The folder or file of the file system that is to be seen."""
    place: str
    """Where."""


def listed() -> list[Mount]:
    """In the order in which they were mounted; none where the system does not tell."""
    try:
        lines = INFO.read_text(errors="surrogateescape").splitlines()
    except OSError:
        return []
    return [Mount(*map(_plain, line.split(" ")[2:5])) for line in lines]


def everywhere(paths: Iterable[Path]) -> list[Path]:
    """These, and all other paths that show the same, or a part of it. paths: absolute, symlinks resolved, there."""
    mounts = listed()
    found: dict[Path, None] = {}
    for path in paths:
        found[path] = None
        found.update(dict.fromkeys(Path(other) for other in _others(str(path), mounts) if os.path.lexists(other)))
    return list(found)


def _others(path: str, mounts: list[Mount]) -> Iterable[str]:
    around = (mount for mount in reversed(mounts) if _below(path, mount.place) is not None)
    mine = max(around, key=_depth, default=None)  # the last of those at one place
    if mine is None:
        return
    inside = _joined(mine.root, _below(path, mine.place) or "")
    for mount in mounts:
        if mount.device != mine.device:
            continue
        if (below := _below(inside, mount.root)) is not None:
            other = _joined(mount.place, below)
            if other != path and _is_same(other, path):
                yield other
        elif _below(mount.root, inside) is not None and _below(mount.place, path) is None:
            yield from {mount.place} - OF_ENGINES


def _depth(mount: Mount) -> int:
    return len(mount.place)


def _below(path: str, top: str) -> str | None:
    """What comes after the top; None: it is not below it."""
    if path == top:
        return ""
    start = top.rstrip("/") + "/"
    return path.removeprefix(start) if path.startswith(start) else None


def _joined(top: str, below: str) -> str:
    return f"{top.rstrip('/')}/{below}" if below else top


def _is_same(one: str, other: str) -> bool:
    """Something else may be mounted above it."""
    try:
        return Path(one).samefile(other)
    except OSError:
        return False


def _plain(field: str) -> str:
    return re.sub(r"\\(\d{3})", lambda octal: chr(int(octal[1], 8)), field)


def is_read_only(path: Path) -> bool:
    """Not, where it is not there."""
    try:
        return bool(os.statvfs(path).f_flag & os.ST_RDONLY)
    except OSError:
        return False
