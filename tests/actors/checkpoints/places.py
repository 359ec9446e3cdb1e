"""A workspace with its checkpoints, as the tests of them have it: what is in it, and ways to change that at random."""

import os
import random
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

from actors.checkpoints.workspace import Workspace
from actors.messages.checkpoint import (
    CheckpointDiff,
    DiffCheckpoint,
    Moment,
    RestoreCheckpoint,
    Restored,
    TakeCheckpoint,
)

State = dict[bytes, tuple[str, int, bytes]]
"""By path: kind, permissions, and the content."""
GIT = {
    "PATH": os.environ["PATH"],
    "HOME": "/nowhere",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


class Place:
    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self.root = folder / "work"
        self.root.mkdir(exist_ok=True)
        self.environ = {"PATH": os.environ["PATH"], "HOME": str(folder / "user")}
        self.workspace = Workspace(self.home, self.root, self.environ)
        self._restores = 0

    @property
    def cwd(self) -> str:
        return str(self.root)

    def take(self, turn: str = "t1", moment: Moment = "before") -> str:
        wanted = TakeCheckpoint(cwd=self.cwd, session_id="5e55", prompt_id=turn, moment=moment)
        return self.workspace.take(wanted, lambda: True).checkpoint_id

    def diff(self, checkpoint_id: str, *, remove_others: bool = False) -> CheckpointDiff:
        wanted = DiffCheckpoint(cwd=self.cwd, checkpoint_id=checkpoint_id, remove_others=remove_others)
        return self.workspace.diff(wanted)

    def restore(self, checkpoint_id: str, *, remove_others: bool = False, restore_id: str = "") -> Restored:
        self._restores += 1
        wanted = RestoreCheckpoint(
            cwd=self.cwd,
            checkpoint_id=checkpoint_id,
            session_id="5e55",
            restore_id=restore_id or f"r{self._restores}",
            remove_others=remove_others,
        )
        return self.workspace.restore(wanted)

    def write(self, name: str, text: str = "text\n", mode: int = 0o644) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(mode)
        return path

    def git(self, *arguments: str, cwd: Path | None = None) -> str:
        where = cwd or self.root
        return subprocess.run(
            ["git", *arguments], cwd=where, env=GIT, check=True, capture_output=True, text=True
        ).stdout

    def state(self) -> State:
        return state(self.root)


def state(root: Path, *, without: str = "") -> State:
    """without: a name that is not looked into."""
    found: State = {}
    top = os.fsencode(root)
    for folder, folders, files in os.walk(top):
        folders[:] = [name for name in folders if name != os.fsencode(without)]
        for name in (*folders, *files):
            path = os.path.join(folder, name)  # noqa: PTH118
            info = os.lstat(path)
            below = os.path.relpath(path, top)
            if stat.S_ISLNK(info.st_mode):
                found[below] = ("link", 0, os.readlink(path))  # noqa: PTH115  # bytes
            elif stat.S_ISDIR(info.st_mode):
                found[below] = ("folder", stat.S_IMODE(info.st_mode), b"")
            elif stat.S_ISREG(info.st_mode):
                found[below] = ("file", stat.S_IMODE(info.st_mode), Path(os.fsdecode(path)).read_bytes())
            else:
                found[below] = ("other", stat.S_IMODE(info.st_mode), b"")
    return found


NAMES = [
    *(
        b"a",
        b"b.txt",
        b"-rf",
        b"--",
        b"new\nline",
        b'quo"te',
        b"back\\slash",
        b"sp ace",
        b"tab\t",
        b"\xff\xfe",
        b"\xc3\xa9",
    ),
    *(b"*", b"[x]", b"!not", b"#hash", b"~", b"con", b"git~1", b".gitignored", b".env", b"e\xcc\x81", b"_.", b"..."),
]
CONTENTS = [
    b"",
    b"one\n",
    b"one\r\ntwo\r\n",
    b"\x00\x01\xff" * 50,
    b"$Id$\n",
    b"no end",
    b"\xef\xbb\xbfx",
    b"x" * 70_000,
]
MODES = [0o644, 0o755, 0o600, 0o444, 0o640, 0o777, 0o700]

FOLDER_MODES = [0o755, 0o700, 0o777, 0o555]


class Editor:
    """Somebody who does anything with the files below a folder."""

    def __init__(self, root: Path, seed: int) -> None:
        self._root = os.fsencode(root)
        self._random = random.Random(seed)

    def edit(self, times: int) -> None:
        acts: list[Callable[[], None]] = [
            *(
                self._create,
                self._create,
                self._change,
                self._remove,
                self._rename,
                self._mode,
                self._link,
                self._folder,
            ),
            *(self._swap, self._remove_tree),
        ]
        for _ in range(times):
            try:
                self._random.choice(acts)()
            except OSError:
                continue  # what cannot be done here is not done

    def _paths(self, kind: str) -> list[bytes]:
        return sorted(path for path in _below(self._root) if _kind(path) in kind.split())

    def _any(self, kind: str) -> bytes:
        found = self._paths(kind)
        if not found:
            raise FileNotFoundError(kind)
        return self._random.choice(found)

    def _new(self) -> bytes:
        folder = self._random.choice([self._root, *self._paths("folder")])
        return os.path.join(folder, self._random.choice(NAMES))  # noqa: PTH118

    def _create(self) -> None:
        path = self._new()
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        os.write(descriptor, self._random.choice(CONTENTS))
        os.fchmod(descriptor, self._random.choice(MODES))
        os.close(descriptor)

    def _change(self) -> None:
        path = os.fsdecode(self._any("file"))
        mode = stat.S_IMODE(Path(path).stat().st_mode)
        Path(path).chmod(mode | 0o200)
        Path(path).write_bytes(self._random.choice(CONTENTS))
        Path(path).chmod(mode)

    def _remove(self) -> None:
        Path(os.fsdecode(self._any("file link"))).unlink()

    def _rename(self) -> None:
        os.rename(self._any("file link folder"), self._new())  # noqa: PTH104

    def _mode(self) -> None:
        path = self._any("file folder")
        Path(os.fsdecode(path)).chmod(self._random.choice(FOLDER_MODES if _kind(path) == "folder" else MODES))

    def _link(self) -> None:
        Path(os.fsdecode(self._new())).symlink_to(self._random.choice(["/gone/far", "../gone", "gone", "a"]))

    def _folder(self) -> None:
        os.mkdir(self._new(), self._random.choice([0o755, 0o700, 0o775]))  # noqa: PTH102

    def _swap(self) -> None:
        """A folder makes room for a link or a file of its name."""
        path = os.fsdecode(self._any("folder"))
        shutil.rmtree(path)
        if self._random.random() < 0.5:
            Path(path).symlink_to("gone")
        else:
            Path(path).write_bytes(self._random.choice(CONTENTS))

    def _remove_tree(self) -> None:
        shutil.rmtree(os.fsdecode(self._any("folder")))


def _below(root: bytes) -> Iterator[bytes]:
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name != b".git"]
        for name in (*folders, *files):
            if name != b".git":
                yield os.path.join(folder, name)  # noqa: PTH118


def _kind(path: bytes) -> str:
    mode = os.lstat(path).st_mode
    return (
        "link" if stat.S_ISLNK(mode) else "folder" if stat.S_ISDIR(mode) else "file" if stat.S_ISREG(mode) else "other"
    )
