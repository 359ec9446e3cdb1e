"""Files that one command may not read and that the worker's view still shows: covered for that command alone."""

import os
import stat
from collections.abc import Iterable, Sequence, Sized
from pathlib import Path

from actors.confinement import limits
from actors.confinement.errors import ToolFailed
from actors.confinement.hidden_files import Followed
from actors.confinement.sandbox.view.mounts import everywhere
from actors.settings import credential_files
from actors.settings.covered_files import candidates


def find(workspace: Path, patterns: Sequence[str]) -> dict[Path, str]:
    """What is covered by one of these, and by which; the outermost only; what a symlink leads to.

    Raises ToolFailed: too much.
    """
    found: dict[Path, str] = {}
    try:
        for path, pattern in candidates(workspace, patterns, limits.MASKS_S):
            real = Path(os.path.realpath(path))
            if real.exists():
                found.setdefault(real, pattern)
            _bound(found)
    except TimeoutError as error:
        raise ToolFailed(
            "Looking for the files that the rules hide takes too long here. Use the tools read, grep and glob "
            "instead, or ask the user for rules that name folders."
        ) from error
    return found


def wherever(workspace: Path, patterns: Sequence[str], followed: Followed) -> list[Path]:
    """Also what was found before and is somewhere else by now. Raises ToolFailed: too much."""
    found = find(workspace, patterns)
    followed.hold(found)
    places = everywhere(dict.fromkeys((*found, *followed.places(patterns)))) if patterns else []
    _bound(places)
    return places


def _bound(found: Sized) -> None:
    if len(found) > limits.MASKS:
        raise ToolFailed(
            f"The rules hide more than {limits.MASKS} files here, which is too many for the sandbox of a command. "
            "Use the tools read, grep and glob instead, or ask the user to hide whole folders."
        )


class Candidates:
    """Places that may be there or not. Of some 600 most are in a folder of a home that has no such folder: one look at
    the home tells."""

    def __init__(self, places: Iterable[str]) -> None:
        self._of_homes: dict[str, dict[str, list[str]]] = {f"{home}/": {} for home in credential_files.homes()}
        """By home and the first name below it, as a system that does not tell case apart might write it."""
        self._others: list[str] = []
        for place in places:
            home = next((home for home in self._of_homes if place.startswith(home)), None)
            if home is None:
                self._others.append(place)
            else:
                first = place.removeprefix(home).partition("/")[0].casefold()
                self._of_homes[home].setdefault(first, []).append(place)

    def shown(self) -> list[Path]:
        """Those that are there, and not covered."""
        found = [place for place in self._others if _shows(place)]
        for home, places in self._of_homes.items():
            for name in _names(home, places):
                found += [place for place in places[name] if _shows(place)]
        return [Path(place) for place in found]


def _names(home: str, wanted: Iterable[str]) -> set[str]:
    """Of these, those that could be there."""
    try:
        with os.scandir(home) as entries:
            return {entry.name.casefold() for entry in entries}.intersection(wanted)
    except (FileNotFoundError, NotADirectoryError):
        return set()
    except OSError:  # one may go where one may not look, and a look may fail where the next one does not
        return set(wanted)


def fresh(credentials: Candidates, workspace: Path) -> list[Path]:
    """Those that came, or were put in another's place, since the worker began: a rename outside takes a mask away."""
    there = {Path(os.path.realpath(path)) for path in credentials.shown()}
    new = {path for path in (*there, *credential_files.linked(there, workspace)) if not workspace.is_relative_to(path)}
    outermost = sorted(path for path in new if new.isdisjoint(path.parents))
    return everywhere(outermost) if outermost else []


def _shows(place: str) -> bool:
    try:
        mode = os.stat(place).st_mode  # noqa: PTH116  # most are not there: no Path for those
    except OSError:
        return False
    return not (stat.S_ISCHR(mode) or (stat.S_ISDIR(mode) and Path(place).is_mount()))


def options(masked: Sequence[Path]) -> list[str]:
    """For bubblewrap."""
    words: list[str] = []
    for path in masked:
        if path.is_dir():
            words += ["--perms", "0000", "--tmpfs", str(path), "--remount-ro", str(path)]
        else:
            words += ["--ro-bind", "/dev/null", str(path)]
    return words
