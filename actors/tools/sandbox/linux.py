"""System calls that Python does not offer, by ctypes. Everything raises OSError; Linux only."""

import ctypes
import os
from collections.abc import Iterable

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_SET_NAME = 15
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_SET_SECCOMP = 22

CLONE_NEWNS = 0x0002_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWNET = 0x4000_0000

MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY = 1

MS_RDONLY = 1
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_PRIVATE = 1 << 18
MS_SLAVE = 1 << 19

_libc = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, first: int | bytes | ctypes.c_void_p = 0, second: int | ctypes.c_void_p = 0) -> None:
    _checked(_libc.prctl(option, _long(first), _long(second), ctypes.c_ulong(0), ctypes.c_ulong(0)))


def syscall(number: int, *arguments: int | ctypes.c_void_p) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *(_long(argument) for argument in arguments)))


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags))


def keep_capabilities(kept: Iterable[int]) -> None:
    """Of this process: all others are given up for good. capset(2), version 3: two words of 32 for each set."""
    bits = sum(1 << capability for capability in kept)
    low, high = bits & 0xFFFF_FFFF, bits >> 32
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)
    sets = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)  # effective, permitted, inheritable
    _checked(_libc.capset(header, sets))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()))


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("spread", ctypes.c_uint64),
        ("user", ctypes.c_uint64),
    )


def set_read_only(path: str, *, read_only: bool, with_all_below: bool = False) -> None:
    """Of a mount, from Linux 5.12 on."""
    setting = MOUNT_ATTR_RDONLY if read_only else 0
    attributes = _MountAttributes(setting, MOUNT_ATTR_RDONLY ^ setting, 0, 0)
    recursive = AT_RECURSIVE if with_all_below else 0
    size = ctypes.c_ulong(ctypes.sizeof(attributes))
    arguments = (AT_FDCWD, path.encode(), recursive, pointer(attributes), size)
    _checked(_libc.syscall(ctypes.c_long(MOUNT_SETATTR), *arguments))


def pointer(structure: ctypes.Structure) -> ctypes.c_void_p:
    return ctypes.cast(ctypes.pointer(structure), ctypes.c_void_p)


def _long(value: int | bytes | ctypes.c_void_p) -> object:
    return ctypes.c_ulong(value) if isinstance(value, int) else value


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
