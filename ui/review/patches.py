"""A patch as text, read as what it changes: git's own, a pull request's, or anybody's on standard input. Pure.

It is data from outside: its names and numbers are checked, and no file that it names is opened.
"""

import re
from collections.abc import Iterator, Sequence

import msgspec

from ui.common.harmless import exposed_line, sanitise
from ui.review.changes import Changes, FileChange, How, Line, Skipped, without_secrets
from ui.source_text import skip_rules
from ui.source_text.decoding import LONGEST_LINE
from ui.source_text.source_file import Reason

HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
MERGES = (b"diff --cc ", b"diff --combined ")
NOTHING = b"/dev/null"
PREFIX = re.compile(r"[abciwo]/")
"""Of git, also with diff.mnemonicPrefix."""
ESCAPES = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"a": b"\a", b"b": b"\b", b"f": b"\f", b"v": b"\v"}
ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))", re.DOTALL)
GIT_NAMES = re.compile(rb'diff --git ("(?:[^"\\]|\\.)*"|.*) ("(?:[^"\\]|\\.)*"|b/.*)$', re.DOTALL)


class BadPatch(Exception):
    """Text for the user: which line, and what is wrong with it."""


class _Header(msgspec.Struct):
    """What stands before the hunks of a file. Names as they are written."""

    before: bytes = b""
    after: bytes = b""
    is_git: bool = False
    is_binary: bool = False


def parse(patch: bytes) -> Changes:
    """Raises BadPatch."""
    files: dict[str, FileChange] = {}
    skipped: list[Skipped] = []
    for header, hunks in _Reader(patch).files():
        path, before, how = _names(header)
        if reason := _reason(path, header, hunks) or (reason_for(before) if before else None):
            skipped.append(Skipped(exposed_line(path), reason))
            continue
        told = tuple(without_secrets(path, hunk) for hunk in hunks)
        if path in files:  # of a series of patches: one after the other
            told = (*files[path].hunks, *told)
        files[path] = FileChange(path=path, before=before, how=how, hunks=told)
    return Changes(files=tuple(files.values()), skipped=tuple(skipped))


def reason_for(path: str) -> Reason | None:
    """Why this one is not sent, by its name."""
    if exposed_line(path) != path:
        return "unprintable name"
    parts = path.split("/")
    if any(part in {"", ".", ".."} or part.casefold() == ".git" for part in parts):
        return "outside"
    return skip_rules.by_name(path)


def text_of(line: bytes) -> str:
    """Of one line, without its end: whatever its encoding, and harmless."""
    line = line.removesuffix(b"\r")
    try:
        text = line.decode()
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    return "\t".join(map(sanitise, text.split("\t"))).replace("\n", "")  # in code a tab is a tab


def _reason(path: str, header: _Header, hunks: Sequence[Sequence[Line]]) -> Reason | None:
    if reason := reason_for(path):
        return reason
    if header.is_binary:
        return "binary"
    return "generated" if any(len(line.text) > LONGEST_LINE for hunk in hunks for line in hunk) else None


def _names(header: _Header) -> tuple[str, str, How]:
    """Where it is, where it was if that was elsewhere, and what was done with it."""
    before, after = _name(header.before), _name(header.after)
    if header.is_git or (before.startswith("a/") and after.startswith("b/")):
        before, after = PREFIX.sub("", before, count=1), PREFIX.sub("", after, count=1)
    if header.after == NOTHING:
        return before, "", "removed"
    if header.before == NOTHING:
        return after, "", "added"
    return after, before if before != after else "", "changed"


def _name(written: bytes) -> str:
    """As git quotes it; without what follows it after a tab, such as a date."""
    name = written.rstrip(b"\r\t")
    if name.startswith(b'"') and name.endswith(b'"') and len(name) > 1:
        return ESCAPE.sub(_unescaped, name[1:-1]).decode(errors="replace")
    return name.split(b"\t")[0].decode(errors="replace")


def _unescaped(found: re.Match[bytes]) -> bytes:
    octal, letter = found[1], found[2]
    return bytes([int(octal, 8) & 0xFF]) if octal else ESCAPES.get(letter, letter)


class _Reader:
    def __init__(self, patch: bytes) -> None:
        self._lines = patch.removesuffix(b"\n").split(b"\n")
        self._at = 0

    def files(self) -> Iterator[tuple[_Header, list[tuple[Line, ...]]]]:
        """Raises BadPatch."""
        header, hunks = _Header(), list[tuple[Line, ...]]()
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if line.startswith(MERGES):
                raise BadPatch(f"line {self._at + 1}: the diff of a merge cannot be read. Compare with one parent.")
            if line.startswith(b"diff --git ") or ((hunks or header.is_binary) and self._has_names()):
                if hunks or header.is_binary:
                    yield header, hunks
                header, hunks = _of_git(line), []
            if line.startswith(b"@@ -") and header.after:
                begin = self._at
                hunks.append(tuple(self._hunk()))
                header.is_binary = header.is_binary or any(b"\0" in each for each in self._lines[begin : self._at])
                continue
            if self._has_names():
                header.before, header.after = line[4:], self._lines[self._at + 1][4:]
                self._at += 1
            elif header.is_git and line.startswith((b"Binary files ", b"GIT binary patch")):
                header.is_binary = True
            self._at += 1
        if hunks or header.is_binary:
            yield header, hunks

    def _has_names(self) -> bool:
        pair = self._lines[self._at : self._at + 2]
        return len(pair) == 2 and pair[0].startswith(b"--- ") and pair[1].startswith(b"+++ ")

    def _hunk(self) -> Iterator[Line]:
        """Raises BadPatch."""
        begin = self._at + 1
        old, old_end, new, new_end = self._numbers()
        self._at += 1
        while old < old_end or new < new_end:
            if self._at >= len(self._lines):
                raise BadPatch(f"it ends within the hunk of line {begin}. Was it cut?")
            line = self._lines[self._at]
            self._at += 1
            sign, text = line[:1], text_of(line[1:])
            if sign == b"+" and new < new_end:
                yield Line("+", new, new, text)
                new += 1
            elif sign == b"-" and old < old_end:
                yield Line("-", old, new, text)
                old += 1
            elif sign in {b" ", b"", b"\r"} and old < old_end and new < new_end:  # mailers take blanks away
                yield Line(" ", new, new, text)
                old, new = old + 1, new + 1
            elif sign != b"\\":  # "\ No newline at end of file"
                raise BadPatch(f"line {self._at} does not fit the hunk of line {begin}. Was it edited by hand?")

    def _numbers(self) -> tuple[int, int, int, int]:
        """The first line, and that after the last one, of both sides. Raises BadPatch."""
        found = HUNK.match(self._lines[self._at])
        if found is None:
            raise BadPatch(f"line {self._at + 1} is no hunk: {text_of(self._lines[self._at][:60])}")
        old, olds, new, news = (1 if number is None else int(number) for number in found.groups())
        old, new = old + (not olds), new + (not news)  # of none git names the line before
        return old, old + olds, new, new + news


def _of_git(line: bytes) -> _Header:
    """Its names are read here for files that have no other line with them."""
    found = GIT_NAMES.match(line)
    if found is None:
        return _Header(is_git=line.startswith(b"diff --git "))
    return _Header(before=found[1], after=found[2], is_git=True)
