"""`glob` and `grep`: files by name and by content, both by ripgrep, which knows ignore files."""

import os
import shutil
import sys
import sysconfig
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.messages.tool import Preview
from actors.tools import environment, limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.errors import ToolFailed
from actors.tools.output import clean
from actors.tools.processes import read
from actors.tools.workspace import Workspace

COMMON = ("--no-config", "--color=never", "--hidden", "--glob=!.git", "--sort=path")
PathArgument = Annotated[str, msgspec.Meta(description="Folder or file to search, relative to the workspace.")]


class Glob(Arguments, frozen=True):
    pattern: Annotated[str, msgspec.Meta(min_length=1, description="Such as **/*.py or src/*/test_*.ts")]
    path: PathArgument = "."


class Grep(Arguments, frozen=True):
    pattern: Annotated[str, msgspec.Meta(min_length=1, description="A regular expression in ripgrep's (Rust) syntax.")]
    path: PathArgument = "."
    glob: Annotated[str, msgspec.Meta(description="Only files that match, such as *.py")] = ""
    ignore_case: bool = False
    context: Annotated[int, msgspec.Meta(ge=0, le=20, description="Lines shown around each match.")] = 0


async def run_glob(arguments: Glob, worker: Worker, _report: Report) -> Outcome:
    folder = worker.workspace.locate(arguments.path)
    pattern = arguments.pattern.removeprefix(f"{folder}/").removeprefix("./")
    argv = ["--files", f"--glob={pattern}"]
    # from inside the folder, so that a pattern with a slash is relative to it
    if not folder.is_dir():
        raise ToolFailed(f"{arguments.path} is not a folder.")
    lines, more = await _search(argv, worker, folder, limits.GLOB_FILES)
    if not lines:
        return Outcome("No files match. Ignored files (.gitignore) are not searched.", "0 files")
    shown = [worker.workspace.shown(folder / line) for line in lines]
    if more:
        shown.append(f"[only the first {len(lines)} are shown; make the pattern narrower]")
    return Outcome("\n".join(shown), f"{len(lines)}{'+' if more else ''} files")


async def run_grep(arguments: Grep, worker: Worker, _report: Report) -> Outcome:
    target = worker.workspace.locate(arguments.path)
    argv = ["--line-number", "--with-filename", "--no-heading", f"--max-columns={limits.GREP_COLUMNS}"]
    argv += ["--max-columns-preview", f"--max-filesize={limits.GREP_FILE_SIZE}", f"--context={arguments.context}"]
    argv += ["--ignore-case"] if arguments.ignore_case else []
    argv += [f"--glob={arguments.glob}"] if arguments.glob else []
    argv += [f"--regexp={arguments.pattern}", "--", worker.workspace.shown(target)]
    if not target.exists():
        raise ToolFailed(f"No such file or folder: {arguments.path}. Use glob to find it.")
    lines, more = await _search(argv, worker, worker.workspace.root, limits.GREP_LINES)
    if not lines:
        return Outcome("No matches. Ignored files (.gitignore) are not searched.", "0 matches")
    shown = [line.removeprefix("./") for line in lines]
    if more:
        shown.append("[there are more; make the pattern, path or glob narrower]")
    return Outcome("\n".join(shown), f"{len(lines)}{'+' if more else ''} lines")


def preview_glob(arguments: Glob, workspace: Workspace) -> Preview:
    return Preview(title=f"glob {arguments.pattern} in {workspace.shown(workspace.locate(arguments.path))}")


def preview_grep(arguments: Grep, workspace: Workspace) -> Preview:
    return Preview(title=f"grep {arguments.pattern} in {workspace.shown(workspace.locate(arguments.path))}")


async def _search(argv: list[str], worker: Worker, folder: Path, most: int) -> tuple[list[str], bool]:
    """The lines it prints, and whether there are more. Raises ToolFailed when it refuses the pattern."""
    command = worker.processes.start([_ripgrep(), *COMMON, *argv], folder, environment.for_commands(os.environ))
    try:
        data = bytearray()
        with trio.move_on_after(limits.SEARCH_S) as clock:
            while (
                len(data) < limits.SEARCH_BYTES and data.count(b"\n") <= most and (more := await read(command.output))
            ):
                data += more
            if not more:
                await command.ended()
        complete = not clock.cancelled_caught and not more
    finally:
        await worker.processes.end(command)
        worker.processes.forget(command)
        os.close(command.output)
    return _sorted_out(clean(bytes(data)).splitlines(), most, complete=complete)


def _sorted_out(lines: list[str], most: int, *, complete: bool) -> tuple[list[str], bool]:
    """ripgrep's own messages among the lines: a file it cannot read is passed over, a bad pattern is an error."""
    messages = [line for line in lines if line.startswith("rg: ")]
    if any("(os error " not in message for message in messages):
        raise ToolFailed("\n".join(lines[:20]) + "\nTo search for special characters put a backslash before each.")
    found = [line for line in lines if not line.startswith("rg: ")]
    return found[:most], not complete or len(found) > most


@cache
def _ripgrep() -> str:
    """From the wheel, beside this interpreter, else on the PATH. Raises ToolFailed."""
    # the interpreter of a virtual environment is a symlink: its own folder is meant, not the target's
    for folder in (Path(sys.executable).parent, Path(sysconfig.get_path("scripts"))):
        if (folder / "rg").exists():
            return str(folder / "rg")
    if found := shutil.which("rg"):
        return found
    raise ToolFailed("ripgrep (rg) is missing. Reinstall Trouper, or use bash with find and grep.")


GLOB = Tool("glob", "read", Glob, run_glob, preview_glob)
GREP = Tool("grep", "read", Grep, run_grep, preview_grep)
