"""A worktree's changes are brought into the workspace as it is now: all of them, or none and the conflicts are told.

Only files are written, each replaced whole, and no link is followed. What is to come of each is noted before the first
is written, so the same again completes what was broken off, and where it was done already changes nothing.
"""

import os
from pathlib import Path

import msgspec

from actors.checkpoints import file_writer
from actors.checkpoints.comparison import Plan
from actors.checkpoints.repository import Repository
from actors.checkpoints.scan import LEFTOVER
from actors.checkpoints.snapshot import File, above, blob_id, for_people
from actors.checkpoints.worktrees import present, three_ways
from actors.checkpoints.worktrees.keyed_folder import Held
from actors.checkpoints.worktrees.overlaps import overlaps
from actors.checkpoints.worktrees.present import Conflicting, Now
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.three_ways import Result
from actors.checkpoints.worktrees.work import Changes, Entry, Work, opened, record_work, told
from actors.common.small_files import replace_file
from actors.messages.checkpoint import Conflict, WorktreeMerged

MERGED = "merged"
TRIES = 5
"""So often the files here may change while they are merged."""
CHANGED = "more was changed there since that was seen, so nothing was merged."
CLOSED = {b".git", b".trouper"}
"""What decides what is run; only the user changes it."""


class Brought(msgspec.Struct, frozen=True, kw_only=True):
    """Of one file, the latest time. Blobs; "" for nothing."""

    entry: Entry | None
    before: str
    """What was here."""
    result: str
    is_over: bool
    """All of it was written: what is here by now is the user's."""


Merged = dict[bytes, Brought]


def merge(held: Held, paths: tuple[str, ...], seen: str = "") -> WorktreeMerged:
    """seen: as of MergeWorktree. Raises Failed, GitFailed, OSError."""
    note = held.noted()
    workspace = Path(note.repository)
    git, top = held.git(workspace), held.folder / note.name
    work = record_work(git, top, note.base, held.among)
    if seen not in ("", work.id):
        raise refused(CHANGED, "Look at it, then merge again.")
    wanted = _part(work.changes, paths)
    with held.among.merging(note.repository), opened(workspace) as root:
        for _ in range(TRIES):
            merging = _Merging(git, root, _known(held))
            merging.see(work, wanted)
            if merging.conflicts:
                return WorktreeMerged(conflicts=merging.told())
            if not merging.is_still():
                continue
            merging.clean()
            merging.note(held, is_over=False)
            if failures := merging.carry_out():
                return WorktreeMerged(conflicts=failures)
            merging.note(held, is_over=True)
            warnings = (*told(work.lost), *overlaps(held, wanted))
            return WorktreeMerged(files=tuple(map(for_people, sorted(merging.results))), warnings=warnings)
    raise refused(f"the files of {workspace} change all the time.", "Stop what writes them, then merge again.")


