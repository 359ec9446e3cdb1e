"""The system prompt: sections from prompt/*.md with placeholders, then the AGENTS.md files, broadest first."""

import os
import time
from collections.abc import Iterable, Iterator, Set
from functools import cache
from pathlib import Path

from actors.checkout import git_branch
from actors.config import Settings
from actors.reading import read_regular

SECTIONS = ("role", "working", "tools", "environment")
INSTRUCTION_FILE = "AGENTS.md"
MOST_INSTRUCTIONS = 64 * 1024
"""Bytes of one instruction file."""
ROOT = 0
"""The user id."""


def system_prompt(settings: Settings, more: Iterable[str] = ()) -> str:
    """more: sections that come last."""
    cwd = Path(settings.cwd)
    system = os.uname()
    values = {
        "{{CWD}}": str(cwd),
        "{{OS}}": f"{system.sysname} {system.release} {system.machine}",
        "{{DATE}}": time.strftime("%Y-%m-%d %Z (%z)"),
        "{{GIT_BRANCH}}": git_branch(cwd) or "none: not a git repository",
    }
    text = "\n\n".join(_section(name) for name in SECTIONS)
    for placeholder, value in values.items():
        text = text.replace(placeholder, value)
    return "\n\n---\n\n".join([text, *instructions(cwd, Path.home(), {ROOT, os.getuid()}), *more])


def instructions(cwd: Path, home: Path, trusted: Set[int]) -> Iterator[str]:
    """The AGENTS.md files from the home folder (or the root, outside it) down to the workspace.

    Above the workspace only those of trusted users: anybody may write to /tmp.
    """
    folders = [cwd, *cwd.parents]
    if home in folders:
        folders = folders[: folders.index(home) + 1]
    for folder in reversed(folders):
        if text := _read_instructions(folder / INSTRUCTION_FILE, None if folder == cwd else trusted):
            yield f"Instructions from {folder / INSTRUCTION_FILE}:\n\n{text}"


def _read_instructions(path: Path, owners: Set[int] | None) -> str:
    """ "" for none. A link that leads out of its folder is not followed: a repository could name any file by it."""
    try:
        if Path(os.path.realpath(path)).parent != Path(os.path.realpath(path.parent)):
            return ""
        text = read_regular(path, MOST_INSTRUCTIONS + 1, owners)
    except OSError:
        return ""
    cut = "\n(cut off here)" if len(text) > MOST_INSTRUCTIONS else ""
    return text[:MOST_INSTRUCTIONS].decode(errors="replace").strip() + cut


@cache
def _section(name: str) -> str:
    return (Path(__file__).parent / "prompt" / f"{name}.md").read_text(encoding="utf-8").strip()
