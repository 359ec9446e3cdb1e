"""A repository of the user's, and the worktrees that are made of it in a home of their own."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import TypeVar

from actors.checkpoints.worktrees.keyed_folder import OfHome
from actors.checkpoints.worktrees.requests import answer
from actors.messages.checkpoint import (
    ListWorktrees,
    MakeWorktree,
    MergeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    WorktreeMade,
    WorktreeMerged,
    WorktreeRemoved,
    Worktrees,
)
from tests.actors.checkpoints import places
from tests.actors.checkpoints.places import State, state
from tests.repositories import git

Told = TypeVar("Told")
LOOSE = ("-c", "core.protectNTFS=false", "-c", "core.protectHFS=false")
"""Names that only other systems cannot have are some here."""


class Copies:
    def __init__(self, folder: Path, owner: int | None = None) -> None:
        self.home = folder / "home"
        self.home.mkdir(exist_ok=True)
        self.root = folder / "my work"
        self.root.mkdir(exist_ok=True)
        environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "user")}
        self.among = OfHome(self.home.resolve(), environ, owner or os.getpid())

    def begin(self) -> None:
        """With what is there, as the first commit."""
        self.git("init", "-q")
        self.commit()

    def commit(self) -> str:
        self.git("add", "-A", "-f")
        self.git("commit", "-q", "--allow-empty", "-m", "state")
        return self.git("rev-parse", "HEAD")

    def git(self, *words: str, cwd: Path | None = None) -> str:
        return git(cwd or self.root, *LOOSE, *words)

    def write(self, name: str, text: str = "text\n", *, within: Path | None = None) -> Path:
        path = (within or self.root) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path

    def make(
        self,
        key: str = "s.1",
        *,
        cwd: Path | None = None,
        base: str = "",
        changes: bool = False,
        fresh: bool = False,
    ) -> WorktreeMade:
        where = str(cwd or self.root)
        wanted = MakeWorktree(key=key, cwd=where, base=base, with_changes=changes, fresh=fresh)
        return told(answer(self.among, wanted), WorktreeMade)

    def patch(self, key: str = "s.1") -> Patch:
        return told(answer(self.among, PatchOf(key=key)), Patch)

    def merge(self, key: str = "s.1", *paths: str, seen: str = "") -> WorktreeMerged:
        return told(answer(self.among, MergeWorktree(key=key, paths=paths, seen=seen)), WorktreeMerged)

    def remove(self, key: str = "s.1", *, cwd: str = "") -> str:
        return told(answer(self.among, RemoveWorktree(key=key, cwd=cwd)), WorktreeRemoved).ref

    def keys(self) -> list[str]:
        return [one.key for one in told(answer(self.among, ListWorktrees()), Worktrees).worktrees]

    def applied(self, patch: Patch, to: str) -> Path:
        """A checkout of that commit with the patch."""
        place = self.home.parent / f"applied {to[:8]}"
        self.git("worktree", "add", "-q", "--detach", str(place), to)
        if patch.text:
            file = place.parent / "a.patch"
            file.write_bytes(patch.text.encode())
            self.git("apply", "--binary", str(file), cwd=place)
        return place

    def kept(self, ref: str) -> Path:
        """A checkout of what a ref leads to."""
        place = self.home.parent / f"kept {ref.rpartition('/')[2]}"
        self.git("worktree", "add", "-q", "--detach", str(place), ref)
        return place


class Editor(places.Editor):
    """Does nothing that git refuses to hand over: that name is .git on another system."""

    def __init__(self, root: Path, seed: int) -> None:
        super().__init__(root, seed)
        self._top = root

    def edit(self, times: int) -> None:
        super().edit(times)
        for path in [path for path in self._top.rglob("*") if path.name == "git~1"]:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def files(root: Path) -> State:
    """As git keeps them: no folders of their own, and of permissions whether it may be run."""
    found = {}
    for path, (kind, mode, data) in state(root, without=".git").items():
        if kind != "folder" and path != b".git":
            found[path] = (kind, mode & 0o100, data)
    return found


def told(message: object, kind: type[Told]) -> Told:
    assert isinstance(message, kind)
    return message


def listing(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def run(*words: str, cwd: Path) -> str:
    return subprocess.run(words, cwd=cwd, check=True, capture_output=True, text=True).stdout
