"""Which TCP ports the processes of a job listen on (Linux; elsewhere none are found)."""

import os
from collections.abc import Iterator
from pathlib import Path

LISTENING = "0A"
"""State of a socket in /proc/net/tcp, from the kernel's include/net/tcp_states.h."""
SHOWN = 10


def listening(pids: list[int]) -> list[int]:
    """By number. In a network of the job's own all that listens there is its own."""
    found: set[int] = set()
    ours = _network(os.getpid())
    sockets = {inode for pid in pids for inode in _sockets(pid)}
    for network, pid in {_network(pid): pid for pid in pids}.items():
        found |= {port for port, inode in _open(pid) if inode in sockets or (network and network != ours)}
    return sorted(found)[:SHOWN]


def _network(pid: int) -> str:
    """ "" where it cannot be asked."""
    try:
        return str(Path(f"/proc/{pid}/ns/net").readlink())
    except OSError:
        return ""


def _sockets(pid: int) -> Iterator[str]:
    """Inodes of the sockets that it holds."""
    try:
        descriptors = list(Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return
    for descriptor in descriptors:
        try:
            target = str(descriptor.readlink())
        except OSError:
            continue  # closed meanwhile
        if target.startswith("socket:["):
            yield target[len("socket:[") : -1]


def _open(pid: int) -> Iterator[tuple[int, str]]:
    """Port and inode of each listening socket in its network."""
    for name in ("tcp", "tcp6"):
        try:
            rows = Path(f"/proc/{pid}/net/{name}").read_text(encoding="ascii").splitlines()[1:]
        except OSError:
            continue
        for row in rows:
            words = row.split()
            if words[3] == LISTENING:
                yield int(words[1].rpartition(":")[2], 16), words[9]
