"""What of the records is dropped, so that they take a bounded part of the disk: the oldest, and what nobody needs."""

import fcntl
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import trio

from actors.checkpoints import known_files
from actors.checkpoints.repository import IMPORTED, PREVIEWS, REFS, Repository

KEPT_S = 30 * 86_400.0
MOST_RECORDS = 300
"""Of one workspace: about a hundred turns that wrote."""
MOST_BYTES = 1_000_000_000
"""Of one workspace on disk; above it the older half of the records goes."""
MOST_LOOSE = 1_000
"""Files of objects; above it they are packed."""


async def tidy(repository: Repository) -> None:
    """Cancelled, it leaves all as it was or is to be. A workspace where somebody else is at work is left as it is."""
    with _held(repository.folder) as is_ours:
        if not is_ours or not await trio.to_thread.run_sync(_drop, repository):
            return
        known_files.forget(repository.folder)
        for command in (("repack", "-a", "-d", "-q"), ("prune", "--expire=now")):
            argv, environ = repository.command(*command)
            quiet = subprocess.DEVNULL
            await trio.run_process(argv, env=environ, cwd=repository.folder, stdout=quiet, stderr=quiet, check=False)


def expired(refs: Sequence[tuple[str, str, float]], now: float, size: int) -> list[str]:
    """Names of those to drop. refs: oldest first. What came from elsewhere does not push out what is from here."""
    imported = [ref for ref in refs if ref[0].startswith(IMPORTED)]
    own = [ref for ref in refs if not ref[0].startswith(IMPORTED)]
    halved = imported or own if size > MOST_BYTES else []
    dropped: list[str] = []
    for kind in (imported, own):
        old = sum(at < now - KEPT_S for _, _, at in kind)
        many = len(kind) - MOST_RECORDS
        large = (len(kind) + bool(imported)) // 2 if kind is halved else 0
        dropped += [name for name, _, _ in kind[: max(old, many, large)]]
    return dropped


def drop_unused(home: Path, now: float) -> None:
    """Workspaces in which nothing was recorded for as long as a record is kept. Raises OSError."""
    for folder in home.iterdir() if home.is_dir() else ():
        with _held(folder) as is_ours:
            if is_ours and (folder / "lock").stat().st_mtime < now - KEPT_S:
                shutil.rmtree(folder, ignore_errors=True)


def _drop(repository: Repository) -> bool:
    """Is there anything to clear away? Raises OSError."""
    sizes = list(_sizes(repository.folder / "objects"))
    dropped = expired([*repository.refs(IMPORTED), *repository.refs(REFS)], time.time(), sum(sizes))
    previews = [name for name, _, _ in repository.refs(PREVIEWS)]
    if dropped or len(sizes) > MOST_LOOSE:
        for name in (*dropped, *previews):
            (repository.folder / name).unlink(missing_ok=True)
        return True
    return False


def _sizes(folder: Path) -> Iterator[int]:
    for path, _, names in os.walk(folder):
        for name in names:
            try:
                yield Path(path, name).stat().st_size
            except OSError:
                continue


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    try:
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        yield False
        return
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        yield False
    else:
        yield True
    finally:
        os.close(lock)
