"""Programs that we run for ourselves: found on the PATH, and never one that the workspace brings."""

import os
import sys
from functools import cache
from pathlib import Path
from shutil import which

SYSTEMS = tuple(Path(top, folder) for top in ("/", "/usr", "/usr/local") for folder in ("bin", "sbin"))
"""Nobody brings these, even where all of the machine is the workspace."""


def find(program: str, workspace: Path) -> str:
    """ "" for one that is not there, or only in the workspace: nobody has allowed to run that."""
    return _find(program, workspace, os.environ.get("PATH", os.defpath))


@cache
def ripgrep(workspace: Path) -> str:
    """From the wheel, beside this interpreter, else on the PATH; "" where there is none."""
    import sysconfig  # who looks for other programs does without

    # the interpreter of a virtual environment is a symlink: its own folder is meant, not the target's
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if (folder / "rg").exists():
            return str(folder / "rg")
    return find("rg", workspace)


def workspaces_last(path: str, workspace: Path) -> str:
    """A PATH in which what the workspace brings hides no other program."""
    folders = path.split(os.pathsep)
    brought = [folder for folder in folders if _is_brought(Path(folder), workspace)]
    return os.pathsep.join([folder for folder in folders if folder not in brought] + brought)


def outside(path: str, workspace: Path) -> str:
    """Without the folders of the workspace."""
    return os.pathsep.join(
        folder for folder in path.split(os.pathsep) if folder and not _is_brought(Path(folder), workspace)
    )


@cache
def _find(program: str, workspace: Path, path: str) -> str:
    for folder in outside(path, workspace).split(os.pathsep):
        found = which(program, path=folder) if folder else None
        if found and not _is_brought(Path(found).resolve().parent, workspace):
            return found
    return ""


def _is_brought(folder: Path, workspace: Path) -> bool:
    """A relative one counts from wherever a command runs."""
    resolved = folder.resolve()
    return not folder.is_absolute() or (resolved.is_relative_to(workspace) and resolved not in _systems())


@cache
def _systems() -> frozenset[Path]:
    """By all their names."""
    return frozenset((*SYSTEMS, *(system.resolve() for system in SYSTEMS)))
