"""One server as a process with pipes: how it is started, and how all of it ends."""

import os
import shutil
import socket
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec
import trio

from actors.common import installed_programs
from actors.confinement.processes import start_report
from actors.confinement.sandbox.environment import CACHES
from actors.confinement.sandbox.view import file_view
from actors.mcp import limits
from actors.mcp.errors import NobodyStarts, NotConnected
from actors.mcp.process import endings, starter
from actors.mcp.process.order import Order, encoded
from actors.mcp.process.server_log import ServerLog
from actors.mcp.process.starter import NUMBER
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer

READ_BYTES = 65_536
FIRST_SIGNAL = 128
"""An exit code above is a signal's."""


class Guarded:
    """The guardian of a server: all of that has ended when it has."""

    def __init__(self, pid: int, told: trio.lowlevel.FdStream, reached: int) -> None:
        """told: where its end is. reached: a pipe that says whether the server was, or only its sandbox."""
        self.pid = pid
        self.returncode: int | None = None
        """0, an exit code, or minus a signal."""
        self.was_reached = False
        """Known at its end."""
        self._told = told
        self._reached = reached
        self._waiting = trio.Lock()

    async def wait(self) -> None:
        """Raises NobodyStarts."""
        async with self._waiting:
            if self.returncode is not None:
                return
            self.returncode = await _number(self._told)
            await self._told.aclose()
            os.set_blocking(self._reached, False)
            with suppress(BlockingIOError):  # what the server left behind holds it
                self.was_reached = start_report.has_started(os.read(self._reached, start_report.STATUS_BYTES))
            os.close(self._reached)


@dataclass
class Child:
    process: Guarded
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
        if 0 < code <= FIRST_SIGNAL and not self.process.was_reached:
            return "its sandbox could not be set up"
        return f"it has ended with code {code}" if code else "it has ended"


async def start(server: McpServer, settings: Settings, log: ServerLog, nursery: trio.Nursery) -> Child:
    """server: its variables filled in. nursery: hears its stderr. Raises NotConnected, NobodyStarts."""
    cwd = _folder(server, settings)
    order = _order(server, settings, (_program(server, settings, cwd), *server.args), cwd)
    try:
        lifeline, pipes = _begin()
    except ConnectionError as error:
        raise NobodyStarts from error
    except OSError as error:
        raise NotConnected(f"it could not be started: {error.strerror or error}") from error
    stdin, stdout, stderr, reached, told = pipes
    nursery.start_soon(partial(_hear, trio.lowlevel.FdStream(stderr), log))
    heard = trio.lowlevel.FdStream(told)
    with trio.CancelScope(shield=True):  # it takes a few ms, and what runs has to be known
        process = Guarded(await _number(heard), heard, reached)
    child = Child(process, lifeline, trio.lowlevel.FdStream(stdin), trio.lowlevel.FdStream(stdout))
    try:
        await _hand_over(lifeline, order)
    except BaseException:
        await child.end()
        raise
    return child


def _begin() -> tuple[socket.socket, list[int]]:
    """A process that becomes a server once it has its order: its lifeline, our ends of its pipes. Raises OSError."""
    lifeline, theirs = socket.socketpair()
    with ExitStack() as at_once, ExitStack() as if_not:
        at_once.callback(theirs.close)
        if_not.callback(lifeline.close)
        ours, given = [], [theirs.fileno()]
        for is_read_there in (True, False, False, False, False):
            reading, writing = os.pipe()
            keep, give = (writing, reading) if is_read_there else (reading, writing)
            at_once.callback(os.close, give)
            if_not.callback(os.close, keep)
            ours.append(keep)
            given.append(give)
        starter.order(given)
        if_not.pop_all()
    return lifeline, ours


async def _number(told: trio.lowlevel.FdStream) -> int:
    """Raises NobodyStarts."""
    data = await told.receive_some(NUMBER.size)
    if len(data) < NUMBER.size:
        raise NobodyStarts
    return int(NUMBER.unpack(data)[0])


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
