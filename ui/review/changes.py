"""What a change does, line by line, as it may leave this machine: without secrets, and nothing invisible. Pure."""

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from actors.settings.redaction import redacted
from actors.texts import token_estimate
from ui.source_text.languages import is_code
from ui.source_text.source_file import Reason

Sign = Literal[" ", "+", "-"]
How = Literal["changed", "added", "removed"]
BEGIN, END = "-----BEGIN PRIVATE KEY-----", re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY")
KEY_LINE = re.compile(r"""["'`#*>|]?[ \t]?[A-Za-z0-9+/]{16,}={0,2}["'`,\\n]{0,4}""")
LEAST = 5
"""Lines of a key without its beginning and its end."""


class Line(msgspec.Struct, frozen=True, gc=False, array_like=True):
    sign: Sign
    """ " ": it is there before and after."""
    number: int
    """From 1: in the file as it is after the change; of a removed one, as it was before."""
    at: int
    """In the file after the change; of a removed one, what comes after it."""
    text: str


class FileChange(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    path: str
    """Relative to the top, with "/"; of a removed file, where it was."""
    before: str = ""
    """Where it was, if that was elsewhere."""
    how: How = "changed"
    hunks: tuple[tuple[Line, ...], ...]
    """Changed lines and their surroundings, in the order of the file."""


class Skipped(msgspec.Struct, frozen=True, gc=False):
    path: str
    """For people: harmless, and not a way back to the file."""
    reason: Reason


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    files: tuple[FileChange, ...] = ()
    skipped: tuple[Skipped, ...] = ()

    @property
    def lines(self) -> int:
        """Added or removed."""
        return sum(line.sign != " " for file in self.files for hunk in file.hunks for line in hunk)


def without_secrets(path: str, hunk: Iterable[Line]) -> tuple[Line, ...]:
    """Each side as one text: a secret may have several lines. path: of the file."""
    lines = list(hunk)
    for out in ("+", "-"):
        side = [at for at, line in enumerate(lines) if line.sign != out]
        for at, text in zip(side, _without(path, [lines[at].text for at in side]), strict=True):
            if text != lines[at].text:
                lines[at] = msgspec.structs.replace(lines[at], text=text)
    return tuple(lines)


def _without(path: str, texts: list[str]) -> list[str]:
    """A hunk may begin within a key."""
    end = next((at for at, text in enumerate(texts) if END.search(text)), len(texts))
    is_key = all(KEY_LINE.fullmatch(text.strip()) for text in texts[:end])
    if is_key and (0 < end < len(texts) or end >= LEAST):
        return redacted("\n".join((BEGIN, *texts)), in_code=is_code(path)).split("\n")[1:]
    return redacted("\n".join(texts), in_code=is_code(path)).split("\n") if texts else []


def of_new_file(path: str, text: str) -> FileChange:
    """text: without secrets."""
    rows = text.removesuffix("\n").split("\n")
    lines = (Line("+", number, number, row) for number, row in enumerate(rows, start=1))
    return FileChange(path=path, how="added", hunks=(tuple(lines),))


def tokens(line: Line) -> int:
    """Estimate of it as it is rendered."""
    return token_estimate.of_text(line.text) + 2
