"""What was changed in a worktree, as a patch: the difference of two commits, told by a git directory of ours."""

from collections.abc import Sequence

from actors.checkpoints.repository import Repository
from actors.checkpoints.snapshot import for_people
from actors.checkpoints.worktrees.keyed_folder import Held
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.work import LONGEST_S, Work, record_work, told
from actors.messages.checkpoint import Patch

MOST_PATCH = 64_000_000
"""Bytes; a message may have four times that."""
MOST_APART = 500
"""Paths that are excluded one by one; each is an argument."""
HOW = (
    *("--binary", "--full-index", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--src-prefix=a/", "--dst-prefix=b/", "--diff-algorithm=histogram"),
)
ALL_BINARY = b"* -diff\n"
"""Attributes for content that is no UTF-8: it cannot be in a message as it is."""


def patch(held: Held) -> Patch:
    """Raises Failed, GitFailed, OSError."""
    note = held.noted()
    git, top = held.git(held.folder / note.name), held.folder / note.name
    work = record_work(git, top, note.base, held.among)
    whole = _difference(git, note.base, work)
    if len(whole) > MOST_PATCH:
        raise refused(
            f"the patch has more than {MOST_PATCH // 1_000_000} MB.", f"The files are in {top}; merging brings them."
        )
    return Patch(
        base=note.base,
        text=whole.decode(),
        files=tuple(map(for_people, sorted(work.changes))),
        id=work.id,
        left_out=told(work.lost),
    )


def _difference(git: Repository, base: str, work: Work) -> bytes:
    whole = _diff(git, base, work.commit)
    if _is_text(whole) or len(whole) > MOST_PATCH:
        return whole
    odd = [path for path in work.changes if not _is_text(_contents(git, work, path))]
    if len(odd) > MOST_APART or not odd:
        return _as_binary(git, base, work.commit)
    names = [path.decode(errors="surrogateescape") for path in odd]
    text = _diff(git, base, work.commit, [":(top)", *(f":(top,exclude,literal){name}" for name in names)])
    return text + _as_binary(git, base, work.commit, [f":(top,literal){name}" for name in names])


def _as_binary(git: Repository, base: str, commit: str, where: Sequence[str] = ()) -> bytes:
    attributes = git.folder / "all-binary"
    attributes.write_bytes(ALL_BINARY)
    return _diff(git, base, commit, where, before=("-c", f"core.attributesFile={attributes}"))


def _diff(git: Repository, base: str, commit: str, where: Sequence[str] = (), *, before: tuple[str, ...] = ()) -> bytes:
    arguments = ("-c", "core.quotePath=true", *before, "diff-tree", "-r", "-p", *HOW, base, commit, "--", *where)
    return git.run(*arguments, longest_s=LONGEST_S)


def _contents(git: Repository, work: Work, path: bytes) -> bytes:
    entries = (work.before.get(path), work.changes[path])
    oids = [entry[1] for entry in entries if entry is not None and entry[0] != "160000"]
    with git.blobs() as blobs:
        return b"".join(blobs.read(oid) for oid in oids)


def _is_text(data: bytes) -> bool:
    """That a message can carry."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True
