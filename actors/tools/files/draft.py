"""Changes of several files, made in memory first and then all or none of them on disk."""

import contextlib
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from actors.confinement.errors import ToolFailed
from actors.tools.base import Changed
from actors.tools.files import whole_files
from actors.tools.text import diff
from actors.tools.workspace.folder import Workspace


class _File(msgspec.Struct):
    path: Path
    before: str | None
    """None: there is none."""
    info: os.stat_result | None
    after: str | None
    like: os.stat_result | None
    """Whose mode and owner it gets."""


class Draft:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._files: dict[Path, _File] = {}

    def text(self, path: Path) -> str:
        """As it is now in the draft. Raises ToolFailed, OSError."""
        text = self._file(path).after
        if text is None:
            name = self._workspace.shown(path)
            raise ToolFailed(f"No such file: {name}. To make a new file use write.")
        return text

    def exists(self, path: Path) -> bool:
        return self._file(path).after is not None

    def write(self, path: Path, text: str) -> None:
        self._file(path).after = text

    def remove(self, path: Path) -> None:
        self.text(path)
        self._file(path).after = None

    def move(self, path: Path, to: Path, text: str) -> None:
        self._file(to).after, self._file(to).like = text, self._file(path).like
        self._file(path).after = None

    @property
    def changed(self) -> tuple[Changed, ...]:
        """Those that will be there."""
        return tuple(Changed(file.path, file.before or "") for file in self._changes() if file.after is not None)

    def diffs(self, *, whole: bool = False) -> tuple[str, ...]:
        """One of each file; see `diff.unified`."""
        return tuple(
            diff.unified(self._workspace.shown(file.path), file.before or "", file.after or "", whole=whole)
            for file in self._changes()
        )

    def commit(self) -> None:
        """Raises ToolFailed, OSError; then nothing is changed, or it says which files are."""
        with contextlib.ExitStack() as stack:
            puts = [(file, self._prepared(file, stack)) for file in self._changes()]
            done: list[_File] = []
            try:
                for file, put in puts:
                    put()
                    done.append(file)
            except OSError as error:
                raise ToolFailed(f"{error.filename or 'A file'}: {error.strerror}. {self._taken_back(done)}") from error

    def _file(self, path: Path) -> _File:
        if path not in self._files:
            info = whole_files.existing(self._workspace, path)
            before = None
            if info is not None:
                before, info = whole_files.read_whole(self._workspace, path)
                whole_files.check_unchanged(self._workspace, path, info)
            self._files[path] = _File(path, before, info, before, info)
        return self._files[path]

    def _changes(self) -> list[_File]:
        """What is removed comes last."""
        changes = [file for file in self._files.values() if file.after != file.before]
        return sorted(changes, key=lambda file: file.after is None)

    def _prepared(self, file: _File, stack: contextlib.ExitStack) -> Callable[[], None]:
        if file.after is None:
            return partial(whole_files.remove, self._workspace, file.path)
        return stack.enter_context(whole_files.staged(self._workspace, file.path, file.after, file.like))

    def _taken_back(self, done: list[_File]) -> str:
        left = []
        for file in reversed(done):
            try:
                if file.before is None:
                    whole_files.remove(self._workspace, file.path)
                else:
                    whole_files.replace(self._workspace, file.path, file.before, file.info)
            except OSError:
                left.append(self._workspace.shown(file.path))
        if left:
            return f"What was done could not be taken back in: {', '.join(left)}. Look at them before you go on."
        return "No file was changed."
