"""One run of ripgrep: what it prints comes as records, a path and a line of it, and only of files that may be read."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import msgspec
import trio

from actors.common import installed_programs
from actors.confinement.errors import ToolFailed
from actors.confinement.limits import MASKS_S
from actors.confinement.processes.process_trees import Command, Program, read
from actors.confinement.sandbox import environment
from actors.settings.covered_files import candidates
from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.search.name_patterns import Names
from actors.tools.search.restless_files import TICK_NS, Watched
from actors.tools.workspace.folder import Workspace

COMMON = ("--no-config", "--color=never", "--hidden", "--glob=!.git", "--sort=path")
"""The options that every search has."""
Split = Callable[[bytearray], Iterator[tuple[bytes, bytes]]]
"""Takes whole records out of what has come so far."""
EVERY = Names("")
REFUSED = 2
"""Exit code: a bad pattern, an unknown type; without a word also a folder that may not be entered."""
TRIES = 3
MOVED = (
    "Files that a rule of the user hides are being moved here all the time, so nothing that is found can be shown. "
    "End the command that does it, then search again; or search in another folder."
)


class Wanted(msgspec.Struct, frozen=True):
    argv: Sequence[str]
    folder: Path
    """Where it runs."""
    split: Split
    most: int
    """Records."""
    names: Names = EVERY
    """Relative to the folder."""
    most_bytes: int = limits.SEARCH_BYTES
    below: Path | None = None
    """What is searched, absolute; None: the folder."""


class Record(msgspec.Struct, frozen=True):
    path: Path
    """Absolute."""
    line: bytes
    """ "12:text" of a match, "12-text" beside one, a number, or nothing."""


class Found(msgspec.Struct, frozen=True):
    records: list[Record]
    more: bool
    closed: tuple[str, ...] = ()
    """Patterns of rules by which something there was left out."""

    @property
    def left_out(self) -> str:
        """By their patterns: whether such a file matches, and what it is called, is nobody's to learn."""
        return f"[left out, because it may not be read: {', '.join(self.closed)}]" if self.closed else ""


class _Closed(msgspec.Struct, frozen=True):
    places: frozenset[Path] = frozenset()
    """Symlinks resolved."""
    nodes: frozenset[tuple[int, int]] = frozenset()
    """Device and inode of what is there, which stay when it is renamed."""
    patterns: tuple[str, ...] = ()
    watched: Watched | None = None
    """None: there is nothing."""

    async def have_moved(self) -> bool:
        return self.watched is not None and await trio.to_thread.run_sync(self.watched.have_moved)


def ripgrep(workspace: Path) -> str:
    """Raises ToolFailed."""
    if found := installed_programs.ripgrep(workspace):
        return found
    raise ToolFailed("ripgrep (rg) is missing. Reinstall Trouper, or use bash with find and grep.")


def only_paths(data: bytearray) -> Iterator[tuple[bytes, bytes]]:
    while (end := data.find(b"\0")) >= 0:
        path = bytes(data[:end])
        del data[: end + 1]
        yield path, b""


def path_and_line(data: bytearray) -> Iterator[tuple[bytes, bytes]]:
    """The path goes to a NUL byte, so no name of a file can look like another's."""
    done = 0
    while (middle := data.find(b"\0", done)) >= 0 and (end := data.find(b"\n", middle)) >= 0:
        yield bytes(data[done:middle]).removeprefix(b"--\n"), bytes(data[middle + 1 : end])
        done = end + 1
    del data[:done]


async def search(wanted: Wanted, worker: Worker) -> Found:
    """Raises ToolFailed when ripgrep refuses, and where hidden files do not stay where they are."""
    for tries in range(TRIES):
        await trio.sleep(tries * TICK_NS / 1e9)  # a file that was just made looks like one that is just being moved
        held = worker.workspace.followed.places(worker.workspace.patterns)
        closed = await trio.to_thread.run_sync(_closed, wanted, worker.workspace, held)
        try:
            found = await _found(wanted, worker, closed)
        except ToolFailed:
            if not await closed.have_moved():
                raise
        else:
            if not await closed.have_moved():
                return found
    raise ToolFailed(MOVED)


