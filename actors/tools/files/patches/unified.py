"""Unified diffs, as diff and git print them and as models write them: with counts that are wrong. Pure."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import TYPE_CHECKING

from actors.confinement.errors import ToolFailed
from actors.tools.files.patches.hunks import Add, Delete, Hunk, Operation, Update

if TYPE_CHECKING:
    from unidiff import patch

HEADER = re.compile(
    r"@@(?: -(?P<old_at>\d{1,9})(?:,(?P<old>\d{1,9}))? \+(?P<new_at>\d{1,9})(?:,(?P<new>\d{1,9}))? @@)?(?P<rest>.*)"
)
NOWHERE = "/dev/null"
SYMLINK = "120000"


def parse(text: str) -> tuple[Operation, ...]:
    """Raises ToolFailed."""
    from unidiff import errors, patch  # 10 ms, and most patches are in the other format

    try:
        files = patch.PatchSet("\n".join(_counted(text.split("\n"))) + "\n")
    except errors.UnidiffParseError as error:
        raise ToolFailed(
            f"This is no unified diff: {str(error).strip()}. Or use the format *** Begin Patch."
        ) from error
    return tuple(map(_operation, files))


def _counted(lines: list[str]) -> Iterator[str]:
    """With the number of lines that each hunk really has."""
    at = 0
    while at < len(lines):
        header = HEADER.fullmatch(lines[at])
        at += 1
        if header is None:
            yield lines[at - 1]
            continue
        body: list[str] = []
        while at < len(lines) and not _ends_hunk(lines, at):
            body.append(lines[at] or " ")
            at += 1
        said = int(header["old"] or 1), int(header["new"] or 1)
        while body and body[-1] == " " and _counts(body) != said:
            body.pop()  # between two parts of the diff, or after it
        old, new = _counts(body)
        yield f"@@ -{header['old_at'] or 0},{old} +{header['new_at'] or 0},{new} @@{header['rest']}"
        yield from body


def _counts(body: list[str]) -> tuple[int, int]:
    return sum(line[0] in " -" for line in body), sum(line[0] in " +" for line in body)


def _ends_hunk(lines: list[str], at: int) -> bool:
    line = lines[at]
    if line == "-- " and re.match(r"\d+\.\d", "".join(lines[at + 1 : at + 2])):
        return True  # who made it: git format-patch
    is_file = line.startswith("--- ") and at + 2 < len(lines) and lines[at + 1].startswith("+++ ")
    return (is_file and HEADER.fullmatch(lines[at + 2]) is not None) or (bool(line) and line[0] not in " +-\\")


def _operation(file: "patch.PatchedFile") -> Operation:
    if file.is_binary_file:
        raise ToolFailed(f"{file.path}: binary patches are not taken. Use copy, move or bash.")
    if SYMLINK in (file.source_mode, file.target_mode):
        raise ToolFailed(f"{file.path}: symlinks are not patched. Use bash.")
    hunks = tuple(map(_hunk, file))
    if file.source_file == NOWHERE:
        lines = [text for hunk in hunks for sign, text in hunk.lines if sign == "+"]
        ended = not hunks or hunks[-1].ends_line is not False
        return Add(file.path, "\n".join(lines) + ("\n" if ended and lines else ""))
    if file.target_file == NOWHERE:
        return Delete(file.path)
    to = _renamed(file)
    if not hunks and not to:
        raise ToolFailed(f"{file.path}: the diff has no hunk for it. A change of its mode alone is for bash (chmod).")
    return Update(_stripped(file.source_file) if to else file.path, hunks, to)


def _renamed(file: "patch.PatchedFile") -> str:
    """Only git says so: other programs name a copy of the old file."""
    is_renamed = file.patch_info is not None and any(line.startswith("rename to ") for line in file.patch_info)
    return _stripped(file.target_file) if is_renamed else ""


def _stripped(name: str) -> str:
    return re.sub(r"^[ab]/", "", name)


def _hunk(hunk: "patch.Hunk") -> Hunk:
    lines = tuple((line.line_type, line.value.removesuffix("\n")) for line in hunk if line.line_type in " +-")
    unended = [before.line_type for before, line in pairwise(hunk) if line.line_type == "\\"]
    ends_line = None if not unended else not {" ", "+"} & set(unended)
    first = hunk.source_start - (1 if hunk.source_length else 0)
    return Hunk(lines, expected=first if hunk.source_start else None, ends_line=ends_line)
