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
CLONE_NEWCGROUP = 0x0200_0000
CLONE_NEWUTS = 0x0400_0000
CLONE_NEWIPC = 0x0800_0000
CLONE_NEWUSER = 0x1000_0000
CLONE_NEWPID = 0x2000_0000
CLONE_NEWNET = 0x4000_0000

MOUNT_SETATTR = 442
AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
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


def keep_capabilities(kept: Iterable[int], inherited: Iterable[int] = ()) -> None:
    """Of this process: all others are given up for good. capset(2), version 3: two words of 32 for each set.

    inherited: what programs that it starts as root keep of its own when the bounding set gives them none.
    """
    own, passed = (sum(1 << capability for capability in each) for each in (kept, inherited))
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)
    words = [bits >> shift & 0xFFFF_FFFF for shift in (0, 32) for bits in (own, own, passed)]
    _checked(_libc.capset(header, (ctypes.c_uint32 * 6)(*words)))  # effective, permitted, inheritable


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()))


class _MountAttributes(ctypes.Structure):
    _fields_ = (
        ("set", ctypes.c_uint64),
        ("clear", ctypes.c_uint64),
        ("spread", ctypes.c_uint64),
        ("user", ctypes.c_uint64),
    )


def set_attributes(path: str, wanted: int, unwanted: int = 0, *, with_all_below: bool = False) -> None:
    """Of a mount, MOUNT_ATTR_*, from Linux 5.12 on."""
    attributes = _MountAttributes(wanted, unwanted, 0, 0)
    recursive = AT_RECURSIVE if with_all_below else 0
    size = ctypes.c_ulong(ctypes.sizeof(attributes))
    arguments = (AT_FDCWD, path.encode(), recursive, pointer(attributes), size)
    _checked(_libc.syscall(ctypes.c_long(MOUNT_SETATTR), *arguments))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_char_p))


def install_filter(packed: bytes) -> None:
    """seccomp: for this thread and all it starts, for good. packed: an array of struct sock_filter, of 8 bytes each.

    Needs no_new_privs.
    """
    filter_mode = 2
    prctl(PR_SET_SECCOMP, filter_mode, pointer(_Program(len(packed) // 8, packed)))


def pointer(structure: ctypes.Structure) -> ctypes.c_void_p:
    return ctypes.cast(ctypes.pointer(structure), ctypes.c_void_p)


def _long(value: int | bytes | ctypes.c_void_p) -> object:
    return ctypes.c_ulong(value) if isinstance(value, int) else value


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
