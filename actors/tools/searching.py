"""One run of ripgrep: what it prints comes as records, a path and a line of it, and only of files that may be read."""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import trio

from actors.tools import limits
from actors.tools.base import Worker
from actors.tools.errors import ToolFailed
from actors.tools.names import Names
from actors.tools.processes import Command, Program, read
from actors.tools.ripgrep import COMMON, ripgrep
from actors.tools.sandbox import environment

Split = Callable[[bytearray], Iterator[tuple[bytes, bytes]]]
"""Takes whole records out of what has come so far."""
EVERY = Names("")
REFUSED = 2
"""Exit code: a bad pattern, an unknown type."""


@dataclass(frozen=True)
class Wanted:
    argv: Sequence[str]
    folder: Path
    """Where it runs."""
    split: Split
    most: int
    """Records."""
    names: Names = EVERY
    """Relative to the folder."""
    most_bytes: int = limits.SEARCH_BYTES


@dataclass(frozen=True)
class Record:
    path: Path
    """Absolute."""
    line: bytes
    """ "12:text" of a match, "12-text" beside one, a number, or nothing."""


@dataclass(frozen=True)
class Found:
    records: list[Record]
    more: bool


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
    """Raises ToolFailed when ripgrep refuses."""
    argv = [ripgrep(worker.workspace.root), *COMMON, "--no-messages", "--null", *wanted.argv]
    program = Program(argv, wanted.folder, environment.for_commands(os.environ), apart=True)
    command = worker.processes.start(program, worker.grant)
    records: list[Record] = []
    ended = False
    try:
        with trio.move_on_after(limits.SEARCH_S):
            ended = await _collect(command, wanted, worker, records)
        if ended and await command.ended() == REFUSED:
            raise ToolFailed(await _complaint(command))
    finally:
        await worker.processes.end(command)
        worker.processes.forget(command)
        command.close()
    return Found(records[: wanted.most], not ended or len(records) > wanted.most)


async def _collect(command: Command, wanted: Wanted, worker: Worker, records: list[Record]) -> bool:
    """Whether it came to its end."""
    data = bytearray()
    taken = 0
    while more := await read(command.output):
        data += more
        for name, line in wanted.split(data):
            relative = Path(os.fsdecode(name).removeprefix("./"))
            path = wanted.folder / relative
            if wanted.names.fit(relative) and worker.workspace.is_readable(path):
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
