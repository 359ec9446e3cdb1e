"""A warm, single-threaded interpreter that forks actors in a few milliseconds. It holds no actor's socket.

An actor is a child of the supervisor, which so learns its exit status as from any child of its own. Where the system
cannot fork for a parent the fork is double: the process in the middle leaves at once, and what it has forked comes to
the supervisor, a child subreaper.
"""

import array
import contextlib
import gc
import os
import select
import signal
import socket
import struct
import sys
from collections import deque
from collections.abc import Sequence

from supervisor.process import sibling
from supervisor.process.host import become_actor, die_with_parent, warm

PID = struct.Struct("!i")
NOBODY = 0
"""In place of a pid."""
LONGEST_REQUEST = 4096


def serve(control: socket.socket, supervisor: int, preload: Sequence[str], *, greets: bool = False) -> None:
    """Fork an actor for each socket that arrives, answer with its pid; return when the supervisor is gone.

    greets: it says NOBODY first, once what is shared is imported.
    """
    for ignored in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTSTP):
        signal.signal(ignored, signal.SIG_IGN)
    die_with_parent(supervisor, signal.SIGKILL)
    gc.disable()
    ahead = deque(preload)
    while ahead:
        if not _is_asked(control):
            _warm_for_all([ahead.popleft()])
        elif not _serve_one(control):
            return
    if greets:
        control.send(PID.pack(NOBODY))
    while _serve_one(control):
        pass


def _is_asked(control: socket.socket) -> bool:
    return bool(select.select([control], [], [], 0)[0])


def _warm_for_all(modules: Sequence[str]) -> None:
    """What is imported here is shared by every actor that is forked from now on."""
    if any(module not in sys.modules for module in modules):
        with contextlib.suppress(Exception):  # the actor that needs it says what is wrong, and dies of it alone
            warm(modules)
        gc.freeze()  # a collection in a child would otherwise copy the parent's pages


def _serve_one(control: socket.socket) -> bool:
    """False when the supervisor is gone."""
    try:
        request, ancillary, _, _ = control.recvmsg(LONGEST_REQUEST, socket.CMSG_SPACE(array.array("i").itemsize))
    except ConnectionResetError:
        return False
    if not ancillary:
        return False
    descriptor = array.array("i", ancillary[0][2])[0]
    shared, own = request.decode().split("\n")
    _warm_for_all(shared.split())
    control.send(PID.pack(_fork_actor(control, descriptor, own.split())))
    os.close(descriptor)
    return True


def _fork_actor(control: socket.socket, descriptor: int, modules: Sequence[str]) -> int:
    pid = sibling.fork()
    if pid is None:
        pid = _fork_twice()
    if pid == 0:
        control.close()
        gc.enable()
        warm(modules)
        os._exit(become_actor(socket.socket(fileno=descriptor)))
    return pid


def _fork_twice() -> int:
    """As os.fork, but that the child's parent is ours, or who takes its place."""
    told, tell = os.pipe()
    gone, middle_lives = os.pipe()
    middle = os.fork()
    if middle == 0:
        first_parent = os.getpid()
        actor = os.fork()
        if actor:
            os.write(tell, PID.pack(actor))
            os._exit(0)
        os.close(middle_lives)
        os.read(gone, 1)  # end of file: the middle is going
        while os.getppid() == first_parent:  # a system closes its files before it names another parent
            os.sched_yield()
        for unused in (told, tell, gone):
            os.close(unused)
        return 0
    os.close(middle_lives)
    os.close(tell)
    (pid,) = PID.unpack(os.read(told, PID.size))
    os.waitpid(middle, 0)
    for used in (told, gone):
        os.close(used)
    return int(pid)


def ask_fork(control: socket.socket, end: socket.socket, shared: Sequence[str] = (), own: Sequence[str] = ()) -> None:
    """The supervisor's side: hand one end of a socketpair over, and what is imported before the actor has its Boot.

    shared: by the zygote, once for all that are forked later; own: by the actor alone. The answer is a pid (PID).
    Raises OSError.
    """
    request = f"{' '.join(shared)}\n{' '.join(own)}"
    control.sendmsg([request.encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [end.fileno()]))])
