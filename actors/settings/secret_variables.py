"""Which variables of the environment hold secrets, by their names; what in an address is one; and forgetting them."""

import os
import re
from collections.abc import Iterator, Set
from functools import cache
from pathlib import Path

NAMES = r"(?:api_?key|access_?key|private_?key|secret|token|passw|passphrase|credential|auth(?!_?sock|ority|or))"
SECRET = re.compile(rf"{NAMES}|_pwd$|(?:^|_)(?:keys?|pat|dsn|pass|webhook|cookie|jwt|bearer)(?![a-z])", re.IGNORECASE)
"""What is in the name of such a variable."""
BEFORE_HOST = re.compile(r"(?:^|(?<=://))([^\s/@:]{0,512})(?::(?!\d{1,5}/|//)([^\s@]{1,512}))?@(?=[\w\[])")
"""Of an address, with or without a scheme: the user and the password. A number and a slash are a port and a path;
two slashes come after a scheme."""
PIECE = re.compile(r"[A-Za-z0-9]{12,}")
"""Longer than names and dates are."""


def credentials(text: str) -> Iterator[str]:
    """Of the addresses in it. A user alone is one where nobody would be called so."""
    for user, password in BEFORE_HOST.findall(text):
        if password or is_opaque(user):
            yield password or user


def is_opaque(word: str) -> bool:
    """Letters and digits that no person thought of."""
    return any(not (piece.isalpha() or piece.isdigit()) for piece in PIECE.findall(word))


@cache
def here() -> tuple[str, ...]:
    """Variables of this environment that look like secrets."""
    return tuple(name for name in os.environ if SECRET.search(name))


def forget(more: Set[str] = frozenset()) -> None:
    """Variables that look like secrets, and these; also from /proc/PID/environ, which shows them after unsetenv too."""
    import ctypes  # who asks about names alone does without

    for name in (*here(), *more):
        os.environ.pop(name, None)
    start, end = _environment_block()
    for item in ctypes.string_at(start, end - start).split(b"\0"):
        name = item.partition(b"=")[0].decode("latin-1")
        if SECRET.search(name) or name in more:
            ctypes.memset(start, 0, len(item))
        start += len(item) + 1


def _environment_block() -> tuple[int, int]:
    """Where the kernel put what we were started with; nowhere outside Linux."""
    try:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0, 0
    return int(fields[47]), int(fields[48])  # env_start and env_end in proc_pid_stat(5)
