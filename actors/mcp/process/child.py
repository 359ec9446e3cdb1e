"""One server as a process with pipes: how it is started, and how all of it ends."""

import os
import shutil
import socket
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common import installed_programs
from actors.mcp import limits
from actors.mcp.errors import NotConnected
from actors.mcp.process import confined, endings
from actors.mcp.process.order import NOT_SET_UP, Order, encoded
from actors.mcp.process.server_log import ServerLog
from actors.settings import secret_variables
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer
from actors.tools.sandbox.environment import CACHES
from actors.tools.sandbox.view import file_view

READ_BYTES = 65_536


@dataclass
class Child:
    process: trio.Process
    lifeline: socket.socket
    """All of it ends when this is closed."""
    stdin: trio.abc.SendStream
    stdout: trio.abc.ReceiveStream

    async def end(self) -> None:
        """Cannot be cancelled, and takes at most the sum of the times in `limits`. A server may have its own at its
        end: memories to write, browsers to close."""
        with trio.CancelScope(shield=True):
            await self.stdin.aclose()
            if not await self._ends_within(limits.CLOSES_S):
                endings.ask_to_leave(self.process.pid)
                await self._ends_within(limits.TERMINATES_S)
            self.lifeline.close()
            if not await self._ends_within(limits.SWEPT_S):
                endings.kill(self.process.pid)
                await self.process.wait()
            await self.stdout.aclose()

    async def _ends_within(self, seconds: float) -> bool:
        """What it prints meanwhile is nobody's, and must not hold it up."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._drain)
            with trio.move_on_after(seconds) as scope:
                await self.process.wait()
            nursery.cancel_scope.cancel()
        return not scope.cancelled_caught

    async def _drain(self) -> None:
        try:
            while await self.stdout.receive_some(READ_BYTES):
                pass
        except (trio.BusyResourceError, trio.ClosedResourceError, trio.BrokenResourceError):
            return  # somebody reads it as it is

    @property
    def why_ended(self) -> str:
        code = self.process.returncode
        if code is None:
            return "it has closed its output"
        if code == NOT_SET_UP:
            return "its sandbox could not be set up"
        return f"it has ended with code {code}" if code else "it has ended"


async def start(server: McpServer, settings: Settings, log: ServerLog, nursery: trio.Nursery) -> Child:
    """server: its variables filled in. nursery: hears its stderr. Raises NotConnected."""
    cwd = _folder(server, settings)
    argv = (_program(server, settings, cwd), *server.args)
    ours, theirs = socket.socketpair()
    # as the spawner does: this program and its guardian can be looked at by whatever runs unconfined
    environment = {name: value for name, value in os.environ.items() if not secret_variables.SECRET.search(name)}
    try:
        with theirs:
            process = await trio.lowlevel.open_process(
                confined.command(theirs.fileno()),
                stdin=-1,
                stdout=-1,
                stderr=-1,
                cwd="/",
                env=environment,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
    except OSError as error:
        ours.close()
        raise NotConnected(f"it could not be started: {error.strerror or error}") from error
    if process.stdin is None or process.stdout is None or process.stderr is None:
        raise NotConnected("it has no pipes")  # it was started with all three
    nursery.start_soon(partial(_hear, process.stderr, log))
    child = Child(process, ours, process.stdin, process.stdout)
    try:
        await _hand_over(ours, _order(server, settings, argv, cwd))
    except BaseException:
        await child.end()
        raise
    return child


def _folder(server: McpServer, settings: Settings) -> Path:
    """One of the user's is not started in the workspace unless it says so: there npx, `python -m` and others look first
    for what they run, and whoever wrote the workspace would be given the server's secrets. See DECISIONS."""
    if server.cwd or server.scope == "workspace":
        return Path(settings.cwd, Path(server.cwd).expanduser())
    return _own_folder(server, settings) or Path("/")


def _own_folder(server: McpServer, settings: Settings) -> Path | None:
    """None: it cannot be made."""
    folder = file_view.server_cache(settings.home, server.name)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError:
        return None
    return folder.resolve()


def _order(server: McpServer, settings: Settings, argv: tuple[str, ...], cwd: Path) -> Order:
    sandboxed = server.sandbox and not settings.unrestricted and settings.sandbox != "none"
    alone = msgspec.structs.replace(
        settings,
        worker="mcp",
        mcp=(msgspec.structs.replace(server, command=argv[0], env={}, headers={}),),
        sandbox=settings.sandbox if sandboxed else "none",
        mcp_left_out=(),
        providers={},
        front=msgspec.Raw(b"\xc0"),
    )
    environment = {**(_caches(server, settings) if sandboxed else {}), **server.env, "PATH": _path(server, settings)}
    network = server.network or not sandboxed
    return Order(settings=alone, argv=argv, cwd=str(cwd), environment=environment, network=network, sandboxed=sandboxed)


def _caches(server: McpServer, settings: Settings) -> dict[str, str]:
    """Else every start would fetch it anew: in the sandbox the user's own cannot be written."""
    folder = _own_folder(server, settings)
    return {variable: str(folder / name) for variable, name in CACHES.items()} if folder is not None else {}


def _path(server: McpServer, settings: Settings) -> str:
    ours = installed_programs.workspaces_last(os.environ.get("PATH", os.defpath), Path(settings.cwd))
    return server.env.get("PATH", ours)


def _program(server: McpServer, settings: Settings, cwd: Path) -> str:
    """Raises NotConnected."""
    change = f"as `command` in {server.source}"
    if not cwd.is_dir():
        raise NotConnected(f"its folder {cwd} does not exist. Change `cwd` in {server.source}", final=True)
    word = str(Path(server.command).expanduser())
    found = shutil.which(str(cwd / word) if "/" in word else word, path=_path(server, settings))
    if found is None:
        raise NotConnected(
            f"there is no program {server.command}. Install it, or give its whole path {change}", final=True
        )
    return found


async def _hand_over(lifeline: socket.socket, order: Order) -> None:
    lifeline.setblocking(False)
    stream = trio.socket.from_stdlib_socket(lifeline.dup())
    with stream:
        rest = memoryview(encoded(order))
        try:
            while rest:
                rest = rest[await stream.send(rest) :]
        except OSError as error:
            raise NotConnected(f"it could not be started: {error.strerror or error}") from error


async def _hear(stderr: trio.abc.ReceiveStream, log: ServerLog) -> None:
    async with stderr:
        async for data in stderr:
            log.hear(bytes(data).decode("utf-8", "replace"))
