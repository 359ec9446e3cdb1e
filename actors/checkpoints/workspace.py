"""One workspace: its files recorded, compared with an earlier record, and brought back. Blocks; nothing is remembered.

Two programs may work in one workspace: what is done to its repository is done by one of them at a time.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from actors.checkpoints import bundle, comparison, file_writer, known_files, open_folders
from actors.checkpoints.comparison import Plan
from actors.checkpoints.ignored import Patterns
from actors.checkpoints.recording import Place, Recorded, Wanted, record
from actors.checkpoints.repository import IMPORTED, PREVIEWS, REFS, GitFailed, Import, Repository
from actors.checkpoints.scan import AFTERWARDS
from actors.checkpoints.snapshot import Snapshot
from actors.common import installed_programs
from actors.errors import Failed, failed
from actors.messages.base import Done
from actors.messages.checkpoint import (
    BundleCheckpoints,
    Bundled,
    Checkpoint,
    CheckpointDiff,
    Checkpoints,
    CheckpointSummary,
    DiffCheckpoint,
    Moment,
    RestoreCheckpoint,
    Restored,
    TakeCheckpoint,
    TakeInCheckpoints,
)

MOST_DIFF = 200_000
"""Bytes of a diff that is shown."""
GONE = "The files of then are not kept any more: they are for 30 days, and less where there are many."
PLAIN_NAME = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}")
MOMENTS: tuple[Moment, ...] = ("before", "after", "undo")
FOLDER = "checkpoints"


class Workspace:
    def __init__(self, home: Path, cwd: Path, environ: Mapping[str, str]) -> None:
        """Raises Failed where there are no checkpoints at all."""
        self._cwd = cwd.resolve()
        self._home = home
        _refuse(self._cwd, Path(environ.get("HOME") or "/"))
        git = installed_programs.find("git", self._cwd)
        if not git:
            raise failed("no_checkpoint", "git is not installed.")
        self._latest: Recorded | None = None
        """What was committed last, so that it need not be read."""
        folder = home / FOLDER / hashlib.sha256(os.fsencode(self._cwd)).hexdigest()[:32]
        path = installed_programs.outside(environ.get("PATH", os.defpath), self._cwd)
        self.repository = Repository(folder, git, path)
        with _explained():
            self.repository.create(str(self._cwd))
            self._patterns = Patterns(self.repository, self._cwd, environ)

    def take(self, wanted: TakeCheckpoint, is_wanted: Callable[[], bool]) -> Checkpoint:
        """Raises Failed. is_wanted: as of `record`."""
        ref = _ref(wanted.session_id, wanted.prompt_id, wanted.moment)
        with _explained(), self._open() as place:
            if commit := self.repository.commit_of(ref):
                return Checkpoint(checkpoint_id=commit)
            since, share = None, 1
            if wanted.moment == "after":
                before = self.repository.commit_of(_ref(wanted.session_id, wanted.prompt_id))
                since, share = self._load(before), AFTERWARDS
            taken = self._record(place, Wanted(ref, since=since, share=share, still=is_wanted))
        return Checkpoint(checkpoint_id=taken.commit)

    def records(self, session_id: str) -> Checkpoints:
        found = []
        for ref, commit, at in reversed(self.repository.refs()):
            *_, session, name = ref.split("/")
            moment = next(one for one in MOMENTS if name.endswith(one))
            if session_id in ("", session):
                summary = CheckpointSummary(checkpoint_id=commit, session_id=session, moment=moment, at=at)
                found.append(summary)
        return Checkpoints(checkpoints=tuple(found))

    def bundle(self, wanted: BundleCheckpoints) -> Bundled:
        """Raises Failed."""
        with _explained(), self._locked():
            kept = [*self.repository.refs(IMPORTED), *self.repository.refs(REFS)]
            named = {ref for ref, commit, _ in kept if commit in wanted.checkpoint_ids}
            prompts = {_stem(ref) for ref in named}
            own = tuple(f"{prefix}{_name(wanted.session_id)}/" for prefix in (IMPORTED, REFS))
            chosen = [one for one in kept if one[0].startswith(own) or _stem(one[0]) in prompts]
            if named:
                bundle.write(self.repository, chosen, Path(wanted.path))
        commits = {commit for _, commit, _ in chosen}
        return Bundled(checkpoints=len(commits.intersection(wanted.checkpoint_ids)))

    def take_in(self, wanted: TakeInCheckpoints) -> Done:
        """Raises Failed."""
        home = self._home.resolve()
        closed = [os.fsencode(home.relative_to(self._cwd)) + b"/"] if home.is_relative_to(self._cwd) else []
        with _explained(), self._locked():
            below = f"{IMPORTED}{_name(wanted.session_id)}/"
            bundle.take_in(self.repository, Path(wanted.path), below, closed)
        return Done()

    def diff(self, wanted: DiffCheckpoint) -> CheckpointDiff:
        """Raises Failed."""
        with _explained(), self._open() as place:
            then = self._load(wanted.checkpoint_id)
            now = self._record(place, Wanted(f"{PREVIEWS}now", also=then.files, share=AFTERWARDS))
            planned, records = self._plan(wanted.checkpoint_id, then, now.snapshot, wanted.remove_others)
            with Import(self.repository) as into:
                into.commit(f"{PREVIEWS}then", comparison.result(now.snapshot, planned))
                into.finish()
            old, new = ("then", "now") if wanted.since else ("now", "then")
            text = self.repository.difference(f"{PREVIEWS}{old}", f"{PREVIEWS}{new}", MOST_DIFF)
        return comparison.told(planned, comparison.edited_since(records), text)

    def restore(self, wanted: RestoreCheckpoint) -> Restored:
        """Raises Failed."""
        undo = _ref(wanted.session_id, wanted.restore_id, "undo")
        with _explained(), self._open() as place:
            then = self._load(wanted.checkpoint_id)
            before = self._before(place, undo, then)
            planned, _ = self._plan(wanted.checkpoint_id, then, before.snapshot, wanted.remove_others)
            file_writer.clean(place.root, before.leftovers)
            with self.repository.blobs() as blobs:
                failures = file_writer.carry_out(place.root, planned, blobs.read)
            after = _ref(wanted.session_id, wanted.restore_id, "after")
            first = self._load(self.repository.commit_of(undo))
            self._record(place, Wanted(after, also=then.files, since=first, share=AFTERWARDS))
        written = {path: file for path, file in planned.write.items() if path not in failures}
        done = msgspec.structs.replace(
            planned,
            remove=[path for path in planned.remove if path not in failures],
            write=written,
            not_restored={**planned.not_restored, **failures},
        )
        return Restored(undo_id=self.repository.commit_of(undo), done=comparison.told(done))

    def _before(self, place: Place, undo: str, then: Snapshot) -> Recorded:
        """The files as they are; the first time this is also what the restore can be taken back to."""
        ref = f"{PREVIEWS}now" if self.repository.commit_of(undo) else undo
        return self._record(place, Wanted(ref, also=then.files, share=AFTERWARDS))

    def _record(self, place: Place, wanted: Wanted) -> Recorded:
        """Also where what was kept is damaged. Raises Failed, GitFailed, OSError."""
        try:
            recorded = record(place, wanted)
        except GitFailed:
            known_files.forget(self.repository.folder)  # it may name what is not there any more
            if not self.repository.is_sound():
                self.repository.set_aside()
            recorded = record(place, wanted)
        if recorded.is_new:
            self._latest = recorded
        return recorded

    def _plan(
        self, checkpoint_id: str, then: Snapshot, now: Snapshot, remove_others: bool
    ) -> tuple[Plan, list[tuple[bool, Snapshot]]]:
        """And what was recorded since, for `edited_since`."""
        refs = self._since(checkpoint_id)
        first = next((number for number, (_, commit, _) in enumerate(refs) if commit == checkpoint_id), len(refs))
        records = [(ref.endswith("after"), self._load(commit)) for ref, commit, _ in refs[first:]]
        made = {path for is_end, snapshot in records if is_end for path in snapshot.details.made}
        return comparison.plan(then, now, made, remove_others=remove_others), [*records, (False, now)]

    def _since(self, checkpoint_id: str) -> list[tuple[str, str, float]]:
        """What counts for going back to this: another machine's turns do for its own sessions only."""
        own, imported = self.repository.refs(REFS), self.repository.refs(IMPORTED)
        if any(commit == checkpoint_id for _, commit, _ in own):
            return own
        return sorted([*own, *imported], key=lambda ref: (ref[2], ref[0]))

    def _load(self, commit: str) -> Snapshot:
        """Raises Failed where it is not kept."""
        if self._latest is not None and self._latest.commit == commit:
            return self._latest.snapshot
        if not re.fullmatch(r"[0-9a-f]{40}", commit):
            raise failed("no_checkpoint", GONE)
        try:
            return self.repository.load(commit)
        except GitFailed as error:
            raise failed("no_checkpoint", GONE) from error

    @contextmanager
    def _open(self) -> Iterator[Place]:
        """Nobody else works on it meanwhile. Raises OSError."""
        with self._locked():
            root = os.open(self._cwd, open_folders.FOLDER)
            try:
                yield Place(root, self.repository, self._patterns, _status(self._home))
            finally:
                os.close(root)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Raises OSError."""
        if not self.repository.folder.is_dir():  # nothing was recorded for so long that it was dropped
            self.repository.create(str(self._cwd))
        lock = os.open(self.repository.folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            os.utime(lock)  # when it was used last
            yield
        finally:
            os.close(lock)


def _ref(session_id: str, of: str, moment: Moment = "before") -> str:
    return f"{REFS}{_name(session_id)}/{_short(of)}-{moment}"


def _name(session_id: str) -> str:
    return session_id if PLAIN_NAME.fullmatch(session_id) else _short(session_id)


def _stem(ref: str) -> str:
    """The same for all moments of a prompt."""
    return ref.rpartition("-")[0]


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]


def _refuse(cwd: Path, users_home: Path) -> None:
    if users_home.resolve().is_relative_to(cwd):
        raise failed("no_checkpoint", f"{cwd} is no folder of one project.")


def _status(folder: Path) -> os.stat_result | None:
    try:
        return folder.stat()
    except OSError:
        return None


@contextmanager
def _explained() -> Iterator[None]:
    """Raises Failed instead."""
    try:
        yield
    except Failed:
        raise
    except (GitFailed, OSError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise failed("no_checkpoint", f"{why}.") from error
