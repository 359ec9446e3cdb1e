"""A network of its own that has only loopback, and a view of the files in which some are masked or read-only."""

import fcntl
import os
import socket
import struct
from collections.abc import Sequence
from pathlib import Path

from actors.tools import linux

KEPT_FLAGS = ((2, 2), (4, 4), (8, 8), (1024, 1024), (2048, 2048), (4096, 1 << 21))
"""statvfs flag and mount flag: a namespace without privileges may not take these off a mount."""


def enter() -> bool:
    """Into new network and mount namespaces, when this system lets us. Process of one thread only."""
    if os.geteuid() == 0:
        return _try(0)
    # where a security module forbids it, a failed attempt leaves a process without a user: try in another one first
    child = os.fork()
    if child == 0:
        os._exit(0 if _try(linux.CLONE_NEWUSER) else 1)
    return os.waitpid(child, 0)[1] == 0 and _try(linux.CLONE_NEWUSER)


def mask(path: Path, keep: Sequence[Path]) -> None:
    """Nothing is to be seen there any more, except what is to be kept. Raises OSError."""
    if path in keep:
        return
    if not path.is_dir():
        linux.mount("/dev/null", str(path), "", linux.MS_BIND)
        return
    kept = [(place, os.open(place, os.O_PATH | os.O_CLOEXEC)) for place in keep if place.is_relative_to(path)]
    nosuid_nodev = 2 | 4
    linux.mount("tmpfs", str(path), "tmpfs", nosuid_nodev, "mode=0755,size=64k")
    for place, descriptor in kept:
        place.mkdir(parents=True, exist_ok=True)
        linux.mount(f"/proc/self/fd/{descriptor}", str(place), "", linux.MS_BIND | linux.MS_REC)
        os.close(descriptor)


def make_read_only(path: Path) -> None:
    """Raises OSError."""
    linux.mount(str(path), str(path), "", linux.MS_BIND | linux.MS_REC)
    present = os.statvfs(path).f_flag
    kept = sum(flag for known, flag in KEPT_FLAGS if present & known)
    linux.mount("", str(path), "", linux.MS_REMOUNT | linux.MS_BIND | linux.MS_RDONLY | kept)


def _try(user: int) -> bool:
    uid, gid = os.geteuid(), os.getegid()
    try:
        linux.unshare(user | linux.CLONE_NEWNS | linux.CLONE_NEWNET)
        if user:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{uid} {uid} 1")
            Path("/proc/self/gid_map").write_text(f"{gid} {gid} 1")
        linux.mount("", "/", "", linux.MS_REC | linux.MS_SLAVE)
        _bring_up_loopback()
    except OSError:
        return False
    return True


def _bring_up_loopback() -> None:
    set_flags, up_and_running = 0x8914, 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sH14x", b"lo", up_and_running))
