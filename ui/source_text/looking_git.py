"""git for commands that only look at a repository: bounded, and nothing that the repository names is run."""

import os
import stat
import subprocess
import tempfile
import threading
from collections.abc import Container, Sequence
from pathlib import Path
from typing import IO

from actors.common.installed_programs import find
from actors.common.small_files import entries, mode_of
from actors.confinement import git_folder, git_looking
from actors.confinement.errors import ToolFailed
from ui.common.harmless import exposed_line, one_line

WITHIN_S = 120.0
MOST_BYTES = 64 * 1024 * 1024
PIECE = 64 * 1024


class GitFailed(Exception):
    """Text for the user."""


class TooMuch(GitFailed):
    """It would print more than was asked for."""


class LookingGit:
    """Of the repository that a folder is in."""

    def __init__(self, folder: Path) -> None:
        """Raises GitFailed."""
        try:
            self.repository = git_folder.find(folder.resolve())
        except ToolFailed as error:
            raise GitFailed(str(error)) from error
        _check(self.repository.folder)
        self._git = find("git", self.repository.top)
        if not self._git:
            raise GitFailed("git is not installed. Install it, then try again.")
        self._settings: Sequence[str] = ()

    @property
    def top(self) -> Path:
        """Of its files."""
        return self.repository.top

    def run(
        self, *arguments: str, most: int = MOST_BYTES, given: IO[bytes] | None = None, within_s: float = WITHIN_S
    ) -> bytes:
        """What it prints, at most so many bytes. given: what it reads. Raises GitFailed; TooMuch where it is more."""
        argv = git_looking.argv(self._git, arguments, self._settings)
        here = git_looking.variables(self.repository, os.environ)
        return read(argv, self.top, here, most=most, given=given, within_s=within_s)

    def without_filters(self) -> None:
        """From here on: for what compares files of the working tree. Raises GitFailed."""
        try:
            self._settings = git_looking.without_filters(self.run(*git_looking.FILTER_NAMES))
        except ToolFailed as error:
            raise GitFailed(
                "the config of this repository has a filter with an odd name. Look at: git config -l"
            ) from error

    def commit(self, name: str) -> str:
        """Its whole id; "" for what names none."""
        try:
            return (
                self.run("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}").decode().strip()
            )
        except (GitFailed, ValueError):  # ValueError: a NUL in it
            return ""


def _check(folder: Path) -> None:
    """git waits for ever for what a pipe in its folder says. Raises GitFailed."""
    for place in (folder, folder / "info", folder / "objects" / "info"):
        for entry in entries(str(place)):
            mode = mode_of(entry.path)
            if stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
                raise GitFailed(f"{exposed_line(entry.path)} is a pipe or a device. Remove it, or look at: git fsck")


def read(  # noqa: PLR0913  # one program, as it is to be run
    argv: Sequence[str],
    folder: Path,
    environ: dict[str, str],
    *,
    most: int,
    within_s: float = WITHIN_S,
    given: IO[bytes] | None = None,
    fine: Container[int] = (0,),
) -> bytes:
    """What a program prints that is given this file. Raises GitFailed; TooMuch where it is more than `most` bytes.

    fine: exit codes that are no failure.
    """
    name = Path(argv[0]).name
    with tempfile.TemporaryFile() as errors:
        try:
            process = subprocess.Popen(
                argv, cwd=folder, env=environ, stdin=given or subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors
            )
        except OSError as error:
            raise GitFailed(f"cannot run {name}: {error.strerror}.") from error
        late = threading.Timer(within_s, process.kill)
        late.start()
        try:
            with process:
                data = _up_to(most, process.stdout) if process.stdout else b""
                if len(data) > most:
                    process.kill()
        finally:
            was_late = not late.is_alive()
            late.cancel()
        if len(data) > most:
            raise TooMuch(f"{name} prints more than {most // 1024 // 1024} MB.")
        if process.returncode not in fine:
            errors.seek(0)
            said = one_line(errors.read(4096).decode(errors="replace"))
            raise GitFailed(f"{name} took longer than {within_s:.0f} s." if was_late else f"{name} says: {said}")
    return data


def _up_to(most: int, output: IO[bytes]) -> bytes:
    """One byte more where there are more; not at once, which would take room for all of them before any has come."""
    pieces: list[bytes] = []
    left = most + 1
    while left and (piece := output.read(min(left, PIECE))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)
