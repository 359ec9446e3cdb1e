"""Attacks on the sandbox, which all have to fail, at each level and as each user that this machine has."""

import contextlib
import ctypes
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from actors.messages.tool import Grant
from tests.system.harness import Place
from tests.system.sandbox.boxes import PYTHON, Box, boxes, opened

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox is Linux's"),
]
ATTACKED = Path("/var/tmp/trouper-attack")


@pytest.fixture(scope="module", params=boxes())
def box(request: pytest.FixtureRequest) -> Iterator[Box]:
    with opened(*request.param) as box:
        yield box


def python(code: str) -> str:
    return f'{PYTHON} -c "{code}"'


SYSCALL = "import ctypes as c, sys; l = c.CDLL(None, use_errno=True); sys.exit(l.syscall({}) == -1)"
TCP = python("import socket; socket.create_connection(('127.0.0.1', {port}), 2)")
FILES = {
    "write outside": "echo x > {home}/new.txt",
    "write outside by ..": "echo x > ../home/new.txt",
    "write through a symlink": "ln -sf {home}/.bashrc link; echo x > link",
    "write through a symlink to a folder": "ln -sfn {home} folder; echo x > folder/new.txt",
    "write through /proc/self/root": "echo x > /proc/self/root{home}/.bashrc",
    "write through /proc/self/cwd": "echo x > /proc/self/cwd/../home/.bashrc",
    "write through a descriptor": "exec 3< {home}/notes.txt; echo x > /proc/self/fd/3",
    "write through a folder's descriptor": "exec 3< {home}; echo x > /proc/self/fd/3/new.txt",
    "append to .bashrc": "echo x >> ~/.bashrc",
    "move a file in": "mv {home}/notes.txt stolen.txt",
    "move a file out": "echo x > mine; mv mine {home}/mine",
    "hardlink and write": "ln {home}/notes.txt hard && echo x >> hard",
    "truncate": "truncate -s 0 {home}/notes.txt",
    "truncate by opening": python("import os; os.open('{home}/notes.txt', os.O_RDONLY | os.O_TRUNC)"),
    "delete": "rm -f {home}/notes.txt",
    "make a folder": "mkdir {home}/folder",
    "make a fifo": "mkfifo {home}/fifo",
    "write to /var/tmp": f"echo x > {ATTACKED}",
    "read a key": "grep -r private ~/.ssh/id",
    "read .netrc": "grep private ~/.netrc",
    "read a key through a symlink": "ln -sf ~/.ssh keys; grep private keys/id",
    "read a key through /proc/self/root": "grep private /proc/self/root{home}/.ssh/id",
    "hardlink a key": "ln ~/.ssh/id key && grep private key",
    "read our own state": "grep private ~/.trouper/trouper.db",
    "write our own state": "echo x > ~/.trouper/trouper.db",
    "block device": "mknod disk b 8 0",
    "character device": "mknod memory c 1 1 && head -c 1 memory",
}
PROCESSES = {
    "signal another process": "kill -0 {pid}",
    "end the guardian": "kill -9 {guardian}",
    "ptrace another process": python("import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(16, {pid}, 0, 0) == -1)"),
    "read another's environment": "cat /proc/{pid}/environ | grep -a .",
    "read another's memory": "head -c 1 /proc/{pid}/mem; exec 3<>/proc/{pid}/mem",
    "read the worker's environment": "cat /proc/{worker}/environ | grep -a .",
    "write the worker's memory": "exec 3<>/proc/{worker}/mem",
    "read the guardian's environment": "cat /proc/{guardian}/environ | grep -a .",
    "look around in the worker's files": "ls /proc/{worker}/root/etc",
    "take the worker's descriptors": "readlink /proc/{worker}/fd/* | grep .",
    "keys in our environment": "env | grep hunter2",
}
KERNEL = {
    "connect by TCP": TCP,
    "send by UDP": python("import socket; socket.socket(2, 2).sendto(b'x', ('192.0.2.1', 53))"),
    "packet socket": python("import socket; socket.socket(17, 3)"),
    "vsock": python("import socket; socket.socket(40, 1)"),
    "abstract socket": python("import socket; socket.socket(1).connect('\\0trouper-{pid}')"),
    "mount": "mount -t tmpfs none {workspace}",
    "make it writable again": "mount -o remount,rw,bind /",
    "take a mask away": "umount {home}/.ssh",
    "user namespace": "unshare -r true",
    "network namespace": "unshare -n true",
    "enter a namespace": "nsenter --net=/proc/{pid}/ns/net true",
    "a sandbox in the sandbox": "bwrap --bind / / true",
    "type into a terminal": python("import fcntl, os, termios; fcntl.ioctl(os.openpty()[1], termios.TIOCSTI, b'x')"),
    "io_uring": python(SYSCALL.format("425, 1, 0")),
    "keyring": python(SYSCALL.format("250 if c.sizeof(c.c_long) == 8 else 0, 0, -3, 0")),
    "bpf": "test -e /usr/sbin/bpftool && bpftool prog list && exit 0; " + python(SYSCALL.format("321, 0, 0, 0")),
    "become root": "sudo -n true",
    "change the kernel's settings": "exec 3<>/proc/sys/kernel/core_pattern",
    "press a key of the kernel's": "exec 3>/proc/sysrq-trigger",
    "move interrupts": "exec 3<>/proc/irq/default_smp_affinity",
}
ATTACKS = {**FILES, **PROCESSES, **KERNEL}


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_fails(box: Box, name: str) -> None:
    before = box.outside()
    with (
        socket.create_server(("127.0.0.1", 0)) as tcp,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        abstract.bind(f"\0trouper-{os.getpid()}")
        abstract.listen()
        command = ATTACKS[name].format(
            home=box.home,
            workspace=box.workspace,
            port=tcp.getsockname()[1],
            pid=os.getpid(),
            worker=box.worker.worker,
            guardian=box.worker.guardian.pid,
        )

        outcome = box.bash(command)

    assert outcome.failed, outcome.output
    assert box.outside() == before
    assert not ATTACKED.exists()
    assert box.bash("true").failed is False, "the worker is still there"


MASKS = {
    "write a hook": "echo x > .git/hooks/pre-commit",
    "write git's settings": "git config core.fsmonitor x",
    "write our settings": "echo x > .trouper/config.local.toml",
    "put another .trouper there": "mv .trouper old && mkdir .trouper && echo x > .trouper/config.toml",
    "put another .git there": "mv .git old && mkdir .git",
    "delete it": "rm -rf .git/hooks",
    "see what is in hidden folders": "ls -A ~/.ssh ~/.trouper | grep -v : | grep .",
}


@pytest.mark.parametrize("name", MASKS)
def test_what_only_a_view_of_the_files_can_close_is_closed_by_it(box: Box, name: str) -> None:
    if not box.masked:
        pytest.skip("Landlock alone cannot")

    outcome = box.bash(MASKS[name])

    assert outcome.failed, outcome.output


def test_another_programs_socket_is_out_of_sight(box: Box) -> None:
    if not box.masked:
        pytest.skip("Landlock alone cannot")
    path = box.tmux / "default"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        path.chmod(0o777)
        server.listen()

        outcome = box.bash(python(f"import socket; socket.socket(1).connect('{path}')"))

    path.unlink()
    assert outcome.failed, outcome.output


ONLY_NAMESPACES = {
    "change a mode outside": "chmod 777 {home}/notes.txt",
    "change times outside": "touch -d 2001-01-01 {home}/notes.txt",
    "write to somebody's terminal": "echo x > {terminal}",
    "see other processes": "test -e /proc/{pid}",
    "end the worker": "kill -9 {worker}",
    "change the limits of the worker": "prlimit --pid {worker} --nofile=1",
    "walk out by what the first process holds": (
        "for each in /proc/1/fd/*; do test -e $each/../{pid} -o -e $each/../null && exit 0; done; exit 1"
    ),
    "look into /tmp": "ls /tmp | grep trouper-",
    "look into /run": "test -e /run/user || test -e /run/lock",
    "leave a file in /dev": "echo x > /dev/file",
    "read a file of a rule": "cat secrets/.env || cat src/.env",
    "link it": "ln src/.env hard && cat hard",
    "read it by another name": "ln -s ../src/.env link2; cat link2 || cp src/.env copy || mv src/.env moved",
}


@pytest.mark.parametrize("name", ONLY_NAMESPACES)
def test_what_only_namespaces_can_close_is_closed_by_them(box: Box, name: str) -> None:
    if not box.masked:
        pytest.skip("only namespaces can")
    (box.workspace / "src" / ".env").write_text("private")
    before = box.outside()
    ours, theirs = os.openpty()
    terminal = os.ttyname(theirs)
    Path(terminal).chmod(0o666)

    command = ONLY_NAMESPACES[name].format(home=box.home, terminal=terminal, pid=os.getpid(), worker=box.worker.worker)
    outcome = box.bash(command, Grant(hidden=("**/.env", "secrets")))

    os.close(ours)
    os.close(theirs)
    assert outcome.failed, outcome.output
    assert box.outside() == before


LIBC = ctypes.CDLL(None, use_errno=True)
KEY = 0x54000000 + os.getpid()
QUEUE = f"/trouper-{os.getpid()}".encode()
FOR_ALL = 0o1666
"""IPC_CREAT, and a mode."""
REMOVE = 0
"""IPC_RMID."""
CALL = "import ctypes, sys; l = ctypes.CDLL(None, use_errno=True); sys.exit(l.{} == -1)"


def shared_memory() -> Iterator[str]:
    made = LIBC.shmget(KEY, 4096, FOR_ALL)
    yield f"shmget({KEY}, 4096, 0)"
    LIBC.shmctl(made, REMOVE, None)


def semaphores() -> Iterator[str]:
    made = LIBC.semget(KEY, 1, FOR_ALL)
    yield f"semget({KEY}, 1, 0)"
    LIBC.semctl(made, 0, REMOVE)


def queue() -> Iterator[str]:
    made = LIBC.msgget(KEY, FOR_ALL)
    yield f"msgget({KEY}, 0)"
    LIBC.msgctl(made, REMOVE, None)


def queue_of_posix() -> Iterator[str]:
    made = LIBC.mq_open(QUEUE, os.O_CREAT | os.O_RDWR, 0o666, None)
    yield f"mq_open({QUEUE!r}, 0)"
    LIBC.close(made)
    LIBC.mq_unlink(QUEUE)


@pytest.mark.parametrize("make", [shared_memory, semaphores, queue, queue_of_posix])
def test_what_other_programs_share_is_out_of_reach(box: Box, make: Callable[[], Iterator[str]]) -> None:
    """make: yields the call that finds what it has made."""
    if not box.masked:
        pytest.skip("only namespaces can")

    with contextlib.contextmanager(make)() as call:
        unconfined = subprocess.run([PYTHON, "-c", CALL.format(call)], check=False)
        outcome = box.bash(python(CALL.format(call)))

    assert (unconfined.returncode, outcome.output) == (0, "[exit 1]")


def test_a_command_has_no_capabilities_and_root_cannot_get_any_back(box: Box) -> None:
    user = box.bash("id -u").output
    told = box.bash("grep ^Cap /proc/self/status").output

    capabilities = {name.rstrip(":"): int(value, 16) for name, value in map(str.split, told.splitlines())}
    if user != "0":
        del capabilities["CapBnd"]  # a bound without a meaning for programs that are not root's
    assert len(capabilities) >= 4
    assert set(capabilities.values()) == {0}


def test_a_file_in_the_private_tmp_stays_between_calls_and_never_reaches_the_host(box: Box) -> None:
    if not box.masked:
        pytest.skip("without namespaces there is none")

    box.bash("echo kept > /tmp/trouper-private")

    assert box.bash("cat /tmp/trouper-private").output == "kept"
    assert not Path("/tmp/trouper-private").exists()


def test_a_network_is_there_for_the_call_that_was_granted_one_and_for_no_other(box: Box) -> None:
    if not box.masked:
        pytest.skip("there it is another worker that has one")
    with socket.create_server(("127.0.0.1", 0)) as tcp:
        command = TCP.format(port=tcp.getsockname()[1])

        granted = box.bash(command, Grant(network=True))
        not_granted = box.bash(command)

    assert not granted.failed, granted.output
    assert not_granted.failed


def test_a_worker_with_a_network_has_it_and_is_confined_all_the_same() -> None:
    with opened("landlock", "ordinary user", worker="network") as box, socket.create_server(("127.0.0.1", 0)) as tcp:
        connected = box.bash(TCP.format(port=tcp.getsockname()[1]))
        written = box.bash(f"echo x > {box.home}/new.txt")
        read = box.bash("cat ~/.ssh/id")

    assert not connected.failed, connected.output
    assert written.failed
    assert read.failed


def test_without_a_sandbox_a_command_needs_somebody_to_approve_it(place: Place) -> None:
    (place.home / "config.toml").write_text('sandbox = "none"\n')
    call = ("tools", "call", "bash", '{"command": "touch made"}', "--mode", "auto")

    refused = place.run(*call)
    made = (place.workspace / "made").exists()
    allowed = place.run(*call, "--allow", "Bash(touch:*)")

    assert (refused.code, made) == (3, False), refused.err
    assert allowed.code == 0, allowed.err
