"""Inside an actor's process: become the actor that the first frame on the socket describes, and nothing more.

The same for every way to start a process: forked from the zygote, or a fresh interpreter.
"""

import ctypes
import importlib
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

import msgspec
import trio

from actors import messages
from actors.mailbox import Link, Mailbox
from actors.messages.base import Done, Envelope
from actors.settings import secret_variables
from actors.settings.config import Settings
from supervisor.process import chaos
from supervisor.process.wire import LENGTH, Connection, frame

PR_SET_PDEATHSIG = 1
M_MMAP_THRESHOLD, LARGE = -3, 68 * 1024
"""As malloc.h of glibc has it; bytes, a little more than httpcore and trio make room for with each read."""


class Boot(msgspec.Struct, frozen=True, kw_only=True):
    """The first frame: who to become."""

    name: str
    entry: str
    prepare: str
    settings: msgspec.Raw
    life: int
    """Unique in the session; keeps the request ids of successive lives apart."""
    supervisor: int
    """Its pid."""
    secrets: bool
    terminal: bool
    fault: chaos.Fault | None
    failures: int = 0
    """So many earlier lives ended by their own fault, not long ago."""


# Built here, before anybody is forked.
_LIBC = ctypes.CDLL(None)
_read_envelope = msgspec.msgpack.Decoder(Envelope).decode
_read_boot_body = msgspec.msgpack.Decoder(Boot).decode
_read_settings = msgspec.msgpack.Decoder(Settings).decode


def warm(modules: Iterable[str]) -> None:
    """Import what an actor will need, before it is known which one."""
    for module in modules:
        importlib.import_module(module)


def first_steps() -> None:
    """What every actor does first, done once before they are forked: its pages are shared, its time is saved."""
    messages.warm()
    secret_variables.here()
    trio.run(_rehearse)


async def _rehearse() -> None:
    """One request between two mailboxes."""
    ends = socket.socketpair()
    async with trio.open_nursery() as nursery:
        asker, server = (_rehearsing(nursery, end) for end in ends)
        nursery.start_soon(_answer_one, server)
        await asker.ask("", Done(), Done)
        nursery.cancel_scope.cancel()
    for end in ends:
        end.close()


def _rehearsing(nursery: trio.Nursery, end: socket.socket) -> Mailbox:
    end.setblocking(False)
    connection = Connection(end)
    mailbox = Mailbox("", connection)
    nursery.start_soon(connection.write)
    nursery.start_soon(mailbox.pump)
    return mailbox


async def _answer_one(mailbox: Mailbox) -> None:
    async for request in mailbox:
        request.reply(Done())


def become_actor(end: socket.socket) -> int:
    """Block for the Boot, then be that actor until it is over. Returns the exit code."""
    try:
        boot = _read_boot(end)
    except ConnectionError:
        return 0  # the session ended before it began
    _detach(boot)
    try:
        settings = _read_settings(boot.settings)
        if not boot.secrets:
            secret_variables.forget({provider.api_key_env for provider in settings.providers.values()})
        if boot.prepare:
            prepare: Callable[[Settings, int], None] = _resolve(boot.prepare)
            prepare(settings, end.fileno())
        chaos.arm_timer(boot.fault)
        run: Callable[[Mailbox, Settings], Awaitable[None]] = _resolve(boot.entry)
        end.setblocking(False)
        trio.run(_live, end, boot, run, settings)
    except BaseException as error:  # noqa: BLE001  # the last words of a process that ends now, whatever the cause
        _last_words(end, error)
        return 1
    return 0


async def _live(
    end: socket.socket, boot: Boot, run: Callable[[Mailbox, Settings], Awaitable[None]], settings: Settings
) -> None:
    connection = Connection(end)
    link: Link = connection
    if boot.fault is not None and boot.fault.when != "time":
        link = chaos.FaultyLink(connection, boot.fault)
    mailbox = Mailbox(boot.name, link, first_id=(boot.life << 32) + 1, failures=boot.failures)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        nursery.start_soon(mailbox.pump)
        await run(mailbox, settings)
        await connection.drain()
        nursery.cancel_scope.cancel()


def _read_boot(end: socket.socket) -> Boot:
    end.setblocking(True)
    head = _read_exactly(end, LENGTH.size)
    envelope = _read_envelope(_read_exactly(end, LENGTH.unpack(head)[0]))
    return _read_boot_body(envelope.body)


def _read_exactly(end: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count:
        more = end.recv(count - len(data))
        if not more:
            raise ConnectionResetError("the supervisor is gone")
        data += more
    return data


def _detach(boot: Boot) -> None:
    """Signals, session, streams and environment as befits an actor; and death when the supervisor dies."""
    for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGPIPE):
        signal.signal(ignored, signal.SIG_IGN)
    if boot.terminal:
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)  # it stops with its job; the zygote does not
    else:
        os.setsid()  # a Ctrl-C of the terminal is for the supervisor and the screen
    if boot.name != "ui":
        _silence()
    _map_large_blocks()
    die_with_parent(boot.supervisor, signal.SIGTERM if boot.terminal else signal.SIGKILL)
    _name_process(f"trouper {boot.name}")


def _silence() -> None:
    """An actor has no standard streams: a stray print must not reach the screen."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    os.close(nothing)


def _map_large_blocks() -> None:
    """So that they go back to the system when they are free. see DECISIONS: large blocks"""
    if hasattr(_LIBC, "mallopt"):  # of glibc alone
        _LIBC.mallopt(M_MMAP_THRESHOLD, LARGE)


def die_with_parent(parent: int, by: signal.Signals) -> None:
    """Linux; elsewhere the end of the socket is the only lifeline. The parent must be the real one by now."""
    if sys.platform != "linux":
        return
    _LIBC.prctl(PR_SET_PDEATHSIG, by.value, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)  # it died before we could say so


def _name_process(title: str) -> None:
    """What ps and top show as the command's name (15 characters, Linux)."""
    if sys.platform == "linux":
        _LIBC.prctl(15, title.replace("trouper ", "tr:").encode()[:15], 0, 0, 0)


def _resolve(entry: str) -> Any:  # noqa: ANN401  # what a string names, only its user knows
    module, _, function = entry.partition(":")
    return getattr(importlib.import_module(module), function)


def _last_words(end: socket.socket, error: BaseException) -> None:
    """Type and place of the error to the supervisor; not its text, which may quote a message."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    place = ""
    trace = error.__traceback__
    while trace is not None:
        place = f"{'/'.join(trace.tb_frame.f_code.co_filename.split('/')[-3:])}:{trace.tb_lineno}"
        trace = trace.tb_next
    body = msgspec.Raw(msgspec.msgpack.encode(f"{type(error).__name__} at {place}"))
    try:
        end.setblocking(True)
        end.settimeout(1.0)
        end.sendall(frame(Envelope(kind="crashed", to="", sender="", id=0, body=body)))
    except OSError:
        return  # nobody listens any more
