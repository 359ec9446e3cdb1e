"""Which files of a folder may be sent, and why others are not: each is read once, and none of their texts is kept."""

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from actors.common.globs import covers
from actors.settings import credential_files
from actors.settings.redaction import redacted
from actors.texts import token_estimate
from ui.common.harmless import exposed_line
from ui.source_text import listing, skip_rules
from ui.source_text.decoding import decoded, lines_of, shortened
from ui.source_text.reading import NotRegular, TooBig, read
from ui.source_text.source_file import CannotCollect, Collection, Reason, Skipped, SourceFile

MOST_SKIPPED = 1_000
"""Are named; the others are counted."""


def collect(
    root: Path, wanted: Sequence[str] = (), keep_out: Sequence[Path] = (), hidden: Sequence[str] = ()
) -> Collection:
    """Of all of the root, or of these files and folders in it. Raises CannotCollect.

    keep_out: files of ours, such as a former report. hidden: patterns of rules that close files to reading.
    """
    root = root.resolve()
    ours = {os.path.relpath(path.resolve(), root) for path in keep_out}
    files: list[SourceFile] = []
    skipped: list[Skipped] = []
    counted: Counter[Reason] = Counter()
    places = _credentials(root)
    below = [_within(root, each) for each in wanted]
    names = listing.names(root, below)
    tracked = listing.tracked(root, below)
    for name in sorted(names | tracked):
        path = os.fsdecode(name)
        looked: SourceFile | Reason | None
        if path in ours:
            looked = "own report"
        else:
            looked = _looked_at(root, path, hidden, places) if name in names else _passed_by(root, path)
        if looked is None:
            continue
        if isinstance(looked, SourceFile):
            files.append(looked)
            continue
        counted[looked] += 1
        if len(skipped) < MOST_SKIPPED:
            skipped.append(Skipped(exposed_line(redacted(path)), looked))
    return Collection(files=tuple(files), skipped=tuple(skipped), skipped_by_reason=dict(sorted(counted.items())))


def _within(root: Path, wanted: str) -> str:
    """Relative. Raises CannotCollect."""
    path = (root / wanted).resolve()
    if not path.is_relative_to(root):
        raise CannotCollect(f"{wanted} is outside of {root}. Name what is in it, or start in another folder.")
    if not path.exists():
        raise CannotCollect(f"There is no {wanted} in {root}.")
    return os.path.relpath(path, root)


def _passed_by(root: Path, path: str) -> Reason | None:
    """Why what git tracks is not among the files; None: it is none, or is gone."""
    try:
        mode = (root / path).lstat().st_mode
    except OSError:
        return None
    if stat.S_ISDIR(mode):
        return None
    return (skip_rules.by_name(path) or "ignored") if stat.S_ISREG(mode) else "not a regular file"


def _credentials(root: Path) -> tuple[str, ...]:
    """Places where programs keep theirs on this machine, as far as the root is in one or one is in the root."""
    beginning = f"{root}/".replace("//", "/")
    return tuple(
        lead.real
        for lead in credential_files.leads()
        if lead.real.startswith(beginning) or beginning.startswith(f"{lead.real}/")
    )


def _looked_at(root: Path, path: str, hidden: Sequence[str], places: Sequence[str]) -> SourceFile | Reason:
    return _kept_back(root, path, hidden, places) or _read(root, path)


def _kept_back(root: Path, path: str, hidden: Sequence[str], places: Sequence[str]) -> Reason | None:
    """Why it is not even opened."""
    whole = root / path
    if exposed_line(path) != path:
        return "unprintable name"
    if any(covers(pattern, whole, root) for pattern in hidden):
        return "closed by a rule"
    if redacted(path) != path or any(str(whole) == place or str(whole).startswith(f"{place}/") for place in places):
        return "secret file"
    return skip_rules.by_name(path)


def _read(root: Path, path: str) -> SourceFile | Reason:
    try:
        data = read(root, path)
    except NotRegular:
        return "not a regular file"
    except TooBig:
        return "too large"
    except OSError:
        return "unreadable"
    if not data:
        return "empty"
    text = decoded(data)
    if text is None:
        return "binary"
    lines = lines_of(text)
    return SourceFile(path, len(data), lines, hashlib.sha256(data).hexdigest(), tokens_of(shortened(text), lines))


def tokens_of(text: str, last_line: int) -> int:
    """With the numbers of its lines before them."""
    return token_estimate.of_text(text) + -(-lines_of(text) * (len(str(last_line)) + 1) // token_estimate.BYTES)
