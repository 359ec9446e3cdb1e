"""seccomp: the system calls that no command of ours needs and that lead out of a sandbox are answered with an error."""

import errno
import platform
import struct

import msgspec

from actors.confinement.sandbox.kernel import system_calls

X86_64, AARCH64 = 0xC000_003E, 0xC000_00B7
X32 = 0x4000_0000
NUMBERS = {  # name: (x86_64, aarch64)
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "mount_setattr": (442, 442),
    "setns": (308, 268),
    "open_by_handle_at": (304, 265),
}
DEBUGGING = ("ptrace", "process_vm_readv", "process_vm_writev", "pidfd_getfd")
SOCKET, CLONE, CLONE3, UNSHARE, IOCTL = (41, 198), (56, 220), (435, 435), (272, 97), (16, 29)
NAMESPACES = 0x7E02_0080
"""CLONE_NEW*: a namespace of its own gives a process rights that the filter does not foresee. In clone the lowest of
these bits belongs to a signal number, so it counts for unshare alone."""
TIOCSTI, TIOCLINUX = 0x5412, 0x541C
"""Typing into somebody's terminal."""
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16

LOAD, JUMP_IF, JUMP_IF_AT_LEAST, JUMP_IF_ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, ERROR = 0x7FFF_0000, 0x0005_0000
NUMBER_AT, ARCHITECTURE_AT, FIRST_ARGUMENT_AT, SECOND_ARGUMENT_AT = 0, 4, 16, 24

Instruction = tuple[int, int, int, int]
"""code, jump if true, jump if false, operand."""


class Machine(msgspec.Struct, frozen=True):
    architecture: int
    column: int


def machine(name: str) -> Machine | None:
    """None: a machine whose numbers we do not have."""
    return {"x86_64": Machine(X86_64, 0), "aarch64": Machine(AARCH64, 1)}.get(name)


def program(here: Machine, *, internet: bool, debugging: bool = False) -> list[Instruction]:
    """The filter. internet: sockets of the internet families are allowed (in a network of its own).

    debugging: where a process sees none but those of its own command, it may look into them.
    """
    numbers = [pair for name, pair in NUMBERS.items() if not (debugging and name in DEBUGGING)]
    families = (AF_UNIX, AF_NETLINK, *((AF_INET, AF_INET6) if internet else ()))
    return [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        *_unless(JUMP_IF, here.architecture, errno.ENOSYS),
        (LOAD, 0, 0, NUMBER_AT),
        *(_when(JUMP_IF_AT_LEAST, X32, errno.ENOSYS) if here.architecture == X86_64 else ()),
        *(line for pair in numbers for line in _when(JUMP_IF, pair[here.column], errno.EPERM)),
        # its flags are out of a filter's reach; the C library falls back to clone
        *_when(JUMP_IF, CLONE3[here.column], errno.ENOSYS),
        *_call(CLONE[here.column], FIRST_ARGUMENT_AT, _when(JUMP_IF_ANY_BIT, NAMESPACES & ~0xFF, errno.EPERM)),
        *_call(UNSHARE[here.column], FIRST_ARGUMENT_AT, _when(JUMP_IF_ANY_BIT, NAMESPACES, errno.EPERM)),
        *_call(
            IOCTL[here.column],
            SECOND_ARGUMENT_AT,
            [*_when(JUMP_IF, TIOCSTI, errno.EPERM), *_when(JUMP_IF, TIOCLINUX, errno.EPERM)],
        ),
        *_call(SOCKET[here.column], FIRST_ARGUMENT_AT, _only(families, errno.EACCES)),
        (RETURN, 0, 0, ALLOW),
    ]


def install(instructions: list[Instruction]) -> None:
    """For this thread and all it starts, for good. Needs no_new_privs. Raises OSError."""
    system_calls.install_filter(packed(instructions))


def packed(instructions: list[Instruction]) -> bytes:
    """As a program that installs it for us reads it: an array of struct sock_filter."""
    return b"".join(struct.pack("=HBBI", *line) for line in instructions)


def here() -> Machine | None:
    return machine(platform.machine())


def _when(test: int, operand: int, error: int) -> list[Instruction]:
    return [(test, 0, 1, operand), (RETURN, 0, 0, ERROR | error)]


def _unless(test: int, operand: int, error: int) -> list[Instruction]:
    return [(test, 1, 0, operand), (RETURN, 0, 0, ERROR | error)]


def _only(allowed: tuple[int, ...], error: int) -> list[Instruction]:
    tests = [(JUMP_IF, len(allowed) - index, 0, value) for index, value in enumerate(allowed)]
    return [*tests, (RETURN, 0, 0, ERROR | error)]


def _call(number: int, argument_at: int, checks: list[Instruction]) -> list[Instruction]:
    """The checks on one argument of one system call, then the number again for what follows."""
    body = [(LOAD, 0, 0, argument_at), *checks, (LOAD, 0, 0, NUMBER_AT)]
    return [(JUMP_IF, 0, len(body), number), *body]
