"""A real sandboxed worker for tests: prepared as the host does it, it runs the commands it is sent on stdin.

As a script: CWD HOME SOCKET_FD [deny-namespaces]. As a module: `Sandboxed`, which starts the script and talks to it.
"""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path
from types import TracebackType

import msgspec
import trio

from actors.config import Settings
from actors.messages.conversation import ToolCall
from actors.tools import linux, sandbox, seccomp
from actors.tools.actor import execute
from actors.tools.base import Outcome, Worker
from actors.tools.processes import Processes
from actors.tools.workspace import open_workspace

ROOT = Path(__file__).parent.parent.parent.parent


class Sandboxed:
    """Close `socket` to be a supervisor that is gone."""

    def __init__(self, cwd: Path, home: Path, *, namespaces: bool = True, environment: dict[str, str]) -> None:
        self.socket, theirs = socket.socketpair()
        with theirs:
            self.guardian = subprocess.Popen(
                [
                    sys.executable,
                    __file__,
                    cwd,
                    home,
                    str(theirs.fileno()),
                    *([] if namespaces else ["deny-namespaces"]),
                ],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
                text=True,
            )
        self.worker, self.level, self.temporary = self._line().split("\t")

    def bash(self, command: str, timeout_s: int = 60) -> Outcome:
        assert self.guardian.stdin is not None
        self.guardian.stdin.write(json.dumps({"command": command, "timeout_s": timeout_s}) + "\n")
        self.guardian.stdin.flush()
        return msgspec.json.decode(self._line(), type=Outcome)

    def __enter__(self) -> "Sandboxed":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.socket.close()
        self.guardian.wait(10)
        for stream in (self.guardian.stdin, self.guardian.stdout):
            assert stream is not None
            stream.close()

    def _line(self) -> str:
        assert self.guardian.stdout is not None
        return self.guardian.stdout.readline().rstrip("\n")


async def serve(settings: Settings) -> None:
    async def report(_text: str) -> None: ...

    async with trio.open_nursery() as nursery:
        worker = Worker(open_workspace(settings.cwd, settings.home), Processes(), nursery)
        while line := await trio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True):
            outcome = await execute(ToolCall(call_id="c", name="bash", arguments=line), worker, report)
            print(msgspec.json.encode(outcome).decode(), flush=True)
        nursery.cancel_scope.cancel()


def main(cwd: str, home: str, socket_fd: str, *deny_namespaces: str) -> None:
    if deny_namespaces and (machine := seccomp.here()):
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        unshare_only = seccomp.program(machine, internet=True)
        seccomp.install(unshare_only)
    settings = Settings(home=home, cwd=cwd, session_id="s", run_id="r")
    sandbox.prepare(settings, int(socket_fd))
    print(os.getpid(), os.environ[sandbox.REACHED], os.environ["TMPDIR"], sep="\t", flush=True)
    trio.run(serve, settings)


if __name__ == "__main__":
    main(*sys.argv[1:])
