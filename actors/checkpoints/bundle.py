"""What is kept for a session as a git bundle: written, and taken in from one that may have been made to do harm.

The bundle's refs are `refs/checkpoints/AT/NAME`: when each was recorded, in microseconds, and the name it has here.
What comes in is put into a repository of its own first. Only when git finds it sound, every path of it lies within a
workspace and no record is larger than one of ours, its packs are moved and refs are written; the rest is thrown away.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from actors.checkpoints import inspection
from actors.checkpoints.repository import BOUNDED, DETAILS, FILES, REFS, SPARING, GitFailed, Repository
from actors.checkpoints.scan import AFTERWARDS, LARGEST, MOST_BYTES, MOST_FILES
from actors.common.plurals import how_many
from actors.errors import failed

MOST_BUNDLE = 1_000_000_000
"""Bytes; what is kept of a workspace takes no more either."""
TOO_LARGE = f"they take more than {MOST_BUNDLE // 1_000_000} MB"
MOST_HEADS = 1_000
MOST_DETAILS = 64_000_000
"""Bytes, and of a list of files."""
LONGEST_S = 600.0
HEADING = b"# v2 git bundle\n"
HEAD = re.compile(rb"([0-9a-f]{40}) refs/checkpoints/([0-9]{16})/([0-9a-f]{24}-(?:before|after|undo))\n")
KINDS = (b"100644", b"100755", b"120000")
FOR_GIT_ITSELF = [
    part
    for name in ("Blob", "Large", "Missing", "Name", "Parse", "Path", "Symlink", "Update", "Url")
    for part in ("-c", f"fsck.gitmodules{name}=ignore")
]
"""What .gitmodules would have git do is no matter: nobody runs git on these trees."""
EXCHANGE = "exchange-"


class _Head(msgspec.Struct, frozen=True):
    commit: str
    at: float
    name: str


class NotOurs(Exception):
    """It is not as we write it. Text for the user."""


def write(repository: Repository, refs: Sequence[tuple[str, str, float]], path: Path) -> None:
    """refs: as of `Repository.refs`. Raises GitFailed, OSError."""
    with _exchange(repository) as outgoing:
        outgoing.lend(repository.folder / "objects")
        for ref, commit, at in refs:
            outgoing.point(f"{REFS}{round(at * 1_000_000):016}/{ref.rpartition('/')[2]}", commit)
        _run(outgoing, "bundle", "create", str(path), "--all")
    if path.stat().st_size > MOST_BUNDLE:
        raise GitFailed(TOO_LARGE)


def take_in(repository: Repository, path: Path, below: str, closed: Collection[bytes]) -> None:
    """below: what the refs are named from then on. closed: as of `inspection`. Raises Failed, GitFailed, OSError."""
    try:
        heads = _heads(path)
        with _exchange(repository) as incoming:
            _fetch(incoming, path, {head.commit for head in heads})
            for commit in {head.commit for head in heads}:
                _inspect(incoming, commit, closed)
            _move(incoming, repository)
    except (NotOurs, GitFailed) as error:
        why = str(error)[:300]
        raise failed(
            "bad_request", f"its checkpoints are not as trouper sessions export writes them ({why})."
        ) from error
    now = time.time()
    for head in heads:
        repository.point(f"{below}{head.name}", head.commit)
        at = min(head.at, now)
        os.utime(repository.folder / f"{below}{head.name}", (at, at))


def _heads(path: Path) -> list[_Head]:
    """Raises NotOurs, OSError."""
    if path.stat().st_size > MOST_BUNDLE:
        raise NotOurs(TOO_LARGE)
    heads: list[_Head] = []
    with path.open("rb") as file:
        if file.readline(100) != HEADING:
            raise NotOurs("it is no git bundle of version 2")
        while (line := file.readline(200)) != b"\n":
            found = HEAD.fullmatch(line)
            if not found or len(heads) == MOST_HEADS:
                raise NotOurs(f"it has {line[:100].decode(errors='backslashreplace').strip()!r}")
            commit, at, name = (part.decode() for part in found.groups())
            heads.append(_Head(commit, int(at) / 1_000_000, name))
    return heads


def _fetch(incoming: Repository, path: Path, commits: Collection[str]) -> None:
    """Raises GitFailed, OSError."""
    _run(incoming, "bundle", "verify", "--quiet", str(path))
    _run(incoming, "bundle", "unbundle", str(path))
    _run(incoming, *FOR_GIT_ITSELF, "fsck", "--no-dangling", "--no-progress", *commits)


def _inspect(incoming: Repository, commit: str, closed: Collection[bytes]) -> None:
    """Raises NotOurs, GitFailed, OSError."""
    asked = f"{commit}\n{commit}:{DETAILS}\n".encode()
    about = [line.split() for line in incoming.run("cat-file", "--batch-check", given=asked).splitlines()]
    if [line[1] for line in about] != [b"commit", b"blob"] or int(about[1][2]) > MOST_DETAILS:
        raise NotOurs(f"{commit} is no record")
    links = _links(incoming, commit)
    try:
        snapshot = incoming.load(commit)
    except msgspec.DecodeError as error:
        raise NotOurs(f"{commit} is no record") from error
    with incoming.blobs() as blobs:
        why = inspection.objection(snapshot, closed) or next(
            filter(None, (inspection.link_objection(blobs.read(oid)) for oid in links)), ""
        )
    if why:
        raise NotOurs(why)


def _links(incoming: Repository, commit: str) -> list[str]:
    """Blobs of the symlinks; each file is looked at, so that none is what we do not record. Raises NotOurs, OSError."""
    listing = incoming.beginning("ls-tree", "-r", "-l", "-z", "--full-tree", commit, f"{FILES}/", most=MOST_DETAILS + 1)
    lines = listing.split(b"\0")[:-1]
    if len(listing) > MOST_DETAILS or len(lines) > MOST_FILES * AFTERWARDS:
        raise NotOurs("it has more files than a workspace may have")
    links, total = [], 0
    for line in lines:
        mode, kind, oid, size = line.partition(b"\t")[0].split()
        if kind != b"blob" or mode not in KINDS:
            raise NotOurs(f"it has an entry of mode {mode.decode()}")
        is_link = mode == b"120000"
        if int(size) > (inspection.LONGEST_LINK if is_link else LARGEST):
            raise NotOurs(f"a file in it has {how_many(int(size), 'byte')}")
        total += int(size)
        links += [oid.decode()] if is_link else []
    if total > MOST_BYTES * AFTERWARDS:
        raise NotOurs("its files are larger than a workspace may be")
    return links


def _move(incoming: Repository, repository: Repository) -> None:
    """Each index after its pack: with it, what is in the pack is there. Raises OSError."""
    packs = repository.folder / "objects" / "pack"
    packs.mkdir(mode=0o700, exist_ok=True)
    found = sorted((incoming.folder / "objects" / "pack").iterdir(), key=lambda path: path.suffix == ".idx")
    for file in found:
        file.replace(packs / file.name)


@contextmanager
def _exchange(repository: Repository) -> Iterator[Repository]:
    """A repository for now. What another left behind, that was killed, goes. Raises OSError."""
    for left in repository.folder.glob(f"{EXCHANGE}*"):
        shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=EXCHANGE, dir=repository.folder) as folder:
        yield repository.another(Path(folder, "git"))


def _run(repository: Repository, *arguments: str) -> None:
    """Bounded. Raises GitFailed, OSError."""
    argv, environ = repository.command(*SPARING, *arguments)
    bounded = [*BOUNDED, *argv]
    try:
        ran = _ran(bounded, environ, repository.folder)
    except subprocess.TimeoutExpired as error:
        raise GitFailed(f"git took longer than {LONGEST_S:.0f} s") from error
    if ran.returncode:
        raise GitFailed(ran.stderr.decode(errors="replace").strip() or f"git ended with {ran.returncode}")


def _ran(argv: Sequence[str], environ: Mapping[str, str], cwd: Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        argv,
        env=environ,
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=LONGEST_S,
    )
