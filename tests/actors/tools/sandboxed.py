"""A real sandboxed worker for tests: prepared as the host does it, it runs the commands it is sent on stdin.

As a script: SOCKET_FD SETUP. As a module: `Sandboxed`, which starts the script and talks to it.
"""

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

import msgspec
import trio

from actors.confinement.hidden_files import Followed
from actors.confinement.processes.descendants import children
from actors.confinement.processes.process_trees import Processes
from actors.confinement.processes.resource_watch import Bounds
from actors.confinement.sandbox import levels, setup
from actors.confinement.sandbox.kernel import seccomp, system_calls
from actors.messages.conversation import ToolCall
from actors.messages.tool import Grant, SandboxLevel
from actors.settings.config import SandboxChoice, Settings, WorkerKind
from actors.tools.actor import execute
from actors.tools.base import NOTHING, Outcome, Worker
from actors.tools.workspace.folder import open_workspace
from tests import ROOT

PATIENCE_S = 120.0
"""Guards against hanging only."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    settings: Settings
    namespaces: bool = True
    """False: as on a system that does not allow them."""
    bounds: Bounds | None = None


def confined_to(cwd: Path, home: Path, sandbox: SandboxChoice = "auto", worker: WorkerKind = "") -> Settings:
    return Settings(home=str(home), cwd=str(cwd), session_id="s", run_id="r", sandbox=sandbox, worker=worker)


class Sandboxed:
    """Close `socket` to be a supervisor that is gone."""

    def __init__(
        self,
        settings: Settings,
        *,
        environment: dict[str, str],
        namespaces: bool = True,
        bounds: Bounds | None = None,
        runner: Sequence[str] = (),
    ) -> None:
        """runner: a program that starts it, such as one that makes it another user's."""
        case = Setup(settings=settings, namespaces=namespaces, bounds=bounds)
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.guardian = subprocess.Popen(
                [*runner, sys.executable, __file__, str(theirs.fileno()), msgspec.msgpack.encode(case).hex()],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                text=True,
            )
        self.worker, self.detail, self.temporary = self._line().split("\t")

    @property
    def level(self) -> SandboxLevel:
        return levels.level({levels.REACHED: self.detail})

    def bash(self, command: str, timeout_s: int = 600, grant: Grant = NOTHING) -> Outcome:
        return self.call("bash", grant, command=command, timeout_s=timeout_s)

    def wait_until_over(self) -> None:
        """The first process in a command's namespaces ends a moment after it; only then is all that it left seen."""
        deadline = time.monotonic() + PATIENCE_S
        while children(int(self.worker)):
            assert time.monotonic() < deadline, "it never ended"
            time.sleep(0.005)
        self.call("list", path=".")  # answered after that look, which begins when the last one is taken away

    def call(self, name: str, grant: Grant = NOTHING, **arguments: object) -> Outcome:
        """Of any tool."""
        assert self.guardian.stdin is not None
        order = Order(name, json.dumps(arguments), grant)
        self.guardian.stdin.write(msgspec.json.encode(order).decode() + "\n")
        self.guardian.stdin.flush()
        return msgspec.json.decode(self._line(), type=Outcome, dec_hook=lambda kind, text: kind(text))

    def __enter__(self) -> "Sandboxed":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.socket.close()
        self.guardian.wait(60)
        for stream in (self.guardian.stdin, self.guardian.stdout):
            assert stream is not None
            stream.close()

    def _line(self) -> str:
        assert self.guardian.stdout is not None
        return self.guardian.stdout.readline().rstrip("\n")


class Order(msgspec.Struct, frozen=True):
    name: str
    arguments: str
    grant: Grant


async def serve(case: Setup) -> None:
    async def report(_text: str) -> None: ...

    settings = case.settings
    followed = Followed()
    processes = Processes(setup.commands(settings, followed), case.bounds, setup.guard(settings))
    async with trio.open_nursery() as nursery:
        worker = Worker(open_workspace(settings.cwd, settings.home, followed), processes, nursery)
        while line := await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
            order = msgspec.json.decode(line, type=Order)
            call = ToolCall(call_id="c", name=order.name, arguments=order.arguments)
            outcome = await execute(call, worker.granted(order.grant), report)
            print(msgspec.json.encode(outcome, enc_hook=str).decode(), flush=True)
        nursery.cancel_scope.cancel()


def main(socket_fd: str, given: str) -> None:
    case = msgspec.msgpack.decode(bytes.fromhex(given), type=Setup)
    if not case.namespaces and (machine := seccomp.here()):
        system_calls.prctl(system_calls.PR_SET_NO_NEW_PRIVS, 1)
        unshare_only = seccomp.program(machine, internet=True)
        seccomp.install(unshare_only)
    setup.prepare(case.settings, int(socket_fd))
    print(os.getpid(), os.environ[levels.REACHED], os.environ["TMPDIR"], sep="\t", flush=True)
    trio.run(serve, case)


if __name__ == "__main__":
    main(*sys.argv[1:])
