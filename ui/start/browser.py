"""Opens addresses in the user's browser, from a process that is none of the session's: the browser must outlive it.

The supervisor ends every process that anything below it has started. So this one is started before, by the launcher;
the front tells it through a named pipe, and it leaves when the launcher has ended.
"""

import os
import select
import sys
import webbrowser
from collections.abc import Mapping
from pathlib import Path

LONGEST = 4096
"""Bytes of an address: what a pipe takes whole."""


def can_show(environ: Mapping[str, str]) -> bool:
    """A browser with windows, or the one that the user names: without, it would be one for the terminal, which is ours.

    An editor that has opened this terminal on another machine names one, too, that shows the page where the user is.
    """
    if environ.get("BROWSER"):
        return True
    if sys.platform == "darwin":
        return "SSH_CONNECTION" not in environ
    return bool(environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"))


def begin(path: str, unseen: frozenset[str]) -> None:
    """Start it. unseen: variables that it does not hand on. Only before there are event loops and threads."""
    os.mkfifo(path, 0o600)
    addresses = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    launcher_ended, _stays_open = os.pipe()
    middle = os.fork()
    if middle == 0:
        if os.fork():
            os._exit(0)
        try:
            _detach(unseen)
            os.close(_stays_open)
            _serve(addresses, launcher_ended)
        finally:
            Path(path).unlink()
            os._exit(0)
    os.waitpid(middle, 0)
    os.close(addresses)
    os.close(launcher_ended)


def open_in_browser(path: str, url: str) -> bool:
    """Asked for by the front. False when nobody is there to do it."""
    data = url.encode() + b"\n"
    if not path or len(data) > LONGEST:
        return False
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        return os.write(descriptor, data) == len(data)
    except OSError:
        return False
    finally:
        os.close(descriptor)


def _detach(unseen: frozenset[str]) -> None:
    os.setsid()
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    for name in unseen:
        os.environ.pop(name, None)


def _serve(addresses: int, launcher_ended: int) -> None:
    poll = select.poll()
    poll.register(addresses, select.POLLIN)
    poll.register(launcher_ended, select.POLLIN | select.POLLHUP)
    while True:
        ready = {descriptor for descriptor, _ in poll.poll()}
        if addresses in ready:
            for url in os.read(addresses, LONGEST).decode().splitlines():
                webbrowser.open(url)
        if launcher_ended in ready:
            return


def opener(path: str) -> str:
    """The pipe through which one is opened, which is made; "" where none can be shown."""
    if not can_show(os.environ):
        return ""
    from actors.settings import secret_variables

    begin(path, frozenset(secret_variables.here()))
    return path
