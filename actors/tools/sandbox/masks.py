"""Files that one command may not read, because a rule says so: those that there are, covered for it alone."""

import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from actors.globs import covers, is_literal, may_match_below
from actors.tools import limits
from actors.tools.errors import ToolFailed


def find(workspace: Path, patterns: Sequence[str]) -> list[Path]:
    """What is covered by one of these, the outermost only; what a symlink leads to. Raises ToolFailed: too much."""
    found: list[Path] = []
    for path in _candidates(workspace, patterns):
        real = Path(os.path.realpath(path))
        if real.exists() and real not in found:
            found.append(real)
        if len(found) > limits.MASKS:
            raise ToolFailed(
                f"The rules hide more than {limits.MASKS} files here, which is too many for the sandbox of a command. "
                "Use the tools read, grep and glob instead, or ask the user to hide whole folders."
            )
    return found


def options(masked: Sequence[Path]) -> list[str]:
    """For bubblewrap."""
    words: list[str] = []
    for path in masked:
        if path.is_dir():
            words += ["--perms", "0000", "--tmpfs", str(path), "--remount-ro", str(path)]
        else:
            words += ["--ro-bind", "/dev/null", str(path)]
    return words


def _candidates(workspace: Path, patterns: Sequence[str]) -> Iterator[Path]:
    literal = [pattern for pattern in patterns if is_literal(pattern)]
    yield from _literal(workspace, literal)
    if others := [pattern for pattern in patterns if not is_literal(pattern)]:
        yield from _walk(workspace, others)


def _literal(workspace: Path, patterns: Sequence[str]) -> Iterator[Path]:
    for pattern in patterns:
        yield workspace / Path(pattern).expanduser()


def _walk(workspace: Path, patterns: Sequence[str]) -> Iterator[Path]:
    """Below the workspace. What a pattern means elsewhere is not looked for: a whole disk may be below it."""
    deadline = time.monotonic() + limits.MASKS_S
    waiting = [str(workspace)]
    while waiting:
        if time.monotonic() > deadline:
            raise ToolFailed(
                "Looking for the files that the rules hide takes too long here. Use the tools read, grep and glob "
                "instead, or ask the user for rules that name folders."
            )
        for entry in _entries(waiting.pop()):
            path = Path(entry.path)
            if any(covers(pattern, path, workspace) for pattern in patterns):
                yield path
            elif entry.is_dir(follow_symlinks=False) and any(
                may_match_below(pattern, path, workspace) for pattern in patterns
            ):
                waiting.append(entry.path)


def _entries(folder: str) -> list["os.DirEntry[str]"]:
    try:
        with os.scandir(folder) as entries:
            return list(entries)
    except OSError:
        return []  # gone meanwhile, or closed to us and so to the command
