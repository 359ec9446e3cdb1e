"""The program without its imports: a server that has done them once forks for every start.

A start costs most of a processor second, nearly all of it imports, and these tests start the program more than a
thousand times. What is forked is the program itself in a session, an environment and a folder of its own; only its
first steps differ (no exec, more modules imported than it needs), so tests of these set `place.cold`.
"""

import atexit
import contextlib
import functools
import gc
import importlib
import importlib.util
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import IO

LAUNCHER = Path(__file__).resolve().parent.parent.parent / "ui" / "launch.py"
PRELOAD = (
    "ui.cli.dispatch",
    "ui.batch.front",
    "ui.plain.entrance",
    "ui.plain.app",
    "ui.headless.prompt",
    "actors.providers.http.exchange",
    "actors.tools.actor",
    "actors.confinement.sandbox.setup",
    "supervisor.process.spawner",
)
LARGEST_REQUEST = 1 << 20
DECIDES_AT_START = ("PYTHON", "LANG", "LC_")
"""Variables that the interpreter itself reads, once."""


class Started:
    """What the tests use of a Popen."""

    def __init__(self, pid: int, status: IO[bytes], stdout: IO[bytes], stderr: IO[bytes]) -> None:
        self.pid, self.stdout, self.stderr = pid, stdout, stderr
        self._status = status
        self._code: int | None = None

    def poll(self) -> int | None:
        return self._code if self._code is not None else self._look(0)

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired."""
        code = self._code if self._code is not None else self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(str(LAUNCHER), timeout or 0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout: float | None) -> int | None:
        if select.select([self._status], [], [], timeout)[0]:
            self._code = int(self._status.readline())
            self._status.close()
        return self._code


def start(arguments: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> Started | None:
    """None where only a fresh interpreter would do as it is told."""
    if _at_start(environment) != _at_start(os.environ):
        return None
    pipes = [os.pipe() for _ in range(3)]
    request = {"arguments": list(arguments), "cwd": str(cwd), "environment": dict(environment)}
    try:
        socket.send_fds(_server(), [json.dumps(request).encode()], [ours for _, ours in pipes])
    finally:
        for _, theirs in pipes:
            os.close(theirs)
    status, out, error = (os.fdopen(ours, "rb") for ours, _ in pipes)
    return Started(int(status.readline()), status, out, error)


def _at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in environment.items() if name.startswith(DECIDES_AT_START)}


@functools.cache
def _server() -> socket.socket:
    """One for this process; it leaves when nobody can ask it any more."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST_REQUEST)
    with theirs:
        subprocess.Popen(
            [sys.executable, "-P", __file__, str(theirs.fileno())],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        ).returncode = 0  # nobody waits for it
    return ours


def _serve(control: socket.socket) -> None:
    launch = _imported()
    running: dict[int, tuple[int, int]] = {}
    """By pidfd: the pid, and where its end is told."""
    while True:
        ready, _, _ = select.select([control, *running], [], [])
        for ended in [each for each in ready if each is not control]:
            pid, status = running.pop(ended)
            _tell(status, os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            os.close(status)
            os.close(ended)
        if control in ready:
            request, streams, _, _ = socket.recv_fds(control, LARGEST_REQUEST, 3)
            if not request:
                return
            status, out, error = streams
            pid = os.fork()
            if pid == 0:
                _become(launch, json.loads(request), out, error)
            os.close(out)
            os.close(error)
            running[os.pidfd_open(pid)] = pid, status
            _tell(status, pid)


def _imported() -> ModuleType:
    """The launcher, with everything that it will import."""
    spec = importlib.util.spec_from_file_location("launch", LAUNCHER)
    assert spec is not None
    assert spec.loader is not None
    launch = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(launch)
    launch.use_own_code(str(LAUNCHER.parent))
    for module in (*importlib.import_module("supervisor.tree").MODULES, *PRELOAD):
        importlib.import_module(module)
    gc.collect()
    gc.freeze()  # pages stay shared: no collection of a child touches them
    return launch


def _become(launch: ModuleType, request: dict[str, object], out: int, error: int) -> None:
    """In the child: the program, as if it had just been started."""
    code: object = 70
    try:
        os.setsid()
        os.dup2(out, 1)
        os.dup2(error, 2)
        os.closerange(3, os.sysconf("SC_OPEN_MAX"))
        os.chdir(str(request["cwd"]))
        os.environ.clear()
        os.environ.update(request["environment"])  # type: ignore[call-overload]
        sys.argv[:] = [str(LAUNCHER), *request["arguments"]]  # type: ignore[misc]
        launch.main()
    except SystemExit as end:
        code = end.code
        if isinstance(code, str):
            sys.stderr.write(f"{code}\n")
    except Exception:  # noqa: BLE001 - as the interpreter does
        sys.excepthook(*sys.exc_info())
        code = 1
    finally:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else 0 if code is None else 1)


def _tell(status: int, number: int) -> None:
    with contextlib.suppress(BrokenPipeError):  # whoever started it has ended
        os.write(status, f"{number}\n".encode())


if __name__ == "__main__":
    _serve(socket.socket(fileno=int(sys.argv[1])))
