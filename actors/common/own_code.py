"""What Trouper itself imports and runs, and where that lies in a workspace: commands there must not change it.

It lies there where Trouper was installed into an environment of the project's, or where its own checkout is worked on.
"""

import os
import site
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.machinery import all_suffixes
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("actors", "supervisor", "ui")
ELSEWHERE = "To have that changed, install Trouper from another checkout (pipx install .) and start that one."
"""The way out, in words."""
AT_START = ("sitecustomize", "usercustomize")
"""Modules that Python imports by itself, https://docs.python.org/3/library/site.html."""


def places() -> list[Path]:
    """As Python knows them, there or not."""
    return [Path(sys.executable), Path(sys.prefix), Path(sys.base_prefix), *_imported()]


@cache
def held(workspace: Path) -> tuple[Path, ...]:
    """What of it is inside: to be read-only. Resolved, outermost only. workspace: resolved."""
    found = {place.resolve() for place in places() if place.exists()}
    inside = [place for place in found if place.is_relative_to(workspace) and place != workspace]
    return tuple(
        sorted(place for place in inside if not any(place.is_relative_to(other) for other in inside if other != place))
    )


def closed(workspace: Path) -> tuple[Path, ...]:
    """What no tool changes, there or not."""
    uncertain = loose(workspace)
    return (*held(workspace), *([uncertain] if uncertain else ()), *at_start(workspace))


def notice(workspace: Path) -> str:
    """For the user; "" where there is nothing to say."""
    if (place := loose(workspace)) is not None:
        return f"Trouper itself runs from {place}, where every command could change it, so each one asks. {ELSEWHERE}"
    names = ", ".join(str(place.relative_to(workspace)) for place in held(workspace))
    return (
        f"Trouper itself runs from {names} here: edits and sandboxed commands cannot change it. {ELSEWHERE}"
        if names
        else ""
    )


def loose(workspace: Path) -> Path | None:
    """What of it commands could change or replace although all that is `held` is read-only; None: nothing."""
    safe = held(workspace)
    for place in places():
        for link in _links(place):
            if _is_inside(link.parent.resolve() / link.name, workspace, safe):
                return link
        if _is_inside(place.resolve(), workspace, safe):
            return place
    if Path(sys.prefix).resolve() == workspace:
        return workspace
    return next((place for place in _imported() if workspace.is_relative_to(place.resolve())), None)


def around(workspace: Path) -> tuple[Path, ...]:
    """The folders between the workspace and what is `held`: moved away, something else could be put in their place."""
    above = {folder for place in held(workspace) for folder in place.parents if folder.is_relative_to(workspace)}
    return tuple(sorted(above - {workspace}))


def at_start(workspace: Path) -> tuple[Path, ...]:
    """Where a command could put what Python imports by itself whenever Trouper starts, there or not."""
    safe = held(workspace)
    places = [place for place in _named_to_python() if place == workspace or _is_inside(place, workspace, safe)]
    return tuple(place / f"{name}{suffix}" for place in places for name in AT_START for suffix in ("", *all_suffixes()))


def _imported() -> list[Path]:
    compiled = [Path(sys.pycache_prefix).absolute()] if sys.pycache_prefix else []
    return [*map(Path, filter(os.path.isabs, sys.path)), *(ROOT / name for name in PACKAGES), *compiled]


def _named_to_python() -> set[Path]:
    """Folders that files of the installation name: the checkouts of `pip install --editable`."""
    found: set[Path] = set()
    for folder in {*site.getsitepackages(), *(place for place in sys.path if place.endswith("-packages"))}:
        for file in Path(folder).glob("*.pth"):
            with suppress(OSError):  # nor can Python read it
                lines = file.read_text(errors="surrogateescape").splitlines()
                named = (line.rstrip() for line in lines if not line.startswith(("#", "import ", "import\t")))
                found.update((Path(folder) / name).resolve() for name in named if name)
    return found


def _is_inside(path: Path, workspace: Path, safe: tuple[Path, ...]) -> bool:
    return (
        path.is_relative_to(workspace) and path != workspace and not any(path.is_relative_to(place) for place in safe)
    )


def _links(path: Path) -> Iterator[Path]:
    """The symlinks by which it is found."""
    for part in (*reversed(path.parents), path):
        if part.is_symlink():
            yield part
            yield from _links(part.parent / part.readlink() / path.relative_to(part))
            return
