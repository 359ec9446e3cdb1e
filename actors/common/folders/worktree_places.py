"""Where copies of repositories lie in TROUPER_HOME, and what is noted of each beside it, where no command can write."""

from pathlib import Path

import msgspec

from actors.common.small_files import read_regular

FOLDER = "worktrees"
NOTE, GIT = "note", "git"
"""Beside a copy: what is noted of it, and a repository of ours."""
MOST = 1_000_000
"""Bytes of a note."""


class Note(msgspec.Struct, frozen=True, kw_only=True):
    """It is there from when the copy can be worked in until what was done in it is kept."""

    key: str
    name: str
    """Of the copy's folder, beside the note."""
    below: str
    """From the top of the repository, or of the copy, to the folder that was asked for; "." for the top."""
    repository: str
    """The top of the user's files."""
    common: str
    """The folder of git's own files that all its worktrees share."""
    objects: tuple[str, ...]
    """Folders whose objects the copy needs to be read, all outside it."""
    start: str
    """The user's commit that it began with."""
    base: str
    """That, or one of ours with what was changed since."""
    made_at: float
    """Seconds since the epoch."""
    left_out: tuple[str, ...] = ()
    """What the copy has not, and why; for people."""


def folder_of(workspace: Path, home: Path) -> Path | None:
    """The one in TROUPER_HOME that a workspace's copy lies in; None for any other workspace. Both resolved."""
    worktrees = home / FOLDER
    parts = workspace.relative_to(worktrees).parts if workspace.is_relative_to(worktrees) else ()
    return worktrees / parts[0] if len(parts) > 1 and parts[1] != GIT else None


def note_in(folder: Path) -> Note | None:
    """None: there is no copy that can be worked in."""
    try:
        return msgspec.json.decode(read_regular(folder / NOTE, MOST, follow=False), type=Note)
    except (OSError, msgspec.DecodeError):
        return None


def copy_of(workspace: Path, home: Path) -> tuple[Path, Note] | None:
    """The top of the copy that a workspace is or lies in, and what is noted of it."""
    folder = folder_of(workspace, home)
    note = note_in(folder) if folder else None
    if folder is None or note is None or not workspace.is_relative_to(folder / note.name):
        return None
    return folder / note.name, note
