"""Making a worktree: a repository of its own with one branch at the base, whose objects come from the user's.

The files are written by a git of ours, with attributes that leave each byte as it is; no settings of the user's
repository count, and nothing it names is run. Submodules stay empty, and what LFS keeps elsewhere is its pointer.
"""

import os
import re
import shutil
import tempfile
import time
from difflib import get_close_matches
from pathlib import Path

from actors.checkpoints.repository import GitFailed, Repository, alternates
from actors.checkpoints.scan import MOST_FILES
from actors.checkpoints.worktrees import kept_work, users_repository
from actors.checkpoints.worktrees.kept_work import Kept
from actors.checkpoints.worktrees.keyed_folder import MAKING, Held
from actors.checkpoints.worktrees.problems import refused
from actors.checkpoints.worktrees.users_repository import OID, UsersRepository
from actors.checkpoints.worktrees.work import LONGEST_S, SHARE, SUBMODULE, record_work, told, tree
from actors.common.folders import worktree_places
from actors.common.folders.worktree_places import GIT, Note
from actors.messages.checkpoint import MakeWorktree

RAW = b"* -text !eol -ident !filter !working-tree-encoding !diff !merge\n"
"""Counts more than what the files of a repository say of themselves."""
CONFIG = """[core]
	repositoryformatversion = 0
	filemode = true
	bare = false
	logallrefupdates = true
"""
NAMED = ("user.name", "user.email")
PLAIN = re.compile(r"[^\x00-\x1f\x7f\"\\]{1,200}")
LARGEST_POINTER = 200
"""Bytes; they have about 130, https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md."""
POINTER = b"version https://git-lfs.github.com/spec/v1\n"
MOST_NAMED = 20


def make(held: Held, wanted: MakeWorktree) -> Note:
    """Raises Failed, GitFailed, OSError."""
    cwd = Path(wanted.cwd).resolve()
    users = users_repository.find(cwd)
    note = held.note
    if note is not None and (held.folder / note.name).is_dir():
        if note.repository != str(users.top):
            raise refused(f"{held.key} is a worktree of {note.repository}.", "Another one needs another key.")
        held.own()
        held.sweep()
        return note
    held.clear()
    held.own()
    staging = Path(tempfile.mkdtemp(prefix=MAKING, dir=held.folder))
    note = _staged(held, users, wanted, staging, str(cwd.relative_to(users.top)))
    (staging / "git").rename(held.folder / GIT)
    (staging / "files").rename(held.folder / note.name)
    staging.rmdir()
    held.save(note)
    return note


def _staged(held: Held, users: UsersRepository, wanted: MakeWorktree, staging: Path, below: str) -> Note:
    git = held.git(users.top, staging / "git")
    git.create(str(users.top))
    settings = users_repository.inspect(users, git)
    git.lend(users.objects)
    if cut := users.shallow():
        (git.folder / "shallow").write_bytes(cut)
    start = _commit(users, git, wanted.base)
    kept = None if wanted.fresh else kept_work.find(git, users.refs().get(held.ref, ""))
    left_out: tuple[str, ...] = ()
    if kept is not None and (kept.start == start or not wanted.base):
        start = kept.start
    else:
        base = start
        if wanted.with_changes:
            changed = record_work(git, users.top, start, held.among)
            base, left_out = changed.commit, told(changed.lost)
        kept = Kept(commit=base, base=base, start=start, head=base)
    note = Note(
        key=held.key,
        name=_folder_name(users.top),
        below=below,
        repository=str(users.top),
        common=str(users.common),
        objects=_objects(users, held.among.home),
        start=start,
        base=kept.base,
        made_at=time.time(),
        left_out=(*left_out, *_apart(git, kept.base)),
    )
    _check_out(git, kept, staging)
    _make_repository(git, held, note, staging, settings)
    (staging / "files" / ".git" / _branch(held)).write_text(f"{kept.head}\n")
    return note


def _commit(users: UsersRepository, git: Repository, base: str) -> str:
    """Its id. The names are there for the question alone."""
    refs = users.refs()
    head = users.head()
    at = refs.get(head.removeprefix("ref:").strip(), "") if head.startswith("ref:") else head
    if not base and not OID.fullmatch(at):
        raise refused(f"{users.top} has no commits yet.", "Make a first one: git commit")
    before = (git.folder / "HEAD").read_bytes()
    lines = (f"{oid} {name}\n" for name, oid in sorted(refs.items()))
    (git.folder / "packed-refs").write_bytes("".join(lines).encode(errors="surrogateescape"))
    if OID.fullmatch(at):
        (git.folder / "HEAD").write_text(f"{at}\n")
    try:
        if "\0" in base:
            raise GitFailed("no name has a NUL in it")
        named = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{base or 'HEAD'}^{{commit}}")
        found = git.run(*named, variables={"GIT_NO_REPLACE_OBJECTS": "1"}).decode().strip()
    except GitFailed as error:
        names = [name.split("/", 2)[-1] for name in refs]
        near = get_close_matches(base, names, n=3)
        hint = f"There is {', '.join(near)}." if near else "See: git log --oneline --all"
        raise refused(f"{base or 'HEAD'!r} is no commit of {users.top}.", hint) from error
    finally:
        (git.folder / "packed-refs").unlink()
        (git.folder / "HEAD").write_bytes(before)
    return found


