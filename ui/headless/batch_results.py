"""The result file of a batch: a line a task, only ever appended to; a torn last line is cut off."""

import os
import re
from pathlib import Path

import msgspec

from actors.messages.usage import Usage as Used
from ui.common import json_text
from ui.common.usage_errors import Usage


class Result(msgspec.Struct):
    """What we read of a line."""

    id: str
    reason: str
    session: str
    usage: Used | None = None
    """None: nobody has counted it."""

    @property
    def used(self) -> Used:
        return self.usage or Used()

    def is_of(self, run_id: str) -> bool:
        return self.session.startswith(f"{run_id}-")


def finished_ids(out: Path, run_id: str) -> set[str]:
    """Tasks whose result is in the file: "done", or however it ended when it is of this run.

    A torn last line, of a run that was killed, is cut off. Raises Usage and leaves alone what no batch has written.
    """
    return {result.id for result in results(out) if result.reason == "done" or result.is_of(run_id)}


def check_writable(out: Path) -> None:
    """Before anything is paid for. Raises Usage."""
    if not out.parent.is_dir():
        raise Usage(f"cannot write {out}: there is no folder {out.parent}.")
    if not os.access(out if out.exists() else out.parent, os.W_OK):
        raise Usage(f"cannot write {out}: you may not.")


def results(out: Path) -> list[Result]:
    """Those in the file, [] when there is none. Cuts and raises as `finished_ids`."""
    if not out.exists():
        return []
    data = _read_regular(out)
    *lines, torn = data.split(b"\n")
    try:
        found = [msgspec.json.decode(line, type=Result) for line in lines if line.strip()]
    except msgspec.DecodeError as error:
        raise _no_results(out, str(error)) from error
    if not begins_like_a_result(torn):
        raise _no_results(out, "the last line is none")
    if torn:
        os.truncate(out, len(data) - len(torn))
    return found


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


def append_line(out: Path, line: dict[str, object]) -> None:
    """Whole or not at all. Raises OSError."""
    data = json_text.line(line).encode()
    with out.open("ab", buffering=0) as file:
        before = os.fstat(file.fileno()).st_size
        try:
            while data:
                data = data[file.write(data) :]
            os.fsync(file.fileno())
        except OSError:
            file.truncate(before)
            raise
