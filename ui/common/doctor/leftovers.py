"""What dead sessions have left: processes, sockets, locks, worktrees, temporary files. Looking removes nothing."""

import os
import socket
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from actors.common import locks
from actors.common.folders import left_commands, lives, worktree_places
from actors.common.small_files import read_regular
from ui.common.doctor.rows import Row

BY_ITSELF = "the next session removes them; nothing has to be done"
MOST = 64
"""Bytes of an owner's file."""
ANSWERS_S = 1.0


def rows(home: Path) -> Sequence[Row]:
    run = home / "run"
    looks: dict[str, tuple[Callable[[], Sequence[str]], str]] = {
        "processes": (lambda: _processes(home), "the next session ends them; now: kill -9 the numbers"),
        "sockets": (lambda: [path.name for path in sorted(run.glob("*.sock")) if _is_dead(path)], BY_ITSELF),
        "locks": (lambda: [path.name for path in sorted(run.glob("*.lock")) if _is_stale(path)], BY_ITSELF),
        "temporary files": (lambda: [path.name for path in _folders()], BY_ITSELF),
        "worktrees": (
            lambda: list(_worktrees(home)),
            "trouper worktrees list shows all; trouper worktrees remove KEY removes one",
        ),
    }
    found = [row for name, (look, advice) in looks.items() if (row := _row(name, look(), advice))]
    return found or [Row(name="left over", found="nothing of dead sessions")]


def _row(name: str, found: Sequence[str], advice: str) -> Row | None:
    if not found:
        return None
    more = ", ..." if len(found) > 3 else ""
    said = f"{len(found)} of dead sessions: {', '.join(found[:3])}{more}"
    return Row(name=f"left over: {name}", state="note", found=said, advice=advice)


def _processes(home: Path) -> list[str]:
    workers = list(left_commands.dead_workers(home))
    if not workers:
        return []
    return [
        str(pid)
        for pid, environment in _environments()
        if any(left_commands.belongs(environment, one) for one in workers)
    ]


def _environments() -> Iterator[tuple[int, bytes]]:
    with suppress(OSError):
        for name in os.listdir("/proc"):  # noqa: PTH208  # names are all we need
            if name.isdecimal() and int(name) != os.getpid():
                with suppress(OSError):
                    yield int(name), Path(f"/proc/{name}/environ").read_bytes()


def _is_dead(path: Path) -> bool:
    """Nobody listens. It is only connected to."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
            client.settimeout(ANSWERS_S)
            client.connect(str(path))
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def _is_stale(path: Path) -> bool:
    """Of those that say who holds them: others are there all the time."""
    with suppress(OSError):
        return bool(locks.said(path)) and locks.is_free(path)
    return False


def _folders() -> Iterator[Path]:
    for path in sorted(Path(tempfile.gettempdir(), f"trouper-{os.getuid()}").glob("*")):
        with suppress(OSError, ValueError):
            if not lives.goes_on(read_regular(path / "owner", MOST).decode()):
                yield path


def _worktrees(home: Path) -> Iterator[str]:
    """Copies whose repository is gone, or that are not whole: nobody can merge them."""
    for folder in sorted((home / worktree_places.FOLDER).glob("*")):
        note = worktree_places.note_in(folder)
        if note is None:
            if any(folder.iterdir()) and not (folder / worktree_places.NOTE).exists():
                yield f"{folder.name} (not whole)"
        elif not Path(note.common).exists():
            yield f"{note.key} (its repository {note.repository} is gone)"
