"""A whole session as one file, to go on with it on another machine: written and read, nothing of it is left out.

It is a ZIP archive. The same session makes the same file: members come in this order, dated 1980-01-01, mode 0600.

- `entries.jsonl`: every entry of the tree, in the order they were written, one JSON object a line, in UTF-8. It is an
  `Entry` of `actors.messages.conversation` as msgspec writes it: `type` is "Entry", `body` has a `type` of its own, a
  parent is written before what follows on it, and attachments have their data as base64. The session stands at the
  last one.
- `checkpoints.bundle`: the files of the workspace before and after its turns, as a git bundle; left out where there are
  none. It is as `actors.checkpoints.bundle` writes it, and the ids of checkpoints in the entries are commits in it.
- `manifest.json`: the `Manifest` below. It comes last, since it has the hashes of the others.

A reader refuses another `format` and a newer `version`, and members that are missing, longer than said, of another
hash, or larger than they may be. What the manifest does not name is not read, and it names nothing else. Nothing in it
is a path to be written to: member names are fixed, and `cwd` says only where the session was.
"""

import hashlib
import shutil
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec

from actors.messages.conversation import Entry
from actors.messages.store import SessionOpened
from actors.version import VERSION

FORMAT = "trouper-session"
FORMAT_VERSION = 1
ENTRIES, CHECKPOINTS, MANIFEST = "entries.jsonl", "checkpoints.bundle", "manifest.json"
MOST_OF_MANIFEST = 64 * 1024 * 1024
"""Bytes."""
MOST_OF = {ENTRIES: 16_000_000_000, CHECKPOINTS: 1_000_000_000}
"""Bytes of a member: far more than sessions have, and as much as is kept of a workspace."""
LONGEST_ENTRY = 256 * 1024 * 1024
"""Bytes of a line: what goes with one prompt, as base64, several times."""
PIECE = 1 << 20


BROKEN = (zipfile.BadZipFile, zlib.error, KeyError, OSError, EOFError, RuntimeError)
"""What reading a ZIP archive of somebody else may raise; the last of what is encrypted."""


class NoArchive(Exception):
    """It is not one of ours, or not as it was written. Text for the user."""


class Member(msgspec.Struct, frozen=True, kw_only=True):
    bytes: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    version: int
    written_by: str
    """For people."""
    session_id: str
    cwd: str
    branch: str = ""
    name: str = ""
    """That the user gave it."""
    labels: dict[str, str] = {}
    """The user's own names for entries, by their ids."""
    entries: int
    files: dict[str, Member]
    """By member name, of all but the manifest itself."""


class Writer:
    """Entries one after the other, then `finish`."""

    def __init__(self, file: IO[bytes]) -> None:
        self._archive = zipfile.ZipFile(file, "w")
        self._entries = self._archive.open(_info(ENTRIES), "w", force_zip64=True)
        self._hash = hashlib.sha256()
        self._bytes = self._count = 0
        self._checkpoints: Member | None = None

    def add(self, entry: Entry) -> None:
        line = msgspec.json.encode(entry) + b"\n"
        self._hash.update(line)
        self._bytes += len(line)
        self._count += 1
        self._entries.write(line)

    def add_checkpoints(self, path: Path) -> None:
        """The git bundle, after the entries."""
        self._entries.close()
        digest, size = hashlib.sha256(), 0
        info = _info(CHECKPOINTS, zipfile.ZIP_STORED)
        with path.open("rb") as bundle, self._archive.open(info, "w", force_zip64=True) as member:
            while piece := bundle.read(PIECE):
                digest.update(piece)
                size += len(piece)
                member.write(piece)
        self._checkpoints = Member(bytes=size, sha256=digest.hexdigest())

    def finish(self, session: SessionOpened, labels: dict[str, str]) -> None:
        self._entries.close()
        files = {ENTRIES: Member(bytes=self._bytes, sha256=self._hash.hexdigest())}
        if self._checkpoints is not None:
            files[CHECKPOINTS] = self._checkpoints
        manifest = Manifest(
            format=FORMAT,
            version=FORMAT_VERSION,
            written_by=f"Trouper {VERSION}",
            session_id=session.session_id,
            cwd=session.cwd,
            branch=session.branch,
            name=session.name,
            labels=labels,
            entries=self._count,
            files=files,
        )
        self._archive.writestr(_info(MANIFEST), msgspec.json.encode(manifest))
        self._archive.close()


def _info(name: str, compression: int = zipfile.ZIP_DEFLATED) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.compress_type = compression
    info.create_system = 3  # Unix, wherever it is written
    info.external_attr = 0o600 << 16
    return info


def read_manifest(file: IO[bytes]) -> Manifest:
    """Raises NoArchive."""
    try:
        with zipfile.ZipFile(file) as archive, archive.open(MANIFEST) as member:
            text = member.read(MOST_OF_MANIFEST + 1)
        manifest = msgspec.json.decode(text[:MOST_OF_MANIFEST], type=Manifest)
    except (*BROKEN, msgspec.DecodeError) as error:
        raise NoArchive(f"it is no session that trouper sessions export --format trouper wrote ({error}).") from error
    if manifest.format != FORMAT or ENTRIES not in manifest.files:
        raise NoArchive("it is no session that trouper sessions export --format trouper wrote.")
    if manifest.version > FORMAT_VERSION:
        raise NoArchive(f"it has version {manifest.version} of the format; this Trouper reads {FORMAT_VERSION}.")
    return manifest


def check(file: IO[bytes], manifest: Manifest) -> None:
    """All of it is as it was written. Raises NoArchive; only after that are the entries worth reading."""
    for name, said in manifest.files.items():
        if said.bytes > MOST_OF.get(name, 0):
            raise NoArchive(f"{name} in it is {'too large' if name in MOST_OF else 'not known'}.")
        digest, left = hashlib.sha256(), said.bytes
        try:
            with zipfile.ZipFile(file) as archive, archive.open(name) as member:
                while left >= 0 and (piece := member.read(PIECE)):
                    digest.update(piece)
                    left -= len(piece)
        except BROKEN as error:
            raise NoArchive(f"{name} in it cannot be read ({error}).") from error
        if left or digest.hexdigest() != said.sha256:
            raise NoArchive(f"{name} in it is not as it was written.")


def read_entries(file: IO[bytes], manifest: Manifest) -> Iterator[Entry]:
    """Raises NoArchive."""
    decode = msgspec.json.Decoder(Entry).decode
    with zipfile.ZipFile(file) as archive, archive.open(ENTRIES) as member:
        for number, line in enumerate(iter(lambda: member.readline(LONGEST_ENTRY), b""), 1):
            try:
                yield decode(line)
            except msgspec.DecodeError as error:
                hint = f"{manifest.written_by} wrote it, this is {VERSION}"
                raise NoArchive(f"entry {number} cannot be read ({error}; {hint}).") from error


def write_checkpoints(file: IO[bytes], path: Path) -> None:
    """The git bundle, of what `check` has found in order."""
    with zipfile.ZipFile(file) as archive, archive.open(CHECKPOINTS) as member, path.open("wb") as bundle:
        shutil.copyfileobj(member, bundle, PIECE)
