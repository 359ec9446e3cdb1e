"""Namespaces of a worker's own: a network that has only loopback, and a view of the files with masks in it."""

import contextlib
import fcntl
import os
import secrets
import socket
import stat
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from actors.confinement.sandbox.kernel import system_calls
from actors.confinement.sandbox.view import mounts

KEPT_FLAGS = ((2, 2), (4, 4), (8, 8), (1024, 1024), (2048, 2048), (4096, 1 << 21))
"""statvfs flag and mount flag: a namespace without privileges may not take these off a mount."""
READ_ONLY_MOUNT = 1
"""statvfs flag."""
NOSUID_NODEV = 2 | 4


def enter(*, network: bool) -> bool:
    """Into a new mount namespace, and network namespace where there is to be none, when this system lets us.

    Process of one thread only.
    """
    wanted = system_calls.CLONE_NEWNS if network else system_calls.CLONE_NEWNS | system_calls.CLONE_NEWNET
    if os.geteuid() == 0:
        return _try(wanted)
    # where a security module forbids it, a failed attempt leaves a process without a user: try in another one first
    child = os.fork()
    if child == 0:
        os._exit(0 if _try(wanted | system_calls.CLONE_NEWUSER) else 1)
    return os.waitpid(child, 0)[1] == 0 and _try(wanted | system_calls.CLONE_NEWUSER)


def leave_network() -> None:
    """This thread, and what it starts from here on. Raises OSError."""
    system_calls.unshare(system_calls.CLONE_NEWNET)
    _bring_up_loopback()


def mask(path: Path, keep: Sequence[Path], options: str = "mode=0755,size=64k") -> None:
    """Nothing is to be seen there any more, except what is to be kept. options: of tmpfs. Raises OSError."""
    if path in keep or not path.exists():  # it lies in something that is masked already
        return
    if not path.is_dir():
        system_calls.mount("/dev/null", str(path), "", system_calls.MS_BIND)
        return
    kept = _hold(path, keep)
    system_calls.mount("tmpfs", str(path), "tmpfs", NOSUID_NODEV, options)
    _put_back(path, kept)


def cover(path: Path, source: Path, keep: Sequence[Path]) -> None:
    """`source` is to be seen there instead, with what is to be kept in it. Raises OSError."""
    if path in keep:
        return
    kept = _hold(path, keep)
    system_calls.mount(str(source), str(path), "", system_calls.MS_BIND)
    _put_back(path, kept)


def make_own_mount(path: Path) -> None:
    """So that it can be neither renamed nor made read-only together with what it lies in. Raises OSError."""
    system_calls.mount(str(path), str(path), "", system_calls.MS_BIND | system_calls.MS_REC)


def make_read_only(path: Path) -> None:
    """Raises OSError."""
    make_own_mount(path)
    kept = sum(flag for known, flag in KEPT_FLAGS if os.statvfs(path).f_flag & known)
    system_calls.mount(
        "", str(path), "", system_calls.MS_REMOUNT | system_calls.MS_BIND | system_calls.MS_RDONLY | kept
    )


def make_all_read_only_but(trees: Sequence[Path], alone: Sequence[Path], hidden: Sequence[Path]) -> None:
    """trees: with all that is mounted in them, but for what is hidden; alone: without. Raises OSError."""
    system_calls.mount(
        "", "/", "", system_calls.MS_REC | system_calls.MS_PRIVATE
    )  # what is mounted outside later would be writable here
    spared = [path for path in _mounts() if path in alone or (_is_below(path, trees) and not _is_below(path, hidden))]
    spared = [path for path in spared if not os.statvfs(path).f_flag & READ_ONLY_MOUNT]
    system_calls.set_attributes("/", system_calls.MOUNT_ATTR_RDONLY, with_all_below=True)
    for path in spared:
        system_calls.set_attributes(str(path), 0, system_calls.MOUNT_ATTR_RDONLY)


def _mounts() -> list[Path]:
    """Where something is mounted that can be reached, each once."""
    places = sorted({mount.place for mount in mounts.listed()})
    return [path for path in map(Path, places) if path.exists()]


def _is_below(path: Path, tops: Iterable[Path]) -> bool:
    return any(path.is_relative_to(top) for top in tops)


def _hold(path: Path, keep: Sequence[Path]) -> list[tuple[Path, int, bool]]:
    """What is to be kept in it: where, a descriptor, and whether it is a folder."""
    inside = [place for place in sorted(set(keep)) if place.is_relative_to(path)]
    outermost = [
        place for place in inside if not any(place != other and place.is_relative_to(other) for other in inside)
    ]
    return [(place, os.open(place, os.O_PATH | os.O_CLOEXEC), place.is_dir()) for place in outermost]


def _put_back(top: Path, kept: Iterable[tuple[Path, int, bool]]) -> None:
    """top: what has just been covered. No link is followed: commands of an earlier worker may have left some."""
    fixed: set[Path] = set()  # once each: a second mount would carry all that is in the first one again
    for place, descriptor, is_folder in kept:
        at, path = os.open(top, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC), top
        for name in place.parent.relative_to(top).parts:
            path = path / name
            if path not in fixed:
                fixed.add(path)
                _fix(name, at)
            at = _entered(name, at, is_folder=True)
        at = _entered(place.name, at, is_folder=is_folder)
        system_calls.mount(
            f"/proc/self/fd/{descriptor}", f"/proc/self/fd/{at}", "", system_calls.MS_BIND | system_calls.MS_REC
        )
        os.close(at)
        os.close(descriptor)


def _fix(name: str, above: int) -> None:
    """A folder on the way to a place that is put back: commands cannot rename it, and the place with it."""
    folder = _entered(name, os.dup(above), is_folder=True)
    system_calls.mount(
        f"/proc/self/fd/{folder}", f"/proc/self/fd/{folder}", "", system_calls.MS_BIND | system_calls.MS_REC
    )
    os.close(folder)


def _entered(name: str, above: int, *, is_folder: bool) -> int:
    """A descriptor of the folder or file of that name, made where there is none; what else is there is moved aside."""
    path_only = os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC
    wanted = stat.S_IFDIR if is_folder else stat.S_IFREG
    with contextlib.suppress(FileNotFoundError):
        if stat.S_IFMT(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode) != wanted:
            os.rename(name, f".{secrets.token_hex(8)}", src_dir_fd=above, dst_dir_fd=above)
    with contextlib.suppress(FileExistsError):
        if is_folder:
            os.mkdir(name, dir_fd=above)
        else:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, dir_fd=above))
    found = os.open(name, path_only | (os.O_DIRECTORY if is_folder else 0), dir_fd=above)
    os.close(above)
    return found


def _try(wanted: int) -> bool:
    uid, gid = os.geteuid(), os.getegid()
    try:
        system_calls.unshare(wanted)
        if wanted & system_calls.CLONE_NEWUSER:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        system_calls.mount("", "/", "", system_calls.MS_REC | system_calls.MS_SLAVE)
        if wanted & system_calls.CLONE_NEWNET:
            _bring_up_loopback()
    except OSError:
        return False
    return True


def _bring_up_loopback() -> None:
    set_flags, up_and_running = 0x8914, 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", up_and_running))
