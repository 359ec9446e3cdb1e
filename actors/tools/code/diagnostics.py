"""After an edit: the errors of the changed files that were not there before, added to its result.

Each checker runs on the file before and after the edit; what it said last is remembered, so that of several edits in a
row only the first has to wait for both. Nothing of it fails an edit, and all of it together has a time limit.
"""

import os
from collections import Counter
from collections.abc import Awaitable, Callable
from hashlib import sha256
from pathlib import Path

import msgspec
import trio

from actors.common.plurals import how_many
from actors.common.small_files import read_regular
from actors.confinement.errors import ToolFailed
from actors.confinement.processes.process_trees import Program
from actors.confinement.sandbox import environment
from actors.messages.tool import Grant
from actors.tools import limits
from actors.tools.base import Outcome, Worker
from actors.tools.code import checkers
from actors.tools.code.checkers import Checker, Found
from actors.tools.helper_programs import run_program
from actors.tools.output import Output

MISSING = b""
Key = tuple[str, Path]
"""A checker's program and a file."""


class Clock(msgspec.Struct):
    """What is left of the time for one edit."""

    left: float


class Known(msgspec.Struct, frozen=True):
    digest: bytes
    """Of the text it is about."""
    errors: tuple[Found, ...]


class Diagnostics(msgspec.Struct):
    """Those of one worker."""

    checkers: tuple[Checker, ...] = checkers.ALL
    seconds: float = limits.CHECK_S
    """For all of one edit."""
    _known: dict[Key, Known] = msgspec.field(default_factory=dict)
    _too_slow: set[str] = msgspec.field(default_factory=set)
    """Programs that did not end in time once: they would hold up every edit."""

    async def checked(self, worker: Worker, edit: Callable[[], Awaitable[Outcome]]) -> Outcome:
        """The edit, and what it broke. Its grant names the files that it may change."""
        wanted = self._wanted(worker, [Path(path) for path in worker.grant.paths])
        if not wanted:
            return await edit()
        clock = Clock(self.seconds)
        looking = Grant(hidden=worker.grant.hidden)  # no network, whatever the edit has
        worker = msgspec.structs.replace(worker, grant=looking)
        await self._check(worker, wanted, clock)
        before = {key: self._errors(key) for key in wanted}
        outcome = await edit()
        changed = {each.path for each in outcome.changed}
        again = {key: folder for key, folder in wanted.items() if key[1] in changed and before[key] is not None}
        await self._check(worker, again, clock)
        new = [(key[0], found) for key in again for found in _new(before[key], self._errors(key))]
        return _told(outcome, _once(new), worker)

    def _wanted(self, worker: Worker, paths: list[Path]) -> dict[Key, Path]:
        """Who is to check what, and in which folder."""
        return {
            (checker.program, path): folder
            for path in paths
            for checker in self.checkers
            if checker.program not in self._too_slow and (folder := checker.folder(path, worker.workspace.root))
        }

    async def _check(self, worker: Worker, wanted: dict[Key, Path], clock: Clock) -> None:
        stale = {key: at for key, at in wanted.items() if self._errors(key) is None and _digest(key[1])}
        started = trio.current_time()
        async with trio.open_nursery() as nursery:
            for checker in self.checkers:
                for folder in {folder for (program, _), folder in stale.items() if program == checker.program}:
                    files = [
                        path for (program, path), at in stale.items() if (program, at) == (checker.program, folder)
                    ]
                    nursery.start_soon(self._run, worker, checker, folder, files, clock.left)
        clock.left -= trio.current_time() - started

    async def _run(self, worker: Worker, checker: Checker, folder: Path, files: list[Path], left: float) -> None:
        digests = {path: _digest(path) for path in files}
        argv = checker.argv(files, worker.workspace.root)
        program = Program(argv, folder, environment.for_commands(os.environ), apart=True)
        try:
            ran = await run_program(worker, program, left, Output(limits.CHECK_BYTES, 0))
        except (ToolFailed, OSError):
            return  # it could not be started
        if ran.exit_code is None:
            self._too_slow.add(checker.program)
        if ran.exit_code not in checker.codes:
            return
        errors = checker.errors(ran.output, folder)
        for path in files:
            own = tuple(found for found in errors if found.path == path)
            self._known.pop((checker.program, path), None)
            if digest := digests[path]:
                self._known[checker.program, path] = Known(digest, own)
        for old in list(self._known)[: -limits.CHECK_KNOWN]:
            del self._known[old]

    def _errors(self, key: Key) -> tuple[Found, ...] | None:
        """None: not known for the text as it is."""
        digest = _digest(key[1])
        if digest == MISSING:
            return ()
        known = self._known.get(key)
        return known.errors if known and known.digest == digest else None


def _digest(path: Path) -> bytes | None:
    """None: it is not to be checked."""
    try:
        text = read_regular(path, limits.CHECK_FILE_BYTES + 1)
    except FileNotFoundError:
        return MISSING
    except OSError:
        return None
    return sha256(text).digest() if len(text) <= limits.CHECK_FILE_BYTES else None


def _new(before: tuple[Found, ...] | None, after: tuple[Found, ...] | None) -> list[Found]:
    """By their words alone: an edit moves lines."""
    old = Counter(found.text for found in before or ())
    new = []
    for found in after or ():
        old[found.text] -= 1
        if old[found.text] < 0:
            new.append(found)
    return new


def _once(new: list[tuple[str, Found]]) -> list[Found]:
    """Of a line that several checkers complain about only what the first of them says. new: with who found it."""
    first: dict[tuple[Path, int], str] = {}
    return [found for program, found in new if first.setdefault((found.path, found.line), program) == program]


def _told(outcome: Outcome, new: list[Found], worker: Worker) -> Outcome:
    if not new:
        return outcome
    shown = [f"{worker.workspace.shown(found.path)}:{found.line}: {found.text}" for found in new[: limits.CHECK_SHOWN]]
    more = [f"[and {len(new) - len(shown)} more]"] if len(new) > len(shown) else []
    told = "\n".join(["", "", "Errors that were not there before this change:", *shown, *more])
    return msgspec.structs.replace(
        outcome,
        output=outcome.output.rstrip("\n") + told,
        summary=f"{outcome.summary}, {how_many(len(new), 'new error')}",
    )
