"""The window for other terminals: a socket that answers whoever connects with the tree of actors, as JSON, and closes.

It lies in TROUPER_HOME/run, a folder of the user alone, and takes nothing in.
"""

import os
import socket
from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
import trio

from actors.messages.system import Tree

SUFFIX = ".sock"
LONGEST_PATH = 100
"""Bytes; a unix socket's address holds 104 to 108."""


def address(path: Path) -> str:
    """The path, or, when it is too long for a socket, the same folder through a file descriptor (Linux)."""
    if len(os.fsencode(path)) <= LONGEST_PATH:
        return str(path)
    return f"/proc/self/fd/{_folder(path.parent)}/{path.name}"


@cache
def _folder(path: Path) -> int:
    return os.open(path, os.O_RDONLY | os.O_CLOEXEC)


async def serve(path: Path, describe: Callable[[], Tree]) -> None:
    """Until cancelled; the socket file goes with it."""
    listener = trio.socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        unborn = path.with_suffix(".starting")
        await listener.bind(address(unborn))
        listener.listen()
        unborn.rename(path)  # whoever finds the path is answered; a refusal means that we are dead
        while True:
            client, _ = await listener.accept()
            await _answer(client, describe())
    except OSError:
        return  # no window then; the session itself needs none
    finally:
        listener.close()
        _remove(path)


async def _answer(client: trio.socket.SocketType, tree: Tree) -> None:
    data = msgspec.json.encode(tree)
    with client, trio.move_on_after(1):
        while data:
            try:
                data = data[await client.send(data) :]
            except OSError:
                return


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
