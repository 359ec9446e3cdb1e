"""The file of results: a line for each task that has ended, as the journal has it; the journal is always first."""

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path

import msgspec

from actors.common.small_files import replace_file
from actors.messages.batch import TaskRow
from ui.batch.results import Result
from ui.common.usage_errors import Usage


def check_writable(out: Path) -> None:
    """Before anything is paid for. Raises Usage."""
    if not out.parent.is_dir():
        raise Usage(f"cannot write {out}: there is no folder {out.parent}. Make it, or move it back.")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise Usage(f"cannot write {out}: you may not.")


def lines(out: Path) -> list[tuple[str, Result]]:
    """Those in the file as they are written, [] when there is none; without a torn last one.

    Raises Usage for what no batch has written.
    """
    if not out.exists():
        return []
    *whole, torn = _read_regular(out).split(b"\n")
    try:
        found = [(line.decode(), msgspec.json.decode(line, type=Result)) for line in whole if line.strip()]
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _no_results(out, str(error)) from error
    if not begins_like_a_result(torn):
        raise _no_results(out, "the last line is none")
    return found


def agree(out: Path, tasks: Sequence[TaskRow]) -> None:
    """Make the file say what the journal says: each task that has a result once, no other of theirs.

    Lines stay where they are, and those of tasks that the journal does not know. Raises Usage and OSError.
    """
    known = {task.id for task in tasks}
    results = {task.id: task.result for task in tasks if task.result}
    kept: dict[str, str] = {}
    for line, result in lines(out):
        if result.id not in known:
            kept[result.id] = line
        elif results.get(result.id) == line:
            kept.setdefault(result.id, line)
    whole = "".join(f"{line}\n" for line in (kept | results).values())
    if out.exists() and out.read_bytes() == whole.encode():
        return
    if not out.exists():
        append(out, whole)  # with the rights that files here have
        return
    rights = stat.S_IMODE(out.stat().st_mode)
    replace_file(out, whole.encode())
    out.chmod(rights)


def begins_like_a_result(torn: bytes) -> bool:
    """Could one of our lines begin so? The first keys of `report.result` after the id tell it from a task."""
    opening, following = b'{"id":"', b'","answer":'
    if len(torn) < len(opening):
        return opening.startswith(torn)
    task_id = re.match(re.escape(opening) + rb'(?:[^"\\]|\\.)*\\?', torn, re.DOTALL)
    return task_id is not None and following.startswith(torn[task_id.end() :][: len(following)])


def _read_regular(out: Path) -> bytes:
    if not out.is_file():
        raise Usage(f"{out} is there and is not a file. Name another with --out.")
    try:
        return out.read_bytes()
    except OSError as error:
        raise Usage(f"cannot read {out}: {error}.") from error


def _no_results(out: Path, why: str) -> Usage:
    return Usage(f"{out} is there and holds no results of a batch ({why}). Name another file with --out.")


def append(out: Path, text: str) -> None:
    """Whole or not at all, and not through a link that a task has put there. Raises OSError."""
    data = text.encode()
    with open(out, "ab", buffering=0, opener=_no_link) as file:  # a path's open takes no opener
        before = os.fstat(file.fileno()).st_size
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
