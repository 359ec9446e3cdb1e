"""Asking the running sessions for their trees, from another process. Blocking; removes what dead sessions left."""

import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec

from actors.messages.system import Tree
from supervisor.tree_socket import SUFFIX, address

PATIENCE_S = 2.0


def running(home: Path) -> Iterator[Tree]:
    """The trees of all sessions of this home that answer."""
    for path in sorted((home / "run").glob(f"*{SUFFIX}")):
        try:
            yield ask(path)
        except (ConnectionRefusedError, FileNotFoundError):
            path.unlink(missing_ok=True)  # its supervisor was killed
        except (TimeoutError, msgspec.DecodeError, ConnectionResetError):
            continue  # it is just ending


def ask(path: Path) -> Tree:
    """Raises OSError, msgspec.DecodeError."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(PATIENCE_S)
        client.connect(address(path))
        data = b""
        while more := client.recv(65536):
            data += more
    return msgspec.json.decode(data, type=Tree)
