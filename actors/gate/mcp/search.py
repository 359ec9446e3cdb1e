"""Which tools fit what a model looks for: those that it names, else by their words (BM25 of SQLite). Pure.

In memory, anew for each search: a few hundred tools take a tenth of a second.
"""

import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing

import msgspec

from actors.errors import failed
from actors.messages.model import ToolSpec
from actors.settings.mcp.names import meant

MOST_WORDS = 32
LONGEST = 2000
"""Characters of a description that are searched."""
WORD = re.compile(r"\w+")
HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
"""In a name such as createIssue."""
SELECT = "select:"
"""What stands before names in the words of other programs."""
RANKED = "SELECT rowid FROM tools WHERE tools MATCH ? ORDER BY bm25(tools, 8.0, 2.0, 1.0), rowid"


class _Schema(msgspec.Struct):
    properties: dict[str, msgspec.Raw] = {}


def found(query: str, tools: Sequence[ToolSpec]) -> list[ToolSpec]:
    """The best first. A query of names only finds just these. Raises Failed where there is no SQLite to search with."""
    words = query.removeprefix(SELECT).replace(",", " ").split()
    by_name = {tool.name: tool for tool in tools}
    named = [by_name[name] for name in dict.fromkeys(map(meant, words)) if name in by_name]
    if words and len(named) == len(set(map(meant, words))):
        return named
    try:
        ranked = _ranked(query, tools)
    except sqlite3.Error as error:  # built without FTS5
        raise failed("tool_failed", f"SQLite cannot search here: {error}.", "Name the tools exactly.") from error
    return [*named, *(tool for tool in ranked if tool not in named)]


def _ranked(query: str, tools: Sequence[ToolSpec]) -> Iterable[ToolSpec]:
    words = WORD.findall(_apart(query).replace("_", " "))[:MOST_WORDS]
    if not words:
        return ()
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute("CREATE VIRTUAL TABLE tools USING fts5(name, description, arguments, tokenize='porter')")
        rows = ((number, *_searched(tool)) for number, tool in enumerate(tools))
        database.executemany("INSERT INTO tools(rowid, name, description, arguments) VALUES (?, ?, ?, ?)", rows)
        any_of_them = " OR ".join(f'"{word}"*' for word in words)
        return [tools[number] for (number,) in database.execute(RANKED, (any_of_them,))]


def _searched(tool: ToolSpec) -> tuple[str, str, str]:
    texts = (tool.name, tool.description[:LONGEST], " ".join(_arguments(tool)))
    name, description, arguments = (_apart(text.encode(errors="replace").decode()) for text in texts)
    return name, description, arguments


def _arguments(tool: ToolSpec) -> Iterable[str]:
    try:
        return msgspec.json.decode(tool.parameters, type=_Schema).properties
    except (msgspec.DecodeError, RecursionError):
        return ()


def _apart(text: str) -> str:
    return HUMP.sub(" ", text)
