"""Symlinks in git's own folders. Git makes none, and writes through them: what it fetches, logs, asks to be edited."""

from collections.abc import Iterable
from pathlib import Path

from actors.confinement.sandbox.git.folders import Finder, Stamp, stamp_of

MOST = 20_000
"""Folders that are looked at in one of git's."""


class Links:
    def __init__(self) -> None:
        self._finders: dict[Path, Finder] = {}
        self._known: dict[Path, Stamp] = {}

    def appeared(self, folders: Iterable[Path]) -> list[Path]:
        """In these folders of git's, since this was last asked of each."""
        found: list[Path] = []
        for folder in folders:
            finder = self._finders.setdefault(folder, Finder(folder, MOST, ()))
            for link, stamp in _changed(finder):
                if self._known.get(link) != stamp:
                    self._known[link] = stamp
                    found.append(link)
        return found


def made(folder: Path, since: float) -> Iterable[Path]:
    """Symlinks in a folder of git's that were made or moved since then, by the time that no command can set."""
    return (link for link, (_, changed) in _changed(Finder(folder, MOST, ())) if changed >= since * 1e9)


def _changed(finder: Finder) -> Iterable[tuple[Path, Stamp]]:
    for _, entries in finder.changed():
        for entry in entries:
            if entry.is_symlink() and (stamp := stamp_of(entry.path)) is not None:
                yield Path(entry.path), stamp
