"""Landlock: what this process and all it starts may do to files, for good. Allow-lists only; Linux 5.13 and later."""

import ctypes
import os
from collections.abc import Iterable
from pathlib import Path

from actors.confinement.sandbox.kernel import system_calls

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION = 1
PATH_BENEATH = 1

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
MAKE_CHAR, MAKE_BLOCK = 1 << 6, 1 << 11
REFER, TRUNCATE, IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
ALL_RIGHTS = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1, 5: (1 << 16) - 1}
"""By version of the interface; later versions add other things than rights on files."""
ON_FILES = EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV
TCP = 0b11
SCOPED = 0b11
"""Abstract unix sockets and signals stay within the sandbox."""

LOOK = READ_FILE | READ_DIR | EXECUTE
CHANGE = ALL_RIGHTS[5] & ~(MAKE_CHAR | MAKE_BLOCK | IOCTL_DEV)
"""Device files are not made: root could reach a whole disk through one."""
USE_DEVICE = READ_FILE | WRITE_FILE | IOCTL_DEV


class _Ruleset(ctypes.Structure):
    _fields_ = (("handled_fs", ctypes.c_uint64), ("handled_net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def version() -> int:
    """0: this kernel has no Landlock, or it is switched off."""
    try:
        return system_calls.syscall(CREATE_RULESET, 0, 0, VERSION)
    except OSError:
        return 0


def restrict(rules: Iterable[tuple[Path, int]], *, tcp: bool) -> None:
    """Rights on each path and all below it; everything else is denied. tcp: may it use TCP? Raises OSError.

    Needs no_new_privs, and a process of one thread: it holds for the calling thread and what that starts.
    """
    supported = version()
    rights = ALL_RIGHTS[min(supported, 5)]
    ruleset = _Ruleset(rights, TCP if supported >= 4 and not tcp else 0, SCOPED if supported >= 6 else 0)
    size = 24 if supported >= 6 else 16 if supported >= 4 else 8
    descriptor = system_calls.syscall(CREATE_RULESET, system_calls.pointer(ruleset), size, 0)
    try:
        for path, wanted in rules:
            _allow(descriptor, path, wanted & rights)
        system_calls.syscall(RESTRICT_SELF, descriptor, 0)
    finally:
        os.close(descriptor)


def _allow(ruleset: int, path: Path, wanted: int) -> None:
    try:
        parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # a place that not every system has
    except PermissionError:
        return  # out of reach anyway
    try:
        is_folder = path.is_dir()
        rule = _Beneath(wanted if is_folder else wanted & ON_FILES, parent)
        system_calls.syscall(ADD_RULE, ruleset, PATH_BENEATH, system_calls.pointer(rule), 0)
    finally:
        os.close(parent)


def beside(hidden: Iterable[Path], top: Path) -> list[Path]:
    """The paths that together hold everything below `top` except what is hidden; what is made later is not in it."""
    below = [path for path in hidden if path.is_relative_to(top)]
    if not below:
        return [top]
    if top in below:
        return []
    try:
        entries = [Path(entry.path) for entry in os.scandir(top) if not entry.is_symlink()]
    except OSError:
        return []  # a folder we may not list
    return [path for entry in entries for path in beside(below, entry)]