class _Merging(msgspec.Struct):
    git: Repository
    root: int
    known: Merged
    seen: dict[bytes, Now | None] = msgspec.field(default_factory=dict)
    results: dict[bytes, Result] = msgspec.field(default_factory=dict)
    conflicts: dict[bytes, str] = msgspec.field(default_factory=dict)
    entries: Changes = msgspec.field(default_factory=dict)

    def see(self, work: Work, wanted: Changes) -> None:
        """Raises GitFailed, OSError."""
        self.entries = wanted
        with self.git.blobs() as blobs:
            for path, entry in sorted(wanted.items()):
                try:
                    self._refuse(path)
                    now = self.seen[path] = present.seen(self.root, path, wanted)
                    if self._is_done(path, entry, now):
                        continue
                    result = three_ways.merge(self.git, blobs, work.before.get(path), entry, now)
                except Conflicting as conflict:
                    self.conflicts[path] = str(conflict)
                    continue
                if result is not None:
                    self.results[path] = result

    def _refuse(self, path: bytes) -> None:
        if not CLOSED.isdisjoint(path.lower().split(b"/")):
            raise Conflicting("it decides what may run; only the user changes it")

    def _is_done(self, path: bytes, entry: Entry | None, now: Now | None) -> bool:
        """It was brought before, and since then changed at most by the user; but not where that was taken back."""
        brought = self.known.get(path)
        if brought is None or brought.entry != entry:
            return False
        here = _id(now.data if now else None)
        return here == brought.result or (brought.is_over and here != brought.before)

    def is_still(self) -> bool:
        """All here is as it was seen."""
        try:
            return all(present.seen(self.root, path, self.entries) == now for path, now in self.seen.items())
        except Conflicting:
            return False

    def clean(self) -> None:
        """What one that was broken off had begun to write."""
        if all(brought.is_over for brought in self.known.values()):
            return
        for folder in {path.rpartition(b"/")[0] for path in self.entries}:
            inside = folder + b"/" if folder else folder
            file_writer.clean(self.root, present.named(self.root, inside, LEFTOVER))

    def note(self, held: Held, *, is_over: bool) -> None:
        """Raises OSError."""
        brought = dict(self.known)
        for path, result in self.results.items():
            now = self.seen[path]
            before = _id(now.data if now else None)
            brought[path] = Brought(entry=self.entries[path], before=before, result=_id(result.data), is_over=is_over)
        if self.results:
            replace_file(held.folder / MERGED, msgspec.msgpack.encode(brought))

    def carry_out(self) -> tuple[Conflict, ...]:
        """What could not be written; then all is as it was. Raises GitFailed, OSError."""
        before = {path: _as_it_was(self.seen[path]) for path in self.results}
        each = (*self.results.values(), *before.values())
        contents = {blob_id(one.data): one.data for one in each if one.data is not None}
        failures = file_writer.carry_out(self.root, _plan(self.root, self.results), contents.__getitem__)
        if not failures:
            return ()
        file_writer.carry_out(self.root, _plan(self.root, before), contents.__getitem__)
        return tuple(Conflict(path=for_people(path), why=why) for path, why in sorted(failures.items()))

    def told(self) -> tuple[Conflict, ...]:
        return tuple(Conflict(path=for_people(path), why=why) for path, why in sorted(self.conflicts.items()))


def _as_it_was(now: Now | None) -> Result:
    return Result(now.mode, now.data) if now else Result(0, None)


def _plan(root: int, results: dict[bytes, Result]) -> Plan:
    gone = [path for path, result in results.items() if result.data is None]
    write = {path: File(each.mode, _id(each.data)) for path, each in sorted(results.items()) if each.data is not None}
    needed = {folder for path in write for folder in above(path)}
    removed = {folder for path in gone for folder in above(path)} - needed
    removed.update(folder for path in write for folder in (path + b"/", *present.folders_in(root, path + b"/")))
    making = sorted(folder for folder in needed if not present.is_folder(root, folder))
    return Plan(
        remove=sorted(gone),
        remove_folders=sorted(removed, reverse=True),
        make_folders=making,
        write=write,
        folder_modes=dict.fromkeys(making, 0o755),
        kept=[],
        not_restored={},
        left_out={},
    )


def _part(changes: Changes, paths: tuple[str, ...]) -> Changes:
    if not paths:
        return changes
    tops = [os.fsencode(os.path.normpath(path)) for path in paths]
    return {path: entry for path, entry in changes.items() if any(_is_in(path, top) for top in tops)}


def _is_in(path: bytes, top: bytes) -> bool:
    return top in (b".", path) or path.startswith(top + b"/")


def _id(data: bytes | None) -> str:
    return "" if data is None else blob_id(data)


def _known(held: Held) -> Merged:
    try:
        return msgspec.msgpack.decode((held.folder / MERGED).read_bytes(), type=Merged)
    except (OSError, msgspec.DecodeError):
        return {}
