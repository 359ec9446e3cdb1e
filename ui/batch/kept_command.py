"""The command that began a batch, kept beside the store: its settings must be known before there is a store to ask."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

import msgspec

from actors.common.small_files import read_regular, replace_file
from ui.batch.task import Task
from ui.common.usage_errors import Usage

FOLDER = "batches"
MOST = 1024 * 1024
LATEST = "latest"


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    run_id: str
    cwd: str
    arguments: tuple[str, ...]
    """As they were given, without what says which batch."""
    tasks: str
    """Absolute path, or "-": then they are beside this."""
    out: str


def run_id_of(out: Path) -> str:
    """The same for the same file of results: whoever writes there goes on with the same batch."""
    return hashlib.sha256(str(out).encode()).hexdigest()[:12]


def stdin_of(home: str, run_id: str) -> Path:
    """Where the tasks of standard input are kept."""
    return Path(home, FOLDER, f"{run_id}.jsonl")


def keep_stdin(path: Path, tasks: Iterable[Task]) -> None:
    """Raises OSError."""
    path.parent.mkdir(mode=0o700, exist_ok=True)
    replace_file(path, b"".join(msgspec.json.encode(task) + b"\n" for task in tasks))


def keep(home: str, kept: Kept) -> None:
    """Raises OSError."""
    folder = Path(home, FOLDER)
    folder.mkdir(mode=0o700, exist_ok=True)
    replace_file(folder / f"{kept.run_id}.json", msgspec.json.encode(kept))


def find(home: str, said: str) -> Kept:
    """By the beginning of its id, the end of its tasks' or results' path, or "latest". Raises Usage."""
    paths = sorted(Path(home, FOLDER).glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    found = [kept for kept in map(_read, paths) if kept is not None]
    if not found:
        raise Usage("there is no batch yet. Begin one with: trouper batch TASKS")
    if said == LATEST:
        return found[0]
    meant = [kept for kept in found if kept.run_id.startswith(said)] or [
        kept for kept in found if kept.tasks.endswith(said) or kept.out.endswith(said)
    ]
    if len(meant) != 1:
        some = ", ".join(f"{kept.run_id} ({kept.tasks})" for kept in (meant or found)[:5])
        raise Usage(f'{"more than one batch is" if meant else "no batch is"} "{said}". There are: {some}')
    return meant[0]


def _read(path: Path) -> Kept | None:
    try:
        return msgspec.json.decode(read_regular(path, MOST), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None
