"""What is known of a file that may be sent, and of one that is not; the text itself is read when it is needed."""

from typing import Literal

import msgspec

from actors.errors import Trouble

Reason = Literal[
    "secret file",
    "lock file",
    "binary",
    "generated",
    "too large",
    "empty",
    "not a regular file",
    "outside",
    "own report",
    "closed by a rule",
    "ignored",
    "unprintable name",
    "unreadable",
]


class SourceFile(msgspec.Struct, frozen=True, gc=False):
    path: str
    """Relative to the root, with "/"; printable, all of it valid Unicode."""
    bytes: int
    lines: int
    sha256: str
    """Of its bytes on the disk."""
    tokens: int
    """Estimate of it as it is rendered, with its line numbers."""


class Skipped(msgspec.Struct, frozen=True, gc=False):
    path: str
    """For people: harmless, and not a way back to the file."""
    reason: Reason
    """ "ignored": although git has it in its index."""


class Collection(msgspec.Struct, frozen=True, kw_only=True):
    files: tuple[SourceFile, ...]
    """In the order of their paths."""
    skipped: tuple[Skipped, ...]
    """The first ones, in the order of their paths."""
    skipped_by_reason: dict[Reason, int]
    """All of them."""


class Changed(Trouble):
    """A file is not any more what it was when it was collected."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} changed while it was being looked at. Start again when nothing writes there.")


class CannotCollect(Trouble):
    """Text for the user: the cause and the next step."""


class TooLarge(Trouble):
    """Text for the user: what does not fit, and the next step."""