async def _found(wanted: Wanted, worker: Worker, closed: _Closed) -> Found:
    """Raises ToolFailed."""
    argv = [ripgrep(worker.workspace.root), *COMMON, "--no-messages", "--null", *wanted.argv]
    program = Program(argv, wanted.folder, environment.for_commands(os.environ), apart=True, looks=True)

    @lru_cache(maxsize=1)  # the lines of one file come one after the other
    def is_readable(path: Path) -> bool:
        by_name = worker.workspace.is_readable(path) and closed.places.isdisjoint((path, *path.parents))
        return by_name and not _was_hidden(path, closed, worker.workspace)

    command = _started(program, worker)
    records: list[Record] = []
    ended = False
    try:
        with trio.move_on_after(limits.SEARCH_S):
            ended = await _collect(command, wanted, is_readable, records)
        if ended and await command.ended() == REFUSED and (complaint := await _complaint(command)):
            raise ToolFailed(complaint)
        if command.why_ended:
            raise ToolFailed(command.why_ended)
    finally:
        await worker.processes.end(command)
        worker.processes.forget(command)
        command.close()
    return Found(records[: wanted.most], not ended or len(records) > wanted.most, closed.patterns)


def _started(program: Program, worker: Worker) -> Command:
    """Hidden from it, as far as a sandbox can hide so many files, is what rules close: who renames a folder again and
    again meanwhile could get round the look at what was found. Raises ToolFailed, OSError.
    """
    try:
        return worker.processes.start(program, worker.grant)
    except ToolFailed:
        return worker.processes.start(program, msgspec.structs.replace(worker.grant, hidden=()))


def _closed(wanted: Wanted, workspace: Workspace, held: Mapping[Path, tuple[int, int]]) -> _Closed:
    """What rules close there, as far as it is found in time: by its name it is left out all the same.

    held: where those are that were found before, as of `Followed.places`.
    """
    places: set[Path] = set()
    nodes: set[tuple[int, int]] = set()
    patterns: set[str] = set()
    below = wanted.below or wanted.folder
    with suppress(TimeoutError):
        for path, pattern in candidates(workspace.root, workspace.patterns, MASKS_S):
            places |= {path, Path(os.path.realpath(path))}
            if info := _looked_at(path):
                nodes.add((info.st_dev, info.st_ino))
                patterns |= {pattern} if path.is_relative_to(below) else set()
    if not workspace.patterns:
        return _Closed()
    here = tuple(pattern for pattern in workspace.patterns if pattern in patterns)
    watched = Watched(places, held, workspace.root)
    return _Closed(frozenset(places), frozenset(nodes), here, watched)


def _was_hidden(path: Path, closed: _Closed, workspace: Workspace) -> bool:
    """It, or a folder that it is in, wherever that is by now; and also if it is gone: who can tell what it was."""
    if not workspace.patterns:
        return False
    try:
        found = [each.lstat() for each in (path, *path.parents)]
    except OSError:
        return True
    return any((info.st_dev, info.st_ino) in closed.nodes or workspace.is_held(info) for info in found)


def _looked_at(path: Path) -> os.stat_result | None:
    with suppress(OSError):
        return path.lstat()
    return None


async def _collect(
    command: Command, wanted: Wanted, is_readable: Callable[[Path], bool], records: list[Record]
) -> bool:
    """Whether it came to its end."""
    data = bytearray()
    taken = 0
    while more := await read(command.output):
        data += more
        for name, line in wanted.split(data):
            relative = Path(os.fsdecode(name).removeprefix("./"))
            path = wanted.folder / relative
            if wanted.names.fit(relative) and is_readable(path):
                records.append(Record(path, line))
                taken += len(name) + len(line)
        if len(records) > wanted.most or taken > wanted.most_bytes:
            return False
    return True


async def _complaint(command: Command) -> str:
    text = b""
    while more := await read(command.errors):
        text += more
    return text.decode("utf-8", "replace").strip()[:2000]
