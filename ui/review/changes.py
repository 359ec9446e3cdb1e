"""What a change does, line by line, as it may leave this machine: without secrets, and nothing invisible. Pure."""

from collections.abc import Iterable
from typing import Literal

import msgspec

from actors.settings.redaction import redacted
from actors.texts import token_estimate
from ui.source_text.source_file import Reason

Sign = Literal[" ", "+", "-"]
How = Literal["changed", "added", "removed"]


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


def without_secrets(hunk: Iterable[Line]) -> tuple[Line, ...]:
    """Each side as one text: a secret may have several lines."""
    lines = list(hunk)
    for out in ("+", "-"):
        side = [at for at, line in enumerate(lines) if line.sign != out]
        texts = redacted("\n".join(lines[at].text for at in side)).split("\n")
        texts += [""] * (len(side) - len(texts))  # of a key that was left out as a whole
        for at, text in zip(side, texts, strict=False):
            if text != lines[at].text:
                lines[at] = msgspec.structs.replace(lines[at], text=text)
    return tuple(lines)


def of_new_file(path: str, text: str) -> FileChange:
    """text: without secrets."""
    rows = text.removesuffix("\n").split("\n")
    lines = (Line("+", number, number, row) for number, row in enumerate(rows, start=1))
    return FileChange(path=path, how="added", hunks=(tuple(lines),))


def tokens(line: Line) -> int:
    """Estimate of it as it is rendered."""
    return token_estimate.of_text(line.text) + 2
