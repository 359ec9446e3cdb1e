"""What the files of a workspace have to be, in plain Python: after edits by the model and the user, and after rewinds.

An edit is one call, or one command of the user; the pool of paths has none that is another one's folder.
"""

import json
import os
import shlex
import stat
import subprocess
import uuid
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

File = tuple[int, bytes]
"""Permissions and content; of a symlink LINK and where it leads."""
State = Mapping[str, File]
LINK = -1
PATHS = ["a.txt", "b é.bin", "-c", "d/e", "d/f/g", "d/f/h.txt"]
CONTENTS = [b"", b"one\n", b"one\r\ntwo\r\n", b"\x00\x01\xff'%" * 20, b"x" * 900]
MODES = [0o644, 0o755, 0o600, 0o444]


class Edit(NamedTuple):
    kind: str
    path: str
    other: str = ""
    content: bytes = b""
    mode: int = 0

    @property
    def command(self) -> str:
        """Of the shell. What it cannot do it leaves."""
        path, other = shlex.quote(f"./{self.path}"), shlex.quote(f"./{self.other}")
        above = f"mkdir -p $(dirname -- {other if self.other else path})"
        match self.kind:
            case "put" | "write":
                octal = "".join(f"\\{byte:03o}" for byte in self.content)
                return f"{above}; rm -f {path}; printf '{octal}' > {path}; chmod {self.mode:o} {path}"
            case "move":
                return f"{above}; mv -f {path} {other}"
            case "link":
                return f"{above}; ln -sfn nowhere {path}"
            case "mode":
                return f"chmod {self.mode:o} {path}"
            case _:
                return f"rm -f {path}"

    @property
    def call(self) -> dict[str, object]:
        if self.kind == "write":
            return {"name": "write", "arguments": {"path": self.path, "content": self.content.decode()}}
        return {"name": "bash", "arguments": {"command": self.command}}

    def applied(self, to: State) -> State:
        state = dict(to)
        match self.kind:
            case "put" | "write":
                state[self.path] = (self.mode, self.content)
            case "link":
                state[self.path] = (LINK, b"nowhere")
            case "move" if self.path in state:
                state[self.other] = state.pop(self.path)
            case "mode" if state.get(self.path, (LINK, b""))[0] != LINK:
                state[self.path] = (self.mode, state[self.path][1])
            case "delete":
                state.pop(self.path, None)
            case _:
                pass
        return state


def _edit(whole: bool) -> st.SearchStrategy[Edit]:
    """whole: done at once, or not at all."""
    path, mode = st.sampled_from(PATHS), st.sampled_from(MODES)
    move = st.permutations(PATHS).map(lambda paths: Edit("move", paths[0], paths[1]))
    at_once = st.one_of(
        st.sampled_from(CONTENTS[:3]).map(
            lambda content: Edit("write", f"{uuid.uuid4().hex[:8]}.txt", "", content, 0o644)
        ),
        path.map(lambda path: Edit("delete", path)),
        move,
        st.builds(lambda path, mode: Edit("mode", path, mode=mode), path, mode),
    )
    put = st.builds(
        lambda path, content, mode: Edit("put", path, "", content, mode), path, st.sampled_from(CONTENTS), mode
    )
    return at_once if whole else st.one_of(put, put, at_once, path.map(lambda path: Edit("link", path)))


EDITS = st.lists(_edit(whole=False), min_size=1, max_size=4)
WHOLE_EDITS = st.lists(_edit(whole=True), min_size=1, max_size=3)


class Record(NamedTuple):
    files: State
    made: int
    """How often something was made by then."""


class Workspace:
    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: State = {}
        self._made: list[set[str]] = []
        """By each turn and each rewind."""
        self._perhaps: set[str] = set()
        """Made by a turn that somebody died in: the record of its end may be lost."""

    def edit_by_user(self, edits: Iterable[Edit]) -> None:
        for edit in edits:
            subprocess.run(["sh", "-c", edit.command], cwd=self.root, check=False, stderr=subprocess.DEVNULL)
            self.files = edit.applied(self.files)
        self.check()

    def record(self) -> Record:
        return Record(self.files, len(self._made))

    def turn(self, edits: list[Edit], *, disturbed: bool) -> None:
        """What it has done. disturbed: each of the edits may not have been."""
        possible = [self.files]
        for edit in edits:
            done = [edit.applied(one) for one in possible]
            possible = [*done, *possible] if disturbed else done
        now = read(self.root)
        assert now in possible, difference(possible[0], now)
        self._perhaps |= (now.keys() - self.files.keys()) if disturbed else set()
        self._made.append(now.keys() - self.files.keys())
        self.files = now

    def rewound(self, to: Record, *, remove_others: bool) -> State:
        """What has to be there after it."""
        made = set().union(*self._made[to.made :])
        new = self.files.keys() - to.files.keys()
        going = new if remove_others else new & made
        return {**to.files, **{path: self.files[path] for path in new - going}}

    def check_rewound(self, expected: State) -> None:
        now = read(self.root)
        unsure = self._perhaps & self.files.keys()
        for path in unsure - expected.keys() | unsure - now.keys():
            assert now.get(path, self.files[path]) == self.files[path]
            expected = {**expected, path: now[path]} if path in now else _without(expected, path)
        assert now == expected, difference(expected, now)
        self._made.append(now.keys() - self.files.keys())
        self.files = now

    def check_broken_off(self, expected: State) -> None:
        """Each file is as it was before, or as it will be."""
        for path, file in read(self.root).items():
            if not Path(path).name.startswith(".trouper-restoring-"):
                assert file in (self.files.get(path), expected.get(path)), path
        for path in self.files.keys() & expected.keys():
            assert os.path.lexists(self.root / path), path

    def check(self) -> None:
        now = read(self.root)
        assert now == self.files, difference(self.files, now)


def _without(state: State, path: str) -> State:
    return {one: file for one, file in state.items() if one != path}


def read(root: Path) -> State:
    return dict(_read(root))


def _read(root: Path) -> Iterator[tuple[str, File]]:
    for path in root.rglob("*"):
        info = path.lstat()
        name = str(path.relative_to(root))
        if name.startswith(".trouper"):
            continue
        if stat.S_ISLNK(info.st_mode):
            yield name, (LINK, os.fsencode(path.readlink()))
        elif stat.S_ISREG(info.st_mode):
            yield name, (stat.S_IMODE(info.st_mode), path.read_bytes())


def difference(expected: State, found: State) -> str:
    both = sorted(expected.keys() | found.keys())
    lines = [f"{path}: {expected.get(path)} expected, {found.get(path)} found" for path in both]
    return "\n".join(line for path, line in zip(both, lines, strict=True) if expected.get(path) != found.get(path))


def as_text(edits: Iterable[Edit]) -> str:
    """The calls, for the prompt."""
    return json.dumps([edit.call for edit in edits], ensure_ascii=False)
