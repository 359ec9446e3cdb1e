"""`symbols`: what files define, where a name is defined, and who uses it, by grammar and not by text."""

import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
import trio

from actors.common.plurals import how_many
from actors.confinement.errors import ToolFailed
from actors.messages.model import Touch
from actors.messages.tool import Preview
from actors.tools import limits
from actors.tools.base import Arguments, Outcome, Report, Tool, Worker
from actors.tools.code import grammars, source_files
from actors.tools.code.tags import Tag, definitions, uses
from actors.tools.workspace.folder import Workspace


class Symbols(Arguments, frozen=True):
    path: Annotated[str, msgspec.Meta(description="File or folder, relative to the workspace.")] = "."
    name: Annotated[str, msgspec.Meta(description="Only this symbol, by its exact name.")] = ""
    references: Annotated[bool, msgspec.Meta(description="With a name: where it is used, too.")] = False


async def run(arguments: Symbols, worker: Worker, _report: Report) -> Outcome:
    target = worker.workspace.locate(arguments.path)
    if arguments.references and not arguments.name:
        raise ToolFailed("references needs a name: give the symbol whose uses you want.")
    paths, more = await _paths(arguments, worker, target)
    rows = await trio.to_thread.run_sync(_rows, arguments, worker.workspace, paths, abandon_on_cancel=True)
    if not rows:
        raise ToolFailed(_nothing(arguments))
    cut = rows[: limits.SYMBOL_ROWS]
    if more or len(rows) > len(cut):
        cut.append(
            f"[only {how_many(len(cut), 'row')} of {how_many(len(paths), 'file', more=more)}; give a path or a name]"
        )
    return Outcome("\n".join(cut), how_many(len(rows), "row"))


def preview(arguments: Symbols, workspace: Workspace) -> Preview:
    what = f"{arguments.name} in " if arguments.name else ""
    return Preview(title=f"symbols {what}{workspace.shown(workspace.locate(arguments.path))}")


def is_there() -> bool:
    """With at least one grammar."""
    return bool(grammars.installed())


async def _paths(arguments: Symbols, worker: Worker, target: Path) -> tuple[list[Path], bool]:
    found = await trio.Path(target).stat()  # raises OSError, which says what is missing
    if stat.S_ISDIR(found.st_mode):
        return await source_files.list_sources(worker, target, limits.SYMBOL_FILES, naming=arguments.name)
    if grammars.grammar_of(target) is None:
        known = ", ".join(grammars.suffixes())
        raise ToolFailed(f"There is no grammar here for {target.name} (there are: {known}). Use grep.")
    return [target], False


def _rows(arguments: Symbols, workspace: Workspace, paths: Sequence[Path]) -> list[str]:
    """Those of a file under its name."""
    rows: list[str] = []
    for path in paths:
        if len(rows) > limits.SYMBOL_ROWS:
            break
        source = source_files.read_source(workspace, path)
        found = [_shown(tag) for tag in definitions(path, source) if arguments.name in ("", tag.name)]
        if arguments.references:
            found += [f"  {tag.line:>5}  use       {tag.text}" for tag in uses(path, source, arguments.name)]
        if found:
            rows += [workspace.shown(path), *found]
    return rows


def _shown(tag: Tag) -> str:
    return f"  {tag.line:>5}  {tag.kind:<9} {'  ' * tag.depth}{tag.text}"


def _nothing(arguments: Symbols) -> str:
    if arguments.name:
        return f"Nothing named {arguments.name} is defined in {arguments.path}. Use grep to search text."
    return f"No symbols in {arguments.path}. Understood are: {', '.join(grammars.suffixes())}."


SYMBOLS = Tool(
    "symbols",
    "read",
    Symbols,
    run,
    preview,
    touches=(Touch(scope="read", argument="path", missing="."),),
    is_there=is_there,
)
