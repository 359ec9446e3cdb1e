"""A command line's tree, and whether it can be relied on: whatever the parser dropped or guessed is reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

LONGEST = 65_536
DEEPEST = 100
"""Of nested constructs; each level costs a few frames of Python."""
ODD = re.compile(
    r"[^\S \n\t]|[^\x00-\x7f\w]*[\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufffc]|[\x00-\x08\x0b-\x1f\x7f]"
)
"""Spaces that are none to the shell, characters nobody sees, and control characters."""
SPACE = re.compile(r"(?:[ \t\n]|\\\n)*")
LONE_DASH = re.compile(r"[ \t]+-[ \t]*")
"""The parser drops a `-` in front of a here-document."""
WORD_SPLIT_BY_PARSER = re.compile(r"[^ \t\n;&|()<>](?:\\\n)+[^ \t\n;&|()<>]")
MASKED = re.compile(r"\x02([0-9a-f]+)\x03")
LOOSE = frozenset({"string", "heredoc_body", "heredoc_redirect", "expansion", "regex"})
"""Nodes whose text is not all in their children."""


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(command: str) -> Node:
    """The parser is given no character beyond ASCII: with some it reads memory not its own (its issue 337).

    Control characters stand around their numbers instead; too_much has refused commands that have such of their own.
    """
    masked = re.sub(r"[^\x00-\x7f]", lambda found: f"\x02{ord(found[0]):x}\x03", command)
    return _parser().parse(masked.encode()).root_node


def masked(node: Node) -> bytes:
    """As the parser has it: what its offsets count in."""
    return node.text or b""


def unmasked(source: bytes) -> str:
    return MASKED.sub(lambda found: chr(int(found[1], 16)), source.decode())


def text(node: Node) -> str:
    return unmasked(masked(node))


def too_much(command: str) -> str:
    """Why this is not even parsed; "" if it is."""
    if len(command) > LONGEST:
        return "it is too long to be analysed"
    if ODD.search(command):
        return "it has characters that look like others or like nothing"
    return ""


def deep(root: Node) -> bool:
    return any(depth > DEEPEST for _, depth in descend(root))


def problem(root: Node) -> str:
    """Why this tree is not relied on; "" if it is."""
    if root.has_error:
        return "it is not a command line that can be analysed"
    for node, _ in descend(root):
        if not _covered(node) or (node.type == "comment" and not _starts_a_comment(node, root)):
            return "it can be read in more than one way"
    return ""


def descend(root: Node) -> Iterator[tuple[Node, int]]:
    """Each node and how deep it is; a list in a list is no deeper."""
    waiting = [(root, 0)]
    while waiting:
        node, depth = waiting.pop()
        yield node, depth
        for child in node.children:
            same = child.type == node.type and node.type in ("list", "binary_expression")
            waiting.append((child, depth if same else depth + 1))


def _covered(node: Node) -> bool:
    """Whether nothing but space is between its children."""
    if node.type in LOOSE or not node.children:
        return True
    source, start = masked(node), node.start_byte
    ends = [node.start_byte, *(child.end_byte for child in node.children)]
    starts = [*(child.start_byte for child in node.children), node.end_byte]
    gaps = [(source[a - start : b - start].decode(), a, b) for a, b in zip(ends, starts, strict=True)]
    for gap, begin, end in gaps:
        if LONE_DASH.fullmatch(gap):
            continue
        around = source[max(0, begin - start - 1) : end - start + 1].decode()
        if not SPACE.fullmatch(gap) or WORD_SPLIT_BY_PARSER.search(around):
            return False
    return True


def _starts_a_comment(node: Node, root: Node) -> bool:
    before = masked(root)[: node.start_byte - root.start_byte]
    return "\n" not in text(node) and (not before or before[-1:] in b" \t\n;&|()")
