"""The system prompt: sections from prompt/*.md with placeholders, then the AGENTS.md files, broadest first."""

import os
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from actors.config import Settings

SECTIONS = ("role", "working", "tools", "environment")
INSTRUCTION_FILE = "AGENTS.md"
MOST_INSTRUCTIONS = 64 * 1024
"""Bytes of one instruction file."""


def system_prompt(settings: Settings) -> str:
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
    return "\n\n---\n\n".join([text, *instructions(cwd, Path.home())])


def instructions(cwd: Path, home: Path) -> Iterator[str]:
    """The AGENTS.md files from the home folder (or the root, outside it) down to the workspace."""
    folders = [cwd, *cwd.parents]
    if home in folders:
        folders = folders[: folders.index(home) + 1]
    for folder in reversed(folders):
        if text := _read_instructions(folder / INSTRUCTION_FILE):
            yield f"Instructions from {folder / INSTRUCTION_FILE}:\n\n{text}"


def git_branch(cwd: Path) -> str:
    """Read off .git/HEAD; "" outside a repository."""
    for folder in (cwd, *cwd.parents):
        git = folder / ".git"
        try:
            if git.is_file():  # a worktree: the file says where its folder is
                git = (folder / git.read_text().removeprefix("gitdir:").strip()).resolve()
            head = (git / "HEAD").read_text().strip()
        except (OSError, UnicodeDecodeError):
            continue
        return head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else f"detached at {head[:12]}"
    return ""


def _read_instructions(path: Path) -> str:
    """ "" for none. A link that leads out of its folder is not followed: a repository could name any file by it."""
    try:
        if path.resolve().parent != path.parent.resolve():
            return ""
        with path.open("rb") as file:
            text = file.read(MOST_INSTRUCTIONS + 1)
    except OSError:
        return ""
    cut = "\n(cut off here)" if len(text) > MOST_INSTRUCTIONS else ""
    return text[:MOST_INSTRUCTIONS].decode(errors="replace").strip() + cut


@cache
def _section(name: str) -> str:
    return (Path(__file__).parent / "prompt" / f"{name}.md").read_text(encoding="utf-8").strip()
