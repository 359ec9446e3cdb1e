"""The user's own rules of a workspace as they stood, kept where commands can write the file that they are in.

Written before the first command may run and whenever we change the file: what is different then, nobody vouches for.
"""

import hashlib
import os
from pathlib import Path

from actors.reading import read_regular
from actors.replacing import replace_file

MOST = 2 * 1024 * 1024
"""Bytes; more than any config file has."""


def kept(home: Path, path: Path) -> str | None:
    """What the file held, "" where there was none. None: commands never could write it. Raises OSError.

    path: .trouper/config.local.toml of the workspace.
    """
    try:
        return read_regular(_record(home, path), MOST).decode(errors="replace")
    except FileNotFoundError:
        return None


def keep(home: Path, path: Path, text: str) -> None:
    """Raises OSError."""
    record = _record(home, path)
    record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace_file(record, text.encode())


def why_changed(home: Path, path: Path, text: str) -> str:
    """ "" when nothing but us has written this text, as far as anybody knows."""
    try:
        before = kept(home, path)
    except OSError as error:
        return f"what it was before cannot be looked at: {error}"
    if before is None or before == text:
        return ""
    return "it has changed where commands can write it; look at it with: trouper permissions trust"


def _record(home: Path, path: Path) -> Path:
    workspace = str(path.parent.parent.resolve())
    return home / "run" / "local-rules" / hashlib.sha256(os.fsencode(workspace)).hexdigest()[:32]
