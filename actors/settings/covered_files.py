"""The files that patterns of rules cover, looked for on the disk."""

import os
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from actors.common.globs import ANY_DEPTH, covers, is_literal, may_match_below
from actors.common.small_files import entries


def candidates(workspace: Path, patterns: Sequence[str], within_s: float) -> Iterator[tuple[Path, str]]:
    """What one of these covers, the outermost only, and which it is; a literal one's path need not be there.

    Outside the workspace a pattern is looked for that says in which folder: not below a `**` with more after it, where
    a whole disk may be; and no folder counts that the workspace is in. Raises TimeoutError.
    """
    deadline = time.monotonic() + within_s
    for pattern in patterns:
        given, *rest = _split(pattern)
        top = Path(os.path.normpath(workspace / given))
        if not rest and not workspace.is_relative_to(top):
            yield top, pattern
        elif rest and ANY_DEPTH not in rest and not top.is_relative_to(workspace):
            yield from ((path, pattern) for path in _named(top, rest, deadline))
    if patterns:
        yield from _walk(workspace, patterns, deadline)


def _split(pattern: str) -> list[str]:
    """The literal folders that it begins with, and its other segments; what is below all that it covers is, too."""
    segments = os.path.normpath(os.path.expanduser(pattern)).split("/")  # noqa: PTH111  # a Path refuses ~nobody
    while segments and segments[-1] == ANY_DEPTH:
        segments.pop()
    literal = list(takewhile(is_literal, segments))
    return ["/".join([*literal, ""]), *segments[len(literal) :]]


def _named(top: Path, segments: list[str], deadline: float) -> Iterator[Path]:
    """What has a name like the first segment there, and so on; in whatever case."""
    if time.monotonic() > deadline:
        raise TimeoutError
    for entry in entries(str(top)):
        path = Path(entry.path)
        if covers(segments[0], path, top):
            yield from _named(path, segments[1:], deadline) if segments[1:] else [path]


def _walk(workspace: Path, patterns: Sequence[str], deadline: float) -> Iterator[tuple[Path, str]]:
    waiting = deque([str(workspace)])
    while waiting:
        if time.monotonic() > deadline:
            raise TimeoutError
        for entry in entries(waiting.popleft()):
            path = Path(entry.path)
            if covering := next((pattern for pattern in patterns if covers(pattern, path, workspace)), ""):
                yield path, covering
            elif entry.is_dir(follow_symlinks=False) and any(
                may_match_below(pattern, path, workspace) for pattern in patterns
            ):
                waiting.append(entry.path)
