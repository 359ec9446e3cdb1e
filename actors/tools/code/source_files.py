"""The source files of a folder that can be read here, by ripgrep, which knows ignore files."""

import os
from pathlib import Path

from actors.tools.base import Worker
from actors.tools.code import grammars
from actors.tools.code.tags import MOST_BYTES
from actors.tools.search.ripgrep import Wanted, only_paths, search
from actors.tools.workspace.folder import Workspace

LIST_BYTES = 4 * 1024 * 1024


async def list_sources(worker: Worker, folder: Path, most: int, *, naming: str = "") -> tuple[list[Path], bool]:
    """Sorted, and whether there are more than `most`. naming: only those that have this word in them."""
    # a type and not a glob: a glob that matches a file overrides the ignore files
    types = [f"--type-add=source:*{suffix}" for suffix in grammars.suffixes()]
    what = ["--files-with-matches", "--word-regexp", "--fixed-strings", f"--regexp={naming}"] if naming else ["--files"]
    argv = [f"--max-filesize={MOST_BYTES}", *types, "--type=source", *what, "."]
    found = await search(Wanted(argv, folder, only_paths, most, most_bytes=LIST_BYTES), worker)
    return [record.path for record in found.records], found.more


def read_source(workspace: Workspace, path: Path) -> bytes:
    """b"" for what is gone or cannot be read."""
    try:
        with os.fdopen(workspace.open_file(workspace.locate(str(path))), "rb") as file:
            return file.read(MOST_BYTES)
    except OSError:
        return b""
