"""The map of a repository for the prompt: its most used definitions, file by file, within a budget of tokens."""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import trio

from actors.tools.base import Worker
from actors.tools.code import source_files, symbol_ranks
from actors.tools.code.symbol_ranks import Symbols
from actors.tools.code.tags import Tag, definitions, references
from actors.tools.workspace.folder import Workspace

MOST_FILES = 3000
MOST_S = 8.0
"""What was not read by then is not on the map."""
CHARS_A_TOKEN = 4
"""About, for code."""
LEAST_FILES = 2
"""Below that there is nothing to find one's way in."""

Known = dict[str, tuple[list[Tag], Symbols]]
"""By path, relative to the workspace."""


async def map_repository(worker: Worker, tokens: int) -> str:
    """ "" where there is nothing to show. Takes MOST_S at most, in a thread."""
    root = worker.workspace.root
    paths, _ = await source_files.list_sources(worker, root, MOST_FILES)
    if len(paths) < LEAST_FILES:
        return ""
    known = await trio.to_thread.run_sync(_read, worker.workspace, paths, abandon_on_cancel=True)
    return drawn(known, tokens)


def drawn(known: Known, tokens: int) -> str:
    """The highest ranked files, each with its most used definitions, in the order of their names."""
    symbols = {path: of_file for path, (_, of_file) in known.items()}
    rank, weight = symbol_ranks.ranks(symbols), symbol_ranks.weights(symbols)
    room = tokens * CHARS_A_TOKEN
    blocks: dict[str, str] = {}
    for path in sorted(known, key=lambda path: (-rank[path], path)):
        best = sorted(known[path][0], key=lambda tag: -weight.get(tag.name, 0.0))
        block = _block(path, best, max(room // 8, 200))
        if len(block) + 1 > room:
            break
        room -= len(block) + 1
        blocks[path] = block
    return "\n".join(blocks[path] for path in sorted(blocks))


def _block(path: str, best: Sequence[Tag], room: int) -> str:
    """The path and as many definitions as fit, in the order of the file."""
    taken: list[Tag] = []
    left = room - len(path)
    for tag in best:
        left -= len(_row(tag))
        if left < 0:
            break
        taken.append(tag)
    return "\n".join([path, *(_row(tag) for tag in sorted(taken, key=lambda tag: tag.line))])


def _row(tag: Tag) -> str:
    return f"{'  ' * min(tag.depth + 1, 4)}{tag.line}: {tag.text.rstrip('{: ')}"


def _read(workspace: Workspace, paths: Sequence[Path]) -> Known:
    until = time.monotonic() + MOST_S
    known: Known = {}
    for path in paths:
        if time.monotonic() > until:
            break
        source = source_files.read_source(workspace, path)
        defined = [tag for tag in definitions(path, source) if tag.kind != "constant"]
        used = Counter(tag.name for tag in references(path, source))
        known[workspace.shown(path)] = (defined, Symbols(tuple(tag.name for tag in defined), used))
    return known
