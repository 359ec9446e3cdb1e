"""What of the files that were collected is not as in a commit, with what stands around it.

git only names the objects of the commit and hands them out: it looks at no file, so nothing that it is told about
files in the repository counts.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

import msgspec

from ui.source_text.chunks import Part, part, whole
from ui.source_text.decoding import decoded
from ui.source_text.differences import changed
from ui.source_text.looking_git import GitFailed, LookingGit
from ui.source_text.reading import MOST_BYTES, exactly, lines
from ui.source_text.source_file import CannotCollect, SourceFile

AROUND = 40
"""Lines before and after what changed."""
AT_ONCE = 100
"""Objects that git is asked for."""
SHA1 = 40
"""Letters of such an id; those of SHA-256 are more."""


class Changes(msgspec.Struct, frozen=True):
    base: str
    """Whole id of the commit that it is compared with."""
    parts: tuple[Part, ...]
    """In the order of the files."""
    gone: int
    """Files that were there."""


class _Blob(msgspec.Struct, frozen=True, gc=False):
    id: str
    bytes: int


def changes(root: Path, files: Sequence[SourceFile], base: str) -> Changes:
    """Since the last commit that HEAD and the base have in common, or since the base where there is none.

    Raises CannotCollect, Changed.
    """
    root = root.resolve()
    try:
        git = LookingGit(root)
        commit = _since(git, base)
        former = _blobs(git, commit, root)
        moved = {blob.id for blob in former.values()}
        differing = [file for file in files if _id(root, file, commit) not in moved]
        parts = tuple(_parts(root, git, differing, former))
    except GitFailed as why:
        raise CannotCollect(f"--diff {base}: {why}") from why
    return Changes(commit, parts, sum(not os.path.lexists(root / path) for path in former))


def _since(git: LookingGit, base: str) -> str:
    """Raises CannotCollect."""
    commit = git.commit(base)
    if not commit:
        raise CannotCollect(f"--diff {base}: {git.top} has no such commit. See: git log, git branch")
    try:
        return git.run("merge-base", "--end-of-options", commit, "HEAD").decode().strip()
    except GitFailed:
        return commit  # no HEAD yet, or another history


def _blobs(git: LookingGit, commit: str, root: Path) -> dict[str, _Blob]:
    """By path, relative to the root. Raises GitFailed."""
    found: dict[str, _Blob] = {}
    within = root.relative_to(git.top).as_posix()
    prefix = "" if within == "." else f"{within}/"
    for line in git.run("ls-tree", "-r", "-z", "-l", "--full-tree", commit).split(b"\0"):
        facts, _, name = line.partition(b"\t")
        path = os.fsdecode(name)
        match facts.split():
            case [b"100644" | b"100755", _, blob, size] if path.startswith(prefix):
                found[path.removeprefix(prefix)] = _Blob(blob.decode(), int(size))
            case _:
                continue  # a symlink, a submodule
    return found


def _id(root: Path, file: SourceFile, commit: str) -> str:
    """As git names what is in it. Raises Changed."""
    data = exactly(root, file)
    kind = hashlib.sha1 if len(commit) == SHA1 else hashlib.sha256
    return kind(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _parts(root: Path, git: LookingGit, files: Sequence[SourceFile], former: Mapping[str, _Blob]) -> Iterator[Part]:
    """Raises GitFailed, Changed."""
    for at in range(0, len(files), AT_ONCE):
        some = files[at : at + AT_ONCE]
        known = {file.path: former[file.path] for file in some if file.path in former}
        texts = _texts(git, {blob.id for blob in known.values() if blob.bytes <= MOST_BYTES})
        for file in some:
            before = texts.get(known[file.path].id) if file.path in known else None
            if before is None:
                yield whole(file)
            else:
                yield from _changed_parts(root, file, before)


def _texts(git: LookingGit, blobs: Set[str]) -> dict[str, str | None]:
    """By id; None for what is no text. Raises GitFailed."""
    if not blobs:
        return {}
    with tempfile.TemporaryFile() as wanted:
        wanted.write("".join(f"{blob}\n" for blob in sorted(blobs)).encode())
        wanted.seek(0)
        answer = git.run("cat-file", "--batch", given=wanted)
    texts: dict[str, str | None] = {}
    at = 0
    while at < len(answer):
        end = answer.index(b"\n", at)
        blob, kind, *size = answer[at:end].decode().split()
        if not size:
            raise GitFailed(f"the object {blob} is {kind}. Fetch it, or look at: git fsck")
        at = end + 1 + int(size[0])
        texts[blob] = decoded(answer[end + 1 : at])
        at += 1
    return texts


def _changed_parts(root: Path, file: SourceFile, before: str) -> Iterator[Part]:
    """Raises Changed."""
    now = decoded(exactly(root, file)) or ""
    text = lines(root, file)
    first = last = 0
    for start, end in changed(before.split("\n"), now.split("\n")):
        if last and start - AROUND <= last + 1:
            last = end + AROUND
            continue
        if last:
            yield part(file, text, first, last)
        first, last = start - AROUND, end + AROUND
    if last:
        yield part(file, text, first, last)
