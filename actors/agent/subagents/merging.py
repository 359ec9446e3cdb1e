"""Which files of a patch are meant, as the repository and as the workspace in it call them. Pure."""

import os

from actors.messages.checkpoint import Patch, WorktreeMade
from actors.messages.tool import MOST_SHOWN, Merging


def within(made: WorktreeMade) -> str:
    """Where in the repository the workspace is."""
    return os.path.relpath(made.cwd, made.top)


def below_top(path: str, within: str) -> str:
    """As the repository calls it. within: where in it the workspace is."""
    return os.path.normpath(os.path.join(within, path))  # noqa: PTH118  # no file of ours: it is not looked at


def chosen(files: tuple[str, ...], wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are named, or are in a folder that is; all where none is named."""
    return tuple(file for file in files if not wanted or any(_is_in(file, each) for each in wanted))


def told(patch: Patch, wanted: tuple[str, ...], within: str) -> Merging:
    """For who is asked whether it may be merged: files as the workspace calls them."""
    files = tuple(os.path.relpath(file, within) for file in chosen(patch.files, wanted))
    return Merging(files=files, diff=patch.text[:MOST_SHOWN], id=patch.id)


def _is_in(file: str, folder: str) -> bool:
    return folder in (".", file) or file.startswith(f"{folder}/")
