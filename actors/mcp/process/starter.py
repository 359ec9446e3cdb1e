"""The process beside an actor that its server is forked from: as it was before the event loop, without any secret.

Forked, not started anew: a fresh interpreter with what the sandbox needs is 0.5 s and 24 MB for each server. It reads
orders from a socket, and of each server it started it says, on a pipe of that server's own, its pid and how it ended.
"""

import array
import gc
import os
import select
import signal
import socket
import struct
import sys
from typing import NoReturn

from actors.confinement.sandbox import guardian
from actors.confinement.sandbox.kernel import system_calls
from actors.mcp.process import confined
from actors.mcp.process.order import NOT_SET_UP
from actors.settings import secret_variables
from actors.settings.config import Settings

NUMBER = struct.Struct("!i")
"""A pid, and then 0, an exit code, or minus a signal."""
GIVEN = 6
"""Descriptors with an order: lifeline; stdin, stdout, stderr; where it is said that the server was reached; where the
two numbers are told."""
PLACE = "TROUPER_STARTER"
"""Variable of the actor: the descriptor on which orders are given, and the pid of who takes them."""


def prepare(settings: Settings, _socket_fd: int) -> None:
    """Called in the actor's fresh process, of one thread, before its event loop."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    actor = os.getpid()
    starter = os.fork()
    if starter == 0:
        try:
            secret_variables.forget({provider.api_key_env for provider in settings.providers.values()})
            guardian.die_with(actor)
            serve(theirs)
        finally:
            os._exit(0)  # whatever happens, the actor's own code must not run twice
    theirs.close()
    os.environ[PLACE] = f"{ours.detach()} {starter}"


def dismiss() -> None:
    """There will be no order, to who is there."""
    if PLACE in os.environ:
        control, starter = map(int, os.environ.pop(PLACE).split())
        os.close(control)
        os.waitpid(starter, 0)


def order(descriptors: list[int]) -> None:
    """Of a server; see GIVEN. What it is, its program reads from the lifeline. Raises OSError: nobody starts one."""
    message = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors))]
    with socket.socket(fileno=os.dup(int(os.environ[PLACE].split()[0]))) as control:
        control.sendmsg([b"start"], message)


def serve(control: socket.socket) -> None:
    """Until whoever gives orders is gone."""
    gc.disable()
    guardian.close_all_but({0, 1, 2, control.fileno()})  # the actor's end, above all, is to be held by nobody else
    if sys.platform == "linux":
        system_calls.prctl(system_calls.PR_SET_NAME, b"tr:starter")
    woken, _ = guardian.wake_on(signal.SIGCHLD)
    watch = select.poll()
    for descriptor in (woken, control.fileno()):
        watch.register(descriptor, select.POLLIN)
    running: dict[int, int] = {}
    while True:
        ready = dict(watch.poll())
        if woken in ready:
            os.read(woken, 64)
            _tell_ends(running)
        if control.fileno() in ready and not _start_one(control, running):
            return


def _start_one(control: socket.socket, running: dict[int, int]) -> bool:
    """False: there will be no other."""
    room = socket.CMSG_SPACE(GIVEN * array.array("i").itemsize)
    _, ancillary, _, _ = control.recvmsg(16, room)
    if not ancillary:
        return False
    *given, told = array.array("i", ancillary[0][2])
    pid = os.fork()
    if pid == 0:
        _become_server(control, given)
    for descriptor in given:
        os.close(descriptor)
    running[pid] = told
    _tell(told, pid)
    return True


def _become_server(control: socket.socket, given: list[int]) -> NoReturn:
    try:
        signal.set_wakeup_fd(-1)
        control.close()
        lifeline, *streams = given
        confined.main(socket.socket(fileno=lifeline), streams)
    finally:
        os._exit(NOT_SET_UP)


def _tell_ends(running: dict[int, int]) -> None:
    for pid in [*running]:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            told = running.pop(pid)
            _tell(told, os.waitstatus_to_exitcode(status))
            os.close(told)


def _tell(told: int, number: int) -> None:
    try:
        os.write(told, NUMBER.pack(number))
    except BrokenPipeError:
        return  # the actor has died, and this process is about to
