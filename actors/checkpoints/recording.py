"""Recording a workspace: what is new of its files is read and kept, and all of them are one commit."""

import os
import stat
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field

import msgspec

from actors.checkpoints import known_files, open_folders
from actors.checkpoints.ignored import Patterns
from actors.checkpoints.known_files import Ignored, Known
from actors.checkpoints.repository import Import, Repository
from actors.checkpoints.scan import OURS, UNSETTLED, Found, Scan, Stamp, scan
from actors.checkpoints.snapshot import Details, File, Snapshot
from actors.errors import failed


class Place(msgspec.Struct, frozen=True):
    """A workspace that is open, and what of it is never recorded."""

    root: int
    """A descriptor of the workspace's folder."""
    repository: Repository
    patterns: Patterns
    home: os.stat_result | None
    """TROUPER_HOME: left alone where it lies in the workspace."""


class Recorded(msgspec.Struct, frozen=True):
    snapshot: Snapshot
    commit: str
    is_new: bool
    """Else the commit is an earlier one of the same files; what was made until then is not in the snapshot."""
    leftovers: list[bytes]
    repositories: list[bytes]
    """Within the workspace, not ignored; none of their files is recorded."""


@dataclass
class _Reading:
    place: Place
    known: Known
    began_ns: int
    into: Import
    files: dict[bytes, File] = field(default_factory=dict)
    seen: dict[bytes, tuple[Stamp, str]] = field(default_factory=dict)
    stored: set[str] = field(default_factory=set)
    unreadable: dict[bytes, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.stored = {*self.known.stored, *(oid for _, oid in self.known.files.values())} - {""}

    def take(self, path: bytes, found: Found) -> None:
        before = self.known.files.get(path)
        if before is not None and before[0] == found.stamp:
            self.files[path], self.seen[path] = File(found.mode, before[1]), before
            return
        self.seen[path] = (UNSETTLED, "")
        if found.is_large:
            return
        try:
            data = _content(self.place.root, path, found)
        except OSError as error:
            self.unreadable[path] = error.strerror or "it cannot be read"
            return
        oid = self.into.blob(data, self.stored)
        self.files[path] = File(found.mode, oid)
        if known_files.is_settled(found.stamp, self.began_ns):
            self.seen[path] = (found.stamp, oid)


class Wanted(msgspec.Struct, frozen=True):
    """What is to be recorded, and where."""

    ref: str
    also: Collection[bytes] = ()
    """Files that count although they are ignored."""
    since: Snapshot | None = None
    """Before the turn that this is the end of."""
    share: int = 1
    """So many times the limits hold."""
    still: Callable[[], bool] = lambda: True
    """Asked last; when it is not wanted any more, what was read is known for the next time and nothing else is kept."""


def record(place: Place, wanted: Wanted) -> Recorded:
    """Raises Failed, GitFailed, OSError."""
    began_ns = time.time_ns()
    known = known_files.load(place.repository.folder)
    ignored, found = _found(place, wanted, known, began_ns)
    with Import(place.repository) as into:
        reading = _Reading(place, known, began_ns, into)
        for path, file in found.files.items():
            reading.take(path, file)
        snapshot = _snapshot(found, reading, ignored.passed, wanted.since)
        digest = snapshot.digest()
        is_new = digest != known.digest or bool(snapshot.details.made)
        if not wanted.still():
            digest = ""
        elif is_new:
            into.commit(wanted.ref, snapshot)
        else:
            place.repository.point(wanted.ref, known.commit)
        into.finish()
    commit = place.repository.commit_of(wanted.ref) if digest else ""
    now = Known(files=reading.seen, ignored=ignored, stored=frozenset(reading.stored), digest=digest, commit=commit)
    if now != known:
        known_files.save(place.repository.folder, now)
    if not digest:
        raise failed("no_checkpoint", "it took too long.")
    return Recorded(snapshot, commit, is_new, found.leftovers, found.repositories)


def _found(place: Place, wanted: Wanted, known: Known, began_ns: int) -> tuple[Ignored, Scan]:
    """git is asked where something new is there, or what it goes by has changed. Raises Failed, GitFailed, OSError."""

    def scanned(ignored: Ignored) -> Scan:
        also = (*wanted.also, *ignored.tracked)
        return scan(place.root, frozenset(ignored.passed), also, place.home, share=wanted.share)

    sources = place.patterns.sources()
    if sources == known.ignored.sources:
        found = scanned(known.ignored)
        if found.patterns == known.ignored.patterns and found.files.keys() <= known.files.keys():
            return known.ignored, found
    tracked = tuple(path for path in place.patterns.tracked() if not path.startswith(OURS))
    told = Ignored(passed=place.patterns.passed(), tracked=tracked)
    found = scanned(told)
    stamps = (*sources.values(), *found.patterns.values())
    if not all(known_files.is_settled(stamp, began_ns) for stamp in stamps):
        return told, found
    return msgspec.structs.replace(told, sources=sources, patterns=found.patterns), found


def _snapshot(found: Scan, reading: _Reading, passed: Collection[bytes], since: Snapshot | None) -> Snapshot:
    large = {path: f"{file.stamp[1] // 1_000_000} MB" for path, file in found.files.items() if file.is_large}
    details = Details(
        folders=found.folders,
        left_out={**large, **found.left_out, **reading.unreadable},
        passed=tuple(sorted({*passed, *found.repositories})),
        made=tuple(sorted(since.strangers([*reading.files, *found.folders]))) if since else (),
    )
    return Snapshot(files=reading.files, details=details)


def _content(root: int, path: bytes, found: Found) -> bytes:
    """Of what was found there; something else by now is not read. Raises OSError."""
    with open_folders.opened(root, path) as (folder, name):
        if stat.S_ISLNK(found.mode):
            return os.readlink(name, dir_fd=folder)
        descriptor = os.open(name, open_folders.FILE, dir_fd=folder)
        with open(descriptor, "rb") as file:  # noqa: PTH123
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(0, "it is being replaced")
            return file.read(found.stamp[1] + 1)
