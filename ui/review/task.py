"""What the command line hands to the fronts of a review and of its fixes, and the files between them."""

from contextlib import suppress
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from actors.common.small_files import read_regular, replace_file
from ui.common.usage_errors import Usage
from ui.findings.finding import Finding, Severity
from ui.findings.report import Form
from ui.inquiry.kept_run import Kept
from ui.review.targets import Target

FOLDER = "reviews"
MOST = 256 * 1024 * 1024
"""Bytes of such a file."""
MOST_KEPT = 200
"""Such files."""
STDOUT = "-"
WORKERS = 4

Kind = TypeVar("Kind")


class ReviewFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of a review."""

    kept: Kept
    command: str
    """As it was typed."""
    form: Form | Literal["github"] = "markdown"
    out: str = STDOUT
    """Absolute path of the report, or "-"."""
    workers: int = WORKERS
    fail_on: Severity | None = None
    agreed: bool = False
    """Whatever it costs: --yes, or --max-cost is the limit."""
    fixes: bool = False
    """What is found is going to be fixed: it is left for that."""
    base: str = ""
    """Of the fixes, where an earlier start has made it; "": it is made."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a review leaves for its fixes."""

    findings: tuple[Finding, ...]
    base: str
    """Whole id of the commit that they are in."""
    tokens: int
    usd: float | None
    """What it has used."""


class Fix(msgspec.Struct, frozen=True, kw_only=True):
    task_id: str
    finding: Finding


class FixFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of what makes commits of fixes."""

    cwd: str
    base: str
    fixes: tuple[Fix, ...]
    """In the order of their commits."""
    results: str
    """The file of the batch that made them."""
    branch: str
    check: str = ""
    """A command."""
    is_committed: bool
    """The base is a commit of the user's, not one of what he has not committed."""


def target_path(home: str, kept: Kept) -> Path:
    return Path(home, FOLDER, f"{kept.run_id}.target.json")


def found_path(home: str, kept: Kept) -> Path:
    return Path(home, FOLDER, f"{kept.run_id}.found.json")


def fix_path(home: str, kept: Kept, what: str) -> Path:
    """Of its batch. what: "tasks" or "results"."""
    return Path(home, FOLDER, f"{kept.run_id}.{what}.jsonl")


def keep(path: Path, what: msgspec.Struct) -> None:
    """Raises Usage."""
    keep_bytes(path, msgspec.json.encode(what))


def keep_bytes(path: Path, data: bytes) -> None:
    """Raises Usage."""
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        replace_file(path, data)
    except OSError as error:
        raise Usage(f"cannot write {path}: {error.strerror}. Free some space.") from error


def tidy(home: str) -> None:
    """What is older than that is dropped; of a review that is not kept the report can be had anew."""
    with suppress(OSError):
        files = sorted(Path(home, FOLDER).iterdir(), key=lambda file: file.stat().st_mtime, reverse=True)
        for old in files[MOST_KEPT:]:
            old.unlink()


def kept_target(home: str, kept: Kept) -> Target:
    """Raises Usage."""
    return _read(target_path(home, kept), Target)


def found(home: str, kept: Kept) -> Found:
    """Raises Usage."""
    return _read(found_path(home, kept), Found)


def base_of(home: str, kept: Kept) -> str:
    """Which fixes an earlier start has begun on; "" for none."""
    try:
        return found(home, kept).base
    except Usage:
        return ""


def _read(path: Path, kind: type[Kind]) -> Kind:
    try:
        return msgspec.json.decode(read_regular(path, MOST), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise Usage(f"{path} cannot be read any more: {error}. Begin anew: trouper review") from error
