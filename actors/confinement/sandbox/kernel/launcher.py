"""Starts one command as bubblewrap would where that is not installed; understands those of its options that we use.

A program of its own, started for each command: it imports little. Three processes as there: this one waits for how the
command ended, the first one of the new processes adopts what is orphaned there, the command is the second. The options
mean what bwrap(1) says, on the tree that there is: `--bind / /` comes first and changes nothing.
"""

import os
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from actors.confinement.sandbox.kernel import system_calls

START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); "
    "from actors.confinement.sandbox.kernel import launcher; launcher.main()"
)
NAME = b"tr:launcher"
NAMESPACES = {
    "--unshare-user": system_calls.CLONE_NEWUSER,
    "--unshare-pid": system_calls.CLONE_NEWPID,
    "--unshare-ipc": system_calls.CLONE_NEWIPC,
    "--unshare-uts": system_calls.CLONE_NEWUTS,
}
SWITCHES = (*NAMESPACES, "--unshare-cgroup-try")
BINDS = ("--bind", "--bind-try", "--ro-bind", "--ro-bind-try")
ON_A_PLACE = ("--dev", "--proc", "--tmpfs", "--perms", "--remount-ro")
ARGUMENTS = {
    **dict.fromkeys((*BINDS, "--ro-bind-data"), 2),
    **dict.fromkeys((*ON_A_PLACE, "--chdir", "--seccomp", "--json-status-fd", "--cap-drop"), 1),
}
"""How many each takes."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = {"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"}
NO_DEVICES = system_calls.MOUNT_ATTR_NOSUID | system_calls.MOUNT_ATTR_NODEV
MOST_BYTES = 1 << 24
"""Of a filter, or a file that is handed over."""
SIGPIPE, SIGXFSZ = 13, 25
"""Which Python ignores, and so would the command."""
Option = tuple[str, list[str]]


def command(path: str) -> tuple[str, ...]:
    """What starts it. path: where its package is."""
    return (sys.executable, "-I", "-S", "-B", "-c", START, path)


def main() -> NoReturn:
    try:
        options, program = parse(sys.argv[1:])
        launch(options, program)
    except (OSError, ValueError) as error:
        print(f"launcher: {error}", file=sys.stderr, flush=True)  # noqa: T201  # a program's own word
        os._exit(1)


def parse(words: Sequence[str]) -> tuple[list[Option], list[str]]:
    """The options in their order, and the program. Raises ValueError: what is not known is not left out."""
    options, at = [], 0
    while at < len(words) and words[at] != "--":
        name = words[at]
        count = 0 if name in SWITCHES else ARGUMENTS.get(name, -1)
        if count < 0 or at + count >= len(words):
            raise ValueError(f"{name} is not understood")
        options.append((name, list(words[at + 1 : at + 1 + count])))
        at += 1 + count
    if not words[at + 1 :]:
        raise ValueError("there is no program")
    return options, list(words[at + 1 :])


def launch(options: Sequence[Option], program: Sequence[str]) -> NoReturn:
    """Raises OSError, ValueError."""
    system_calls.prctl(system_calls.PR_SET_NAME, NAME)
    _unshare({name for name, _ in options})
    ended, tell = os.pipe()
    first = os.fork()
    if first == 0:
        try:
            _inside(options, program, tell)
        except OSError as error:
            print(f"launcher: {error}", file=sys.stderr, flush=True)  # noqa: T201
        os._exit(1)
    os.close(tell)
    told = os.read(ended, 8)
    if not told:
        os._exit(1)
    code = int(told)
    os.write(int(_value(options, "--json-status-fd")), b'{"exit-code": %d}\n' % code)
    os._exit(code)


def _value(options: Sequence[Option], wanted: str) -> str:
    """Raises ValueError."""
    for name, arguments in options:
        if name == wanted:
            return arguments[0]
    raise ValueError(f"{wanted} is missing")


def _unshare(names: set[str]) -> None:
    user, group = os.geteuid(), os.getegid()
    system_calls.unshare(system_calls.CLONE_NEWNS | sum(flag for name, flag in NAMESPACES.items() if name in names))
    if "--unshare-user" in names:
        for name, text in (("setgroups", "deny"), ("uid_map", f"{user} {user} 1"), ("gid_map", f"{group} {group} 1")):
            _write(f"/proc/self/{name}", text)
    try:
        system_calls.unshare(system_calls.CLONE_NEWCGROUP)
    except OSError:
        return  # older than Linux 4.6; --unshare-cgroup-try


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    os.write(descriptor, text.encode())
    os.close(descriptor)


def _inside(options: Sequence[Option], program: Sequence[str], tell: int) -> NoReturn:
    """The first process in the new namespaces. Raises OSError."""
    system_calls.mount("", "/", "", system_calls.MS_REC | system_calls.MS_PRIVATE)
    View(options).set_up()
    system_calls.keep_capabilities(())
    _filter(os.read(int(_value(options, "--seccomp")), MOST_BYTES))
    os.chdir(_value(options, "--chdir"))
    os.closerange(3, tell)  # what was opened leads out, and /proc/1/fd shows it to the command
    os.closerange(tell + 1, 1 << 16)
    child = os.fork()
    if child == 0:
        _run(program)
    while True:
        try:
            pid, status = os.wait()
        except ChildProcessError:
            os._exit(0)
        if pid == child:
            code = os.waitstatus_to_exitcode(status)
            os.write(tell, str(code if code >= 0 else 128 - code).encode())
            os.closerange(0, 1 << 16)  # what goes on in the background holds its own


def _run(program: Sequence[str]) -> NoReturn:
    import signal  # here alone

    for each in (SIGPIPE, SIGXFSZ):
        signal.signal(each, signal.SIG_DFL)
    os.closerange(3, 1 << 16)
    try:
        os.execvp(program[0], list(program))  # noqa: S606  # what we are for
    except OSError as error:
        print(f"launcher: {program[0]}: {error}", file=sys.stderr, flush=True)  # noqa: T201
    os._exit(127)


def _filter(packed: bytes) -> None:
    """As `seccomp.packed` wrote it: eight bytes an instruction."""
    if not packed:
        raise OSError("there is no filter")
    system_calls.install_filter(packed)


class View:
    """The mounts of one command. What is to be seen somewhere is opened first, for later ones cover it."""

    def __init__(self, options: Sequence[Option]) -> None:
        self._options = [option for option in options if option != ("--bind", ["/", "/"])]
        self._opened: dict[int, int] = {}
        self._devices = {name: os.open(f"/dev/{name}", os.O_PATH | os.O_CLOEXEC) for name in DEVICES}
        self._mode = "0755"

    def set_up(self) -> None:
        """Raises OSError."""
        for number, (name, arguments) in enumerate(self._options):
            if name in BINDS:
                self._open(number, arguments[0], may_miss=name.endswith("-try"))
        system_calls.mount(
            "tmpfs", "/dev", "tmpfs", system_calls.MS_NOSUID
        )  # holds what is handed over, until --dev covers it
        for number, (name, arguments) in enumerate(self._options):
            if name == "--ro-bind-data":
                self._opened[number] = _copied(int(arguments[0]), f"/dev/{number}")
        for number, (name, arguments) in enumerate(self._options):
            if step := STEPS.get(name):
                step(self, number, arguments[-1])

    def _open(self, number: int, path: str, *, may_miss: bool) -> None:
        try:
            self._opened[number] = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            if not may_miss:
                raise

    def bind(self, number: int, path: str) -> None:
        if number in self._opened:
            system_calls.mount(
                f"/proc/self/fd/{self._opened[number]}", path, "", system_calls.MS_BIND | system_calls.MS_REC
            )
            system_calls.set_attributes(path, NO_DEVICES, with_all_below=True)

    def bind_read_only(self, number: int, path: str) -> None:
        self.bind(number, path)
        if number in self._opened:
            system_calls.set_attributes(path, system_calls.MOUNT_ATTR_RDONLY, with_all_below=True)

    def bind_data(self, number: int, path: str) -> None:
        if not os.path.lexists(path):
            os.close(os.open(path, os.O_CREAT | os.O_WRONLY | os.O_EXCL | os.O_CLOEXEC, 0o666))
        self.bind_read_only(number, path)

    def remount(self, _number: int, path: str) -> None:
        system_calls.set_attributes(path, system_calls.MOUNT_ATTR_RDONLY)

    def tmpfs(self, _number: int, path: str) -> None:
        system_calls.mount("tmpfs", path, "tmpfs", system_calls.MS_NOSUID | system_calls.MS_NODEV, f"mode={self._mode}")
        self._mode = "0755"

    def perms(self, _number: int, mode: str) -> None:
        self._mode = mode

    def proc(self, _number: int, path: str) -> None:
        system_calls.mount(
            "proc", path, "proc", system_calls.MS_NOSUID | system_calls.MS_NODEV | system_calls.MS_NOEXEC
        )

    def dev(self, _number: int, path: str) -> None:
        system_calls.mount("tmpfs", path, "tmpfs", system_calls.MS_NOSUID, "mode=0755")
        for name, descriptor in self._devices.items():
            os.close(os.open(f"{path}/{name}", os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o666))
            system_calls.mount(f"/proc/self/fd/{descriptor}", f"{path}/{name}", "", system_calls.MS_BIND)
        for name, target in LINKS.items():
            os.symlink(target, f"{path}/{name}")  # noqa: PTH211  # pathlib takes longer than all of this
        os.mkdir(f"{path}/pts")  # noqa: PTH102
        os.mkdir(f"{path}/shm")  # noqa: PTH102
        os.symlink("pts/ptmx", f"{path}/ptmx")  # noqa: PTH211
        options = "newinstance,ptmxmode=0666,mode=620"
        system_calls.mount("devpts", f"{path}/pts", "devpts", system_calls.MS_NOSUID | system_calls.MS_NOEXEC, options)


STEPS: dict[str, Callable[[View, int, str], None]] = {
    "--bind": View.bind,
    "--bind-try": View.bind,
    "--ro-bind": View.bind_read_only,
    "--ro-bind-try": View.bind_read_only,
    "--ro-bind-data": View.bind_data,
    "--dev": View.dev,
    "--proc": View.proc,
    "--tmpfs": View.tmpfs,
    "--perms": View.perms,
    "--remount-ro": View.remount,
}


def _copied(descriptor: int, path: str) -> int:
    """Of what is in a file, for a mount; the new one's descriptor."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    copy = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o444)
    while data := os.read(descriptor, MOST_BYTES):
        os.write(copy, data)
    os.close(copy)
    return os.open(path, os.O_PATH | os.O_CLOEXEC)
