"""Whose commands are whose: each carries its worker's name in its environment, and a locked file says that one lives.

The name is inherited by all that a command starts, and only by that; a number of a process may be anybody's by now.
"""

import os
import secrets
from collections.abc import Iterator
from pathlib import Path

from actors.common import locks

MARK = "TROUPER_CALL"
"""The variable: NAME-CALL."""
WORKER = "TROUPER_WORKER"
"""The variable of a worker that holds its NAME; "" where none could be written down."""
SUFFIX = ".worker"


def begin(home: Path) -> tuple[Path, int]:
    """Of a worker: its file, and the descriptor that locks it for as long as it, or its guardian, lives.

    Raises OSError.
    """
    path = home / "run" / f"{secrets.token_hex(8)}{SUFFIX}"
    return path, locks.take(path)


def fresh_mark() -> str:
    """For one command of this worker."""
    return f"{os.environ.get(WORKER, '')}-{secrets.token_hex(8)}"


def dead_workers(home: Path) -> Iterator[Path]:
    """The files of those that were killed, and so was who should have ended their commands. Raises OSError."""
    for path in sorted((home / "run").glob(f"*{SUFFIX}")):
        if locks.is_free(path):
            yield path


def belongs(environment: bytes, worker: Path) -> bool:
    """environment: of a process, as the kernel has it. worker: its file."""
    return f"\0{MARK}={worker.stem}-".encode() in b"\0" + environment
