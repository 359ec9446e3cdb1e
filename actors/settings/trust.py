"""What the user has vouched for: the exact content of a workspace's file, with its folder, kept in TROUPER_HOME.

The content itself and not a digest: what it denied goes on counting after somebody changed the file, and one can see
what is different. See DECISIONS: what loosens counts only where its content was vouched for.
"""

import hashlib
import os
from pathlib import Path

import msgspec

from actors.common.small_files import read_regular, replace_file
from actors.errors import BadConfiguration

MOST = 1024 * 1024
"""Bytes of a record; what it vouches for is far smaller."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Of one file of one workspace."""

    path: str
    """Absolute; the workspace is resolved, what is below it is not."""
    leads_to: str = ""
    """The same with all symlinks resolved, when it was vouched for."""
    text: str | None = None
    """What was vouched for; None: nothing yet."""
    left_out: str = ""
    """SHA-256 of what the user wants to be left out, and not to be asked about again."""

    def vouches_for(self, text: str) -> bool:
        return self.text == text and self.leads_to == os.path.realpath(self.path)

    def leaves_out(self, text: str) -> bool:
        return self.left_out == _digest(text)


def record(home: Path, path: Path) -> Record:
    """Raises BadConfiguration: a damaged one may have denied something."""
    none, file = Record(path=_absolute(path)), _file(home, path)
    try:
        found = msgspec.json.decode(read_regular(file, MOST, follow=False), type=Record)
    except FileNotFoundError:
        return none
    except (OSError, msgspec.DecodeError) as error:
        way_on = "Move it away, and let the file count again with: trouper permissions trust"
        raise BadConfiguration(f"cannot read what you have trusted, {file}: {error}. {way_on}") from error
    return found if found.path == none.path else none


def vouch(home: Path, path: Path, text: str) -> None:
    """Exactly this text counts in this folder from now on. Raises OSError."""
    keep(home, Record(path=_absolute(path), leads_to=os.path.realpath(path), text=text))


def leave_out(home: Path, path: Path, text: str) -> None:
    """What was vouched for before goes on tightening. Raises OSError and BadConfiguration."""
    keep(home, msgspec.structs.replace(record(home, path), left_out=_digest(text)))


def forget(home: Path, path: Path) -> None:
    """Raises OSError."""
    _file(home, path).unlink(missing_ok=True)


def keep(home: Path, kept: Record) -> None:
    """Raises OSError."""
    file = _file(home, Path(kept.path))
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(file, msgspec.json.encode(kept))


def _file(home: Path, path: Path) -> Path:
    return home / "trust" / f"{_digest(_absolute(path))[:32]}.json"


def _absolute(path: Path) -> str:
    """path: WORKSPACE/.trouper/NAME."""
    return str(path.parent.parent.resolve() / path.parent.name / path.name)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogateescape")).hexdigest()
