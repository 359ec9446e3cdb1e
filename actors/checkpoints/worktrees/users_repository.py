"""The user's repository, read without running git in it: where it lies, and what its names stand for.

It may be hostile: no link is followed out of it, and a `.git` that only leads to another repository is refused.
"""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees.problems import refused
from actors.common.folders.worktree_places import Note
from actors.common.small_files import is_file, is_folder, read_regular

LINE = 4096
"""Bytes of a file that names a path or a commit."""
MOST_PACKED = 64_000_000
"""Bytes of packed-refs."""
MOST_REFS = 100_000
OID = re.compile(r"[0-9a-f]{40}")
NAME = re.compile(r"refs(/(?!\.)[^\x00-\x20\x7f~^:?*\[\\/]+)+")
"""By git-check-ref-format(1), as far as it matters here."""
LEADS = 5
"""Symbolic refs one after another; git follows as many."""


class UsersRepository(msgspec.Struct, frozen=True):
    top: Path
    """Of its files; resolved, as the others are."""
    folder: Path
    """Of git's own files, of this checkout."""
    common: Path
    """Of git's own files, of all its checkouts."""

    @property
    def objects(self) -> Path:
        return self.common / "objects"

    def shallow(self) -> bytes:
        """Where its history was cut off; b"" where it was not. Raises OSError."""
        file = self.common / "shallow"
        return read_regular(file, MOST_PACKED) if is_file(file) else b""

    def head(self) -> str:
        """What HEAD says: `ref: NAME` or a commit."""
        return _line(self.folder / "HEAD")

    def commit_of_head(self) -> str:
        """Its id; "" or something else where there is none. Raises OSError."""
        head = self.head()
        return self.refs().get(head.removeprefix("ref:").strip(), "") if head.startswith("ref:") else head

    def refs(self) -> dict[str, str]:
        """Name and id, of all that can be read. Raises OSError."""
        found = dict(_packed(self.common / "packed-refs"))
        leading: dict[str, str] = {}
        for name, says in _loose(self.common):
            if OID.fullmatch(says):
                found[name] = says
            elif says.startswith("ref: "):
                leading[name] = says[5:].strip()
        for name, at in leading.items():
            for _ in range(LEADS):
                at = leading.get(at, at)
            if at in found:
                found[name] = found[at]
        return found


def find(cwd: Path) -> UsersRepository:
    """cwd: resolved. Raises Failed, OSError."""
    for top in (cwd, *cwd.parents):
        git = top / ".git"
        if git.is_symlink() or git.exists():
            return _checked(top, git)
        if is_file(top / "HEAD") and is_folder(top / "objects") and is_folder(top / "refs"):
            raise refused(f"{top} is a repository without files of its own (bare).", "Ask in one of its worktrees.")
    raise refused(f"{cwd} is in no git repository.", "A folder of its own needs one: git init, and a first commit.")


def at(note: Note) -> UsersRepository:
    """The one that a copy was made of; its checkout may be gone, the repository itself not. Raises Failed."""
    common = Path(note.common)
    if not is_folder(common / "objects") or (common / "objects").is_symlink():
        raise refused(f"the repository {common} is not there any more, so nothing can be kept in it.")
    return UsersRepository(Path(note.repository), common, common)


def inspect(repository: UsersRepository, git: Repository) -> dict[str, str]:
    """Its settings, by names in small letters; git: one of ours. Raises Failed where it is of a kind that we cannot
    copy, GitFailed, OSError."""
    told = git.run("config", "--file", "-", "--no-includes", "-z", "--list", given=_config(repository))
    entries = (entry.partition("\n") for entry in told.decode(errors="surrogateescape").split("\0"))
    settings = {name.lower(): value for name, _, value in entries if name}
    if settings.get("extensions.objectformat", "sha1").lower() != "sha1":
        raise refused(f"{repository.top} names its objects by sha256, which Trouper does not read yet.")
    if settings.get("extensions.refstorage", "files").lower() != "files":
        raise refused(f"{repository.top} keeps its branches in reftables, which Trouper does not write yet.")
    if repository.objects.is_symlink() or not repository.objects.is_dir():
        raise refused(f"{repository.objects} is no folder of the repository itself.")
    return settings


def _config(repository: UsersRepository) -> bytes:
    file = repository.common / "config"
    return read_regular(file, MOST_PACKED) if is_file(file) else b""


def _checked(top: Path, git: Path) -> UsersRepository:
    folder = git.resolve()
    if git.is_symlink() and not folder.is_relative_to(top):
        raise _door(git, folder)
    if folder.is_file():
        line = _line(folder)
        folder = (folder.parent / line.removeprefix("gitdir:").strip()).resolve()
        if not line.startswith("gitdir:") or not (_knows(folder, git) or _is_submodule(folder, top)):
            raise _door(git, folder)
    common = folder
    if (folder / "commondir").exists():
        common = (folder / _line(folder / "commondir")).resolve()
        if folder.parent != common / "worktrees":
            raise _door(folder / "commondir", common)
    if not is_file(folder / "HEAD") or not is_folder(common / "refs"):
        raise refused(f"{git} is no git repository.", "See: git status")
    return UsersRepository(top, folder, common)


def _knows(folder: Path, git: Path) -> bool:
    """A linked worktree is named in its repository: one that was written to look at another has no such entry."""
    back = folder / "gitdir"
    return folder.parent.name == "worktrees" and is_file(back) and (folder / _line(back)).resolve() == git.resolve()


def _is_submodule(folder: Path, top: Path) -> bool:
    for outer in top.parents:
        if (outer / ".git").exists():
            return folder.is_relative_to((outer / ".git").resolve() / "modules")
    return False


def _door(link: Path, target: Path) -> Exception:
    return refused(f"{link} leads to {target}, which is another repository and does not know this folder.")


def _packed(file: Path) -> Iterator[tuple[str, str]]:
    if not is_file(file):
        return
    for line in read_regular(file, MOST_PACKED).decode(errors="surrogateescape").split("\n"):
        oid, _, name = line.partition(" ")
        if OID.fullmatch(oid) and NAME.fullmatch(name):
            yield name, oid


def _loose(common: Path) -> Iterator[tuple[str, str]]:
    count = 0
    for folder, _, names in os.walk(common / "refs"):
        for each in names:
            name = os.path.relpath(os.path.join(folder, each), common)  # noqa: PTH118
            count += 1
            if count > MOST_REFS or not NAME.fullmatch(name) or name.endswith(".lock"):
                continue
            try:
                yield name, _line(Path(folder, each))
            except OSError:
                continue


def _line(file: Path) -> str:
    return read_regular(file, LINE).decode(errors="surrogateescape").split("\n")[0].strip().replace("\0", "")
