"""`glob` and `grep`: files by name and by content, both by ripgrep, which knows ignore files."""

from collections import Counter
from typing import Annotated, Literal

import msgspec

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.output import clean
from actors.tools.search.name_patterns import Names
from actors.tools.search.ripgrep import Found, Record, Wanted, only_paths, path_and_line, search
from actors.tools.workspace.folder import Workspace

TOUCHES = (Touch(scope="read", argument="path", missing="."),)
PathArgument = Annotated[str, msgspec.Meta(description="Folder or file to search, relative to the workspace.")]
Ignored = Annotated[bool, msgspec.Meta(description="Also search what .gitignore leaves out.")]
LEFT_OUT = "Ignored files (.gitignore) are not searched; set include_ignored for them."


class Glob(Arguments, frozen=True):
    pattern: Annotated[str, msgspec.Meta(min_length=1, description="Such as **/*.py or src/*/test_*.ts")]
    path: PathArgument = "."
    include_ignored: Ignored = False


class Grep(Arguments, frozen=True):
    pattern: Annotated[str, msgspec.Meta(min_length=1, description="A regular expression in ripgrep's (Rust) syntax.")]
    path: PathArgument = "."
    glob: Annotated[str, msgspec.Meta(description="Only files that match, such as *.py")] = ""
    type: Annotated[str, msgspec.Meta(description="Only files of this type of ripgrep's: py, ts, rust ...")] = ""
    ignore_case: bool = False
    literal: Annotated[bool, msgspec.Meta(description="The pattern is plain text.")] = False
    context: Annotated[int, msgspec.Meta(ge=0, le=20, description="Lines shown around each match.")] = 0
    output: Annotated[
        Literal["content", "files", "count"],
        msgspec.Meta(description="The lines, only the files that match, or how many lines match in each."),
    ] = "content"
    multiline: Annotated[bool, msgspec.Meta(description="Matches may go over line ends; . matches them, too.")] = False
    include_ignored: Ignored = False


async def run_glob(arguments: Glob, worker: Worker, _report: Report) -> Outcome:
    folder = worker.workspace.locate(arguments.path)
    # from inside the folder, so that a pattern with a slash is relative to it
    if not folder.is_dir():
        raise ToolFailed(f"{arguments.path} is not a folder. Give the folder as path and the name in pattern.")
    names = Names(arguments.pattern.removeprefix(f"{folder}/"))
    argv = ["--files", *names.types, *_ignored(arguments.include_ignored)]
    found = await search(Wanted(argv, folder, only_paths, limits.GLOB_FILES, names), worker)
    if not found.records:
        return Outcome(_lines(f"No files match. {LEFT_OUT}", found.left_out), "0 files")
    shown = [worker.workspace.shown(record.path) for record in found.records]
    if found.more:
        shown.append(f"[only the first {len(found.records)} are shown; make the pattern narrower]")
    return Outcome(_lines(*shown, found.left_out), _amount(found, "file"))


async def run_grep(arguments: Grep, worker: Worker, _report: Report) -> Outcome:
    target = worker.workspace.locate(arguments.path)
    if not target.exists():
        raise ToolFailed(f"No such file or folder: {arguments.path}. Use glob to find it.")
    if not (target.is_file() or target.is_dir()):
        raise ToolFailed(f"{arguments.path} is not a regular file.")  # a pipe would be waited for
    names = Names(arguments.glob)
    argv = _grep_words(arguments, names, worker.workspace.shown(target))
    split = only_paths if arguments.output == "files" else path_and_line
    try:
        wanted = Wanted(argv, worker.workspace.root, split, limits.GREP_LINES, names, below=target)
        found = await search(wanted, worker)
    except ToolFailed as refused:
        hint = "Put a backslash before special characters, or set literal."
        raise ToolFailed(f"{refused}\n{hint}") from refused
    if not found.records:
        said = f"No matches. {LEFT_OUT} Nor are files over {limits.GREP_FILE_SIZE}."
        return Outcome(_lines(said, found.left_out), "0 matches")
    return _shown(arguments, found, worker.workspace)


def preview_glob(arguments: Glob, workspace: Workspace) -> Preview:
    return Preview(title=f"glob {arguments.pattern} in {workspace.shown(workspace.locate(arguments.path))}")


def preview_grep(arguments: Grep, workspace: Workspace) -> Preview:
    return Preview(title=f"grep {arguments.pattern} in {workspace.shown(workspace.locate(arguments.path))}")


def _grep_words(arguments: Grep, names: Names, target: str) -> list[str]:
    words = ["--with-filename", f"--max-filesize={limits.GREP_FILE_SIZE}", *_ignored(arguments.include_ignored)]
    match arguments.output:
        case "files":
            words += ["--files-with-matches"]
        case "count":
            words += ["--count"]
        case "content":
            words += ["--line-number", "--no-heading", f"--max-columns={limits.GREP_COLUMNS}", "--max-columns-preview"]
            words += [f"--context={arguments.context}", f"--max-count={limits.GREP_FILE_LINES}"]
    words += ["--ignore-case"] if arguments.ignore_case else []
    words += ["--fixed-strings"] if arguments.literal else []
    words += ["--multiline", "--multiline-dotall"] if arguments.multiline else []
    words += [f"--type={arguments.type}"] if arguments.type else names.types
    return [*words, f"--regexp={arguments.pattern}", "--", target]


def _ignored(include: bool) -> list[str]:
    return ["--no-ignore"] if include else []


def _shown(arguments: Grep, found: Found, workspace: Workspace) -> Outcome:
    lines: list[str] = []
    for before, record in zip([None, *found.records], found.records, strict=False):
        if arguments.context and before is not None and _is_apart(before, record):
            lines.append("--")
        lines.append(_line(record, workspace))
    if arguments.output == "content":
        matches = Counter(record.path for record in found.records if _number(record)[1] == ":")
        full = [path for path, number in matches.items() if number >= limits.GREP_FILE_LINES]
        lines += [
            f"[{workspace.shown(path)}: only its first {limits.GREP_FILE_LINES} matches are shown]" for path in full
        ]
    if found.more:
        lines.append("[there are more; make the pattern, path or glob narrower]")
    unit = {"content": "line", "files": "file", "count": "file"}[arguments.output]
    return Outcome(_lines(*lines, found.left_out), _amount(found, unit))


def _lines(*lines: str) -> str:
    return "\n".join(filter(None, lines))


def _line(record: Record, workspace: Workspace) -> str:
    number, sign, text = _number(record)
    name = workspace.shown(record.path)
    return f"{name}{sign}{number}{sign}{clean(text.encode())}" if sign else ":".join(filter(None, [name, number]))


def _number(record: Record) -> tuple[str, str, str]:
    """Of a line, the sign after it, and the text: : for a match, - beside one."""
    line = record.line.decode("utf-8", "replace")
    digits = line[: len(line) - len(line.lstrip("0123456789"))]
    return digits, line[len(digits) : len(digits) + 1], line[len(digits) + 1 :]


def _is_apart(before: Record, record: Record) -> bool:
    return before.path != record.path or int(_number(record)[0] or 0) > int(_number(before)[0] or 0) + 1


def _amount(found: Found, unit: str) -> str:
    return how_many(len(found.records), unit, more=found.more)


GLOB = Tool("glob", "read", Glob, run_glob, preview_glob, touches=TOUCHES)
GREP = Tool("grep", "read", Grep, run_grep, preview_grep, touches=TOUCHES)
