"""The pure parts of the sandbox: which paths stay open, which system calls pass, what is said about it."""

import errno
from pathlib import Path

import pytest

from actors.confinement.sandbox import levels
from actors.confinement.sandbox.kernel import landlock, seccomp
from actors.confinement.sandbox.kernel.seccomp import (
    ERROR,
    JUMP_IF,
    JUMP_IF_ANY_BIT,
    JUMP_IF_AT_LEAST,
    LOAD,
    RETURN,
    Machine,
)
from actors.confinement.sandbox.levels import Reached

CLONE_NEWUSER, CLONE_VM, SIGCHLD = 0x1000_0000, 0x100, 17


@pytest.mark.parametrize(
    ("reached", "text"),
    [
        (Reached("bubblewrap", network="own"), "bubblewrap, seccomp, network of its own"),
        (Reached("namespaces", network="own"), "namespaces, seccomp, network of its own"),
        (Reached("landlock", 7, "own"), "landlock 7, seccomp, network of its own"),
        (
            Reached("landlock", 3, "denied", missing="no bubblewrap: bwrap is not installed"),
            "landlock 3, seccomp, no network, not even loopback; no bubblewrap: bwrap is not installed",
        ),
        (Reached("landlock", 7, "open"), "landlock 7, seccomp, network open"),
        (Reached("none", missing="this is not Linux"), "none: this is not Linux"),
    ],
)
def test_what_was_reached_is_said(reached: Reached, text: str) -> None:
    assert levels.describe(reached) == text
    assert levels.level({levels.REACHED: text}) == reached.level


def test_a_process_that_was_not_prepared_has_no_sandbox() -> None:
    assert levels.level({}) == "none"


def test_all_but_the_hidden_stays_open(tmp_path: Path) -> None:
    for name in ("home/.ssh", "home/.config/gh", "home/.config/other", "home/work", "usr"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "home/notes").touch()
    (tmp_path / "home/link").symlink_to(".ssh")
    hidden = [tmp_path / "home/.ssh", tmp_path / "home/.config/gh"]

    assert sorted(landlock.beside(hidden, tmp_path)) == [
        tmp_path / "home/.config/other",
        tmp_path / "home/notes",
        tmp_path / "home/work",
        tmp_path / "usr",
    ]
    assert landlock.beside([], tmp_path) == [tmp_path]


def verdict(here: Machine, number: int, *arguments: int, internet: bool = True, architecture: int = 0) -> int:
    """Runs the filter as the kernel does; 0 when the call passes, else the error it gets."""
    data = {
        seccomp.NUMBER_AT: number,
        seccomp.ARCHITECTURE_AT: architecture or here.architecture,
        **{16 + 8 * index: value for index, value in enumerate(arguments)},
    }
    instructions = seccomp.program(here, internet=internet)
    loaded = place = 0
    while True:
        code, if_true, if_false, operand = instructions[place]
        place += 1
        match code:
            case _ if code == LOAD:
                loaded = data.get(operand, 0)
            case _ if code == RETURN:
                return operand & 0xFFFF if operand & ERROR == ERROR and operand != seccomp.ALLOW else 0
            case _ if code == JUMP_IF:
                place += if_true if loaded == operand else if_false
            case _ if code == JUMP_IF_AT_LEAST:
                place += if_true if loaded >= operand else if_false
            case _ if code == JUMP_IF_ANY_BIT:
                place += if_true if loaded & operand else if_false


@pytest.mark.parametrize("name", ["x86_64", "aarch64"])
def test_system_calls_are_sorted_as_meant(name: str) -> None:
    here = seccomp.machine(name)
    assert here is not None

    def of(pair: tuple[int, int]) -> int:
        return pair[here.column]

    assert {verdict(here, of(pair)) for pair in seccomp.NUMBERS.values()} == {errno.EPERM}
    assert verdict(here, of(seccomp.CLONE3)) == errno.ENOSYS
    assert verdict(here, of(seccomp.CLONE), CLONE_VM | SIGCHLD) == 0
    assert verdict(here, of(seccomp.CLONE), CLONE_NEWUSER | SIGCHLD) == errno.EPERM
    assert verdict(here, of(seccomp.UNSHARE), CLONE_NEWUSER) == errno.EPERM
    assert verdict(here, of(seccomp.UNSHARE), 0x200) == 0
    assert verdict(here, of(seccomp.IOCTL), 0, seccomp.TIOCSTI) == errno.EPERM
    assert verdict(here, of(seccomp.IOCTL), 0, 0x5401) == 0
    assert [family for family in range(48) if verdict(here, of(seccomp.SOCKET), family) == 0] == [1, 2, 10, 16]
    assert [f for f in range(48) if verdict(here, of(seccomp.SOCKET), f, internet=False) == 0] == [1, 16]
    assert verdict(here, 0) == 0
    assert verdict(here, 0, architecture=0x4000_0003) == errno.ENOSYS


def test_the_second_numbering_of_x86_is_closed() -> None:
    here = seccomp.machine("x86_64")
    assert here is not None

    assert verdict(here, seccomp.X32 + 1) == errno.ENOSYS


def test_where_a_command_sees_only_its_own_processes_it_may_debug_them() -> None:
    here = seccomp.machine("x86_64")
    assert here is not None
    without = set(seccomp.program(here, internet=True))
    debugging = set(seccomp.program(here, internet=True, debugging=True))

    removed = {line[3] for line in without - debugging}

    assert removed == {seccomp.NUMBERS[name][0] for name in seccomp.DEBUGGING}


def test_a_packed_filter_has_eight_bytes_for_each_instruction() -> None:
    assert seccomp.packed([(0x20, 0, 0, 4), (0x15, 1, 2, 0xC000_003E)]) == bytes.fromhex(
        "2000000004000000150001023e0000c0"
    )


def test_a_machine_we_have_no_numbers_for_has_no_filter() -> None:
    assert seccomp.machine("riscv64") is None
