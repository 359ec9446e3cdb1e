"""The symbols of one source text: what it defines and what it refers to, each with its place."""

import heapq
from collections.abc import Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING

import msgspec

from actors.tools.code import grammars

if TYPE_CHECKING:
    import tree_sitter

MOST_BYTES = 512 * 1024
"""Of a source file; larger ones are generated."""
LINE_CHARS = 160
FEW = 10_000
"""Nodes of a tree that is searched without a look at its shape."""
DEEPEST = 1000
"""Nodes in one another. A query takes ten seconds for a tree that is 100,000 deep, and nothing else of us runs then."""


class Tag(msgspec.Struct, frozen=True):
    name: str
    kind: str
    """function, class, method, ...; of a reference what it is used as, "" where that is not known."""
    line: int
    """Counted from 1."""
    text: str
    """That line, stripped and cut."""
    depth: int = 0
    """How many definitions stand around it."""


def definitions(path: PurePath, source: bytes) -> list[Tag]:
    """In the order of the text; [] for a language that is not understood."""
    return [tag for tag, _ in _found(path, source, "definition.")]


def references(path: PurePath, source: bytes) -> list[Tag]:
    """As the language's tag query knows them: calls, types, classes that are made."""
    return [tag for tag, _ in _found(path, source, "reference.")]


def uses(path: PurePath, source: bytes, name: str) -> list[Tag]:
    """Every identifier of that name that is not its definition, comments and strings left out."""
    grammar = grammars.grammar_of(path)
    if grammar is None:
        return []
    wanted = name.encode()
    defined = {node.start_byte for tag, node in _found(path, source, "definition.") if tag.name == name}
    lines = source.split(b"\n")
    return [
        Tag(name, "", node.start_point[0] + 1, _line(lines, node.start_point[0]))
        for node in _leaves(_parse(grammar, source))
        if node.text == wanted and "identifier" in node.type and node.start_byte not in defined
    ]


def _found(path: PurePath, source: bytes, prefix: str) -> list[tuple[Tag, "tree_sitter.Node"]]:
    import tree_sitter

    grammar = grammars.grammar_of(path)
    if grammar is None:
        return []
    lines = source.split(b"\n")
    found: dict[int, tuple[Tag, tree_sitter.Node]] = {}
    ends: list[int] = []
    root = _parse(grammar, source)
    matches = tree_sitter.QueryCursor(grammars.tags(grammar)).matches(root) if _is_searchable(root) else []
    for name, around, kind in sorted(_named(matches, prefix), key=lambda match: match[1].start_byte):
        if name.start_byte in found or name.text is None:
            continue
        while ends and ends[0] <= around.start_byte:
            heapq.heappop(ends)
        row = name.start_point[0]
        tag = Tag(name.text.decode("utf-8", "replace"), kind, row + 1, _line(lines, row), len(ends))
        found[name.start_byte] = (tag, name)
        heapq.heappush(ends, around.end_byte)
    return sorted(found.values(), key=lambda one: one[1].start_byte)


def _is_searchable(root: "tree_sitter.Node") -> bool:
    """Neither very deep nor one large error, as no program is that people write."""
    if root.descendant_count <= FEW:
        return True
    waiting = [(root, 1)]
    while waiting:
        node, depth = waiting.pop()
        if depth > DEEPEST or (node.is_error and node.child_count > FEW):
            return False
        waiting += [(child, depth + 1) for child in node.children if child.child_count]
    return True


def _named(
    matches: "list[tuple[int, dict[str, list[tree_sitter.Node]]]]", prefix: str
) -> "Iterator[tuple[tree_sitter.Node, tree_sitter.Node, str]]":
    """The name, what is around it, and its kind."""
    for _, captures in matches:
        for label, around in captures.items():
            if label.startswith(prefix) and captures.get("name"):
                yield captures["name"][0], around[0], label.removeprefix(prefix)


def _parse(grammar: grammars.Grammar, source: bytes) -> "tree_sitter.Node":
    import tree_sitter

    return tree_sitter.Parser(grammars.language(grammar)).parse(source).root_node


def _leaves(root: "tree_sitter.Node") -> "Iterator[tree_sitter.Node]":
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.child_count:
            waiting += reversed(node.children)
        else:
            yield node


def _line(lines: list[bytes], row: int) -> str:
    return lines[row].strip()[: 4 * LINE_CHARS].decode("utf-8", "replace").strip()[:LINE_CHARS]
