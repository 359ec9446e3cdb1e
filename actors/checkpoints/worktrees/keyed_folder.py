"""The folder of one worktree in TROUPER_HOME: whose it is, who is at work on it, and what of it is to go.

    KEY/lock, KEY/owner, KEY/note, KEY/git (a repository of ours) and KEY/NAME, the copy, which alone commands can write

Without its note there is no copy; with `gone` in the place of that its work is kept, and the rest is to be removed.
"""

import fcntl
import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import msgspec

from actors.checkpoints.repository import Repository
from actors.checkpoints.worktrees.problems import refused
from actors.common import installed_programs
from actors.common.folders import lives, removal, worktree_places
from actors.common.folders.worktree_places import GIT, Note
from actors.common.small_files import read_regular, replace_file

PLAIN_KEY = re.compile(r"[0-9A-Za-z](?!.*\.\.)[0-9A-Za-z._-]{0,99}(?<!\.)(?<!\.lock)")
"""That can be a folder and the end of a ref; another one is hashed."""
GONE, OWNER, LOCK = "gone", "owner", "lock"
MAKING = "making-"
"""What the names begin with of what is not a copy yet."""
MERGING = ".merging"
"""Beside them: locks of the workspaces that something is merged into."""
MOST_OWNER = 64
"""Bytes."""


class OfHome(msgspec.Struct, frozen=True):
    """All of TROUPER_HOME."""

    home: Path
    """Resolved."""
    environ: Mapping[str, str]
    owner: int
    """The pid of who lives as long as this program does."""

    @property
    def top(self) -> Path:
        return self.home / worktree_places.FOLDER

    def notes(self) -> list[tuple[Path, Note]]:
        """Of all that can be worked in."""
        folders = sorted(self.top.iterdir()) if self.top.is_dir() else []
        found = ((folder, worktree_places.note_in(folder)) for folder in folders if not folder.name.startswith("."))
        return [(folder, note) for folder, note in found if note is not None]

    def folder(self, key: str) -> Path:
        return self.top / name_of(key)

    @contextmanager
    def held(self, key: str, *, wait: bool = True) -> Iterator["Held"]:
        """Nobody else works on it meanwhile. Raises Failed, OSError; BlockingIOError where it is not waited for."""
        folder = self.folder(key)
        lock = _locked(folder, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        try:
            held = Held(self, key, folder)
            held.finish_removal()
            note = held.note
            if note is not None and note.key != key:
                raise refused(f"{folder} belongs to {note.key!r}.")
            yield held
        finally:
            if worktree_places.note_in(folder) is None and not (folder / GONE).exists():
                (folder / LOCK).unlink(missing_ok=True)  # who waits for it makes another folder
                removal.remove(folder)
            os.close(lock)

    @contextmanager
    def merging(self, repository: str) -> Iterator[None]:
        """One at a time into each workspace. Raises OSError."""
        (self.top / MERGING).mkdir(mode=0o700, parents=True, exist_ok=True)
        name = hashlib.sha256(os.fsencode(repository)).hexdigest()[:32]
        lock = os.open(self.top / MERGING / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


class Held(msgspec.Struct, frozen=True):
    """One of them, while nobody else works on it."""

    among: OfHome
    key: str
    folder: Path

    @property
    def note(self) -> Note | None:
        return worktree_places.note_in(self.folder)

    def noted(self) -> Note:
        """Raises Failed where there is no copy to work in."""
        note = self.note
        if note is None:
            raise refused(f"there is no worktree {self.key}.", "See: trouper worktrees list")
        return note

    @property
    def ref(self) -> str:
        return f"refs/trouper/work/{self.folder.name}"

    def git(self, top: Path, folder: Path | None = None, *, bounded: bool = False) -> Repository:
        """A repository of ours; without a folder the one that stays with the worktree. bounded: as of Repository.

        Raises Failed where git is not installed.
        """
        program = installed_programs.find("git", top)
        if not program:
            raise refused("git is not installed.")
        path = installed_programs.outside(self.among.environ.get("PATH", os.defpath), top)
        return Repository(folder or self.folder / GIT, program, path, bounded=bounded)

    def save(self, note: Note) -> None:
        """From now on there is a copy. Raises OSError."""
        replace_file(self.folder / worktree_places.NOTE, msgspec.json.encode(note))

    def own(self) -> None:
        """It is this program's. Raises OSError."""
        replace_file(self.folder / OWNER, lives.of(self.among.owner).encode())

    def user(self) -> int:
        """The pid of the program whose it is, if that goes on; else 0."""
        try:
            life = read_regular(self.folder / OWNER, MOST_OWNER).decode()
        except (OSError, UnicodeDecodeError):
            return 0
        return int(life.partition(" ")[0]) if lives.goes_on(life) else 0

    def give_up(self) -> None:
        """Its work is kept: from now on it only has to be removed, whatever happens. Raises OSError."""
        (self.folder / worktree_places.NOTE).rename(self.folder / GONE)

    def finish_removal(self) -> None:
        """What another life began. Raises OSError."""
        if (self.folder / GONE).exists():
            self.clear()
            (self.folder / GONE).unlink()

    def sweep(self) -> None:
        """What an earlier life has begun to make: a git that lost its parent may have gone on with it."""
        for entry in self.folder.glob(f"{MAKING}*"):
            removal.remove(entry)

    def clear(self) -> None:
        """All but the note and the lock. Raises OSError where something stays."""
        for entry in sorted(self.folder.iterdir()):
            if entry.name in (LOCK, GONE):
                continue
            if entry.is_dir() and not entry.is_symlink():
                removal.remove(entry)
                if entry.exists() and not entry.name.startswith(MAKING):  # a git that lost its parent may write there
                    raise refused(f"{entry} could not be removed.", "Its work is kept. See what is in it.")
            else:
                entry.unlink()


def name_of(key: str) -> str:
    if PLAIN_KEY.fullmatch(key) and key != MERGING:
        return key
    return f"k-{hashlib.sha256(key.encode(errors='surrogateescape')).hexdigest()[:24]}"


def _locked(folder: Path, how: int) -> int:
    """Who had it before may have removed it meanwhile, with its folder. Raises OSError."""
    while True:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except FileNotFoundError:
            continue
        try:
            fcntl.flock(lock, how)
            if os.path.samestat(os.fstat(lock), (folder / LOCK).stat()):
                os.utime(lock)  # when it was used last
                return lock
        except FileNotFoundError:
            pass
        except OSError:
            os.close(lock)
            raise
        os.close(lock)