def _objects(users: UsersRepository, home: Path) -> tuple[str, ...]:
    """The repository may be such a copy itself."""
    copied = worktree_places.copy_of(users.top, home)
    return (str(users.objects), *(copied[1].objects if copied else ()))


def _folder_name(top: Path) -> str:
    """That no other file beside it has."""
    name = top.name or "files"
    taken = name in {GIT, "gone", "owner", "lock", worktree_places.NOTE} or name.startswith((MAKING, "exchange-"))
    return f"{name}-files" if taken else name


def _apart(git: Repository, base: str) -> tuple[str, ...]:
    """What the files of a commit are without."""
    entries = tree(git, base)
    if len(entries) > MOST_FILES * SHARE // 2:
        raise refused(
            f"it has more than {MOST_FILES * SHARE // 2:,} files: a copy could not be looked after as a whole."
        )
    modules = [path for path, (mode, _) in entries.items() if mode == SUBMODULE]
    asked = "".join(f"{oid}\n" for oid in {oid for mode, oid in entries.values() if mode == "100644"}).encode()
    sizes = git.run("cat-file", "--batch-check=%(objectname) %(objectsize)", given=asked, longest_s=LONGEST_S)
    small = {line.split()[0].decode() for line in sizes.splitlines() if _is_small(line)}
    with git.blobs() as blobs:
        pointers = {oid for oid in small if blobs.read(oid).startswith(POINTER)}
    large = [path for path, (_, oid) in entries.items() if oid in pointers]
    kinds = ((modules, "a submodule, which is left empty"), (large, "of LFS: only its pointer is there"))
    return tuple(line for paths, why in kinds for line in told(dict.fromkeys(paths[:MOST_NAMED], why)))


def _is_small(line: bytes) -> bool:
    size = line.split()[1]
    return size.isdigit() and len(POINTER) < int(size) <= LARGEST_POINTER


def _branch(held: Held) -> str:
    return f"refs/heads/trouper/{held.folder.name}"


def _check_out(git: Repository, kept: Kept, staging: Path) -> None:
    files, index = staging / "files", staging / "index"
    files.mkdir(mode=0o755)
    attributes = git.folder / "info" / "attributes"
    attributes.write_bytes(RAW)
    where = {"GIT_WORK_TREE": str(files), "GIT_INDEX_FILE": str(index), "GIT_NO_REPLACE_OBJECTS": "1"}
    careful = ("-c", "core.protectHFS=true") if os.uname().sysname == "Darwin" else ()
    git.run(*careful, "read-tree", kept.commit, variables=where, longest_s=LONGEST_S)
    git.run(*careful, "checkout-index", "--all", "--force", "-u", variables=where, longest_s=LONGEST_S)
    if kept.commit != kept.head:
        git.run(*careful, "read-tree", "-m", kept.head, variables=where, longest_s=LONGEST_S)
    attributes.unlink()


def _make_repository(git: Repository, held: Held, note: Note, staging: Path, settings: dict[str, str]) -> None:
    """What git needs to know it as one, and nothing of what the user's would run."""
    own = staging / "files" / ".git"
    branch = _branch(held)
    for name in ("hooks", "info", "logs", "objects/info", "objects/pack", "refs/tags", Path(branch).parent):
        (own / name).mkdir(parents=True, exist_ok=True)
    named = [(name, settings[name]) for name in NAMED if PLAIN.fullmatch(settings.get(name, ""))]
    lines = (f'[user]\n\t{name.partition(".")[2]} = "{value}"\n' for name, value in named)
    (own / "config").write_text("".join((CONFIG, *lines)))
    (own / "HEAD").write_text(f"ref: {branch}\n")
    (own / "objects" / "info" / "alternates").write_bytes(alternates(note.objects[:1]))
    if (git.folder / "shallow").exists():
        shutil.copyfile(git.folder / "shallow", own / "shallow")
    for path in (git.folder / "objects").glob("??/*"):
        _copy(path, own / "objects" / path.parent.name)
    for path in (git.folder / "objects" / "pack").glob("pack-*"):
        _copy(path, own / "objects" / "pack")
    (staging / "index").rename(own / "index")


def _copy(file: Path, folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    shutil.copyfile(file, folder / file.name)
    (folder / file.name).chmod(0o444)
