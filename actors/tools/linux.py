"""System calls that Python does not offer, by ctypes. Everything raises OSError; Linux only."""

import ctypes
import os

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

MS_RDONLY = 1
MS_REMOUNT = 32
MS_BIND = 4096
MS_REC = 16384
MS_SLAVE = 1 << 19

_libc = ctypes.CDLL(None, use_errno=True)


def prctl(option: int, first: int | bytes | ctypes.c_void_p = 0, second: int | ctypes.c_void_p = 0) -> None:
    _checked(_libc.prctl(option, _long(first), _long(second), ctypes.c_ulong(0), ctypes.c_ulong(0)))


def syscall(number: int, *arguments: int | ctypes.c_void_p) -> int:
    return _checked(_libc.syscall(ctypes.c_long(number), *(_long(argument) for argument in arguments)))


def unshare(flags: int) -> None:
    _checked(_libc.unshare(flags))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    _checked(_libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags), options.encode()))


def pointer(structure: ctypes.Structure) -> ctypes.c_void_p:
    return ctypes.cast(ctypes.pointer(structure), ctypes.c_void_p)


def _long(value: int | bytes | ctypes.c_void_p) -> object:
    return ctypes.c_ulong(value) if isinstance(value, int) else value


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result
