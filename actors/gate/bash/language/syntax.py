"""A command line's tree, and whether it can be relied on: whatever the parser dropped or guessed is reported."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from actors.common.lean.late_patterns import late_pattern

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Point

LONGEST = 20_000
"""Characters: judging takes up to a hundredth of a millisecond for each, and at most 200 ms in all."""
TOO_LONG = "it is too long to be analysed"
DEEPEST = 100
"""Of nested constructs; each level costs a few frames of Python."""
MOST_NODES = 8000
"""Of a tree, some thousand commands: what is found out about each takes longer the more there are."""
SHORT = 2000
"""Bytes that are parsed however wrong they are, in some milliseconds."""
CHUNK = 256
MOST_READS = 5000
"""Chunks that the parser is given: what is wrong it tries in many ways, and for each it may look ahead to the end."""
MOST_EXPANSIONS = 1000
"""The parser takes longer for each, the longer the here-document is that it stands in."""
ODD = late_pattern(r"[^\S \n\t]|[\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufffc]|[\x00-\x08\x0b-\x1f\x7f]")
"""Spaces that are none to the shell, characters nobody sees, and control characters."""
SPACE = late_pattern(r"(?:[ \t\n]|\\\n)*")
SPACE_IN_LINE = late_pattern(r"(?:[ \t]|\\\n)*")
LONE_DASH = late_pattern(r"[ \t]+-[ \t]*")
"""The parser drops a `-` in front of a here-document."""
WORD_SPLIT_BY_PARSER = late_pattern(r"[^ \t\n;&|()<>](?:\\\n)+[^ \t\n;&|()<>]")
MASKED = late_pattern(r"\x02([0-9a-f]+)\x03")
QUOTES = late_pattern(rb"['\"\\]")
ENDS_IN_BACKSLASH = late_pattern(rb"(?<!\\)(?:\\\\)*\\\Z")
LOOSE = frozenset({"string", "heredoc_body", "heredoc_redirect", "expansion", "regex"})
"""Nodes whose text is not all in their children."""
ON_ONE_LINE = frozenset({"command", "declaration_command", "unset_command", "variable_assignments"}) | frozenset(
    {"redirected_statement", "file_redirect", "herestring_redirect"}
)
"""Nodes that end where a line ends between two of their children."""
MOST_REPAIRS = 3
"""Each is one more time that it is parsed."""


@cache
def _parser() -> Parser:
    import tree_sitter_bash
    from tree_sitter import Language, Parser

    return Parser(Language(tree_sitter_bash.language()))


def parse(command: str) -> Node | None:
    """None for what is too wrong to be parsed.

    The parser is given no character beyond ASCII: with some it reads memory not its own (its issue 337). Control
    characters stand around their numbers instead; too_much has refused commands that have such of their own.
    """
    masked = re.sub(r"[^\x00-\x7f]", lambda found: f"\x02{ord(found[0]):x}\x03", command)
    source = masked.encode()
    if len(source) > SHORT and _is_hopeless(source):
        return None
    root = _parser().parse(source).root_node
    for _ in range(MOST_REPAIRS):
        ends = _missed_ends(root) if b"\n" in source else []
        if not ends:
            break
        source = b";".join(source[start:end] for start, end in pairwise((0, *ends, len(source))))
        root = _parser().parse(source).root_node
    return root


def _missed_ends(root: Node) -> list[int]:
    """Where a line ends and a command does not: the parser goes on after `a | b | c` where a `>` is in the next line.

    With a `;` there the text says the same, also in a comment and before a here-document.
    """
    nodes = [] if root.has_error else [node for node, _ in islice(descend(root), MOST_NODES)]
    gaps = [gap for node in nodes if node.type in ON_ONE_LINE for gap in _gaps(node)]
    spaces = [(begin, gap, SPACE_IN_LINE.match(gap)) for gap, begin, _ in gaps]
    return sorted(
        {begin + found.end() for begin, gap, found in spaces if found and gap[found.end() :].startswith("\n")}
    )


def _is_hopeless(source: bytes) -> bool:
    """Whether the parser looks ahead to the end again and again. It stops where its text does."""
    reads = 0

    def read(at: int, _point: Point) -> bytes:
        nonlocal reads
        reads += 1
        return source[at : at + CHUNK] if reads <= MOST_READS else b""

    _parser().parse(read)
    return reads > MOST_READS


def masked(node: Node) -> bytes:
    """As the parser has it: what its offsets count in."""
    return node.text or b""


@lru_cache(maxsize=64)
def unmasked(source: bytes) -> str:
    """Asked again and again of the same word, which may be as long as a command line."""
    return MASKED.sub(lambda found: chr(int(found[1], 16)), source.decode())


def text(node: Node) -> str:
    return unmasked(masked(node))


def too_much(command: str) -> str:
    """Why this is not even parsed; "" if it is."""
    if len(command) > LONGEST or command.count("$") + command.count("`") > MOST_EXPANSIONS:
        return TOO_LONG
    if ODD.search(command):
        return "it has characters that look like others or like nothing"
    return ""


def unwieldy(root: Node) -> str:
    """Why it is not gone through; "" if it is."""
    for count, (_, depth) in enumerate(descend(root)):
        if depth > DEEPEST:
            return "it is nested too deeply to be analysed"
        if count > MOST_NODES:
            return TOO_LONG
    return ""


def problem(root: Node) -> str:
    """Why this tree is not relied on; "" if it is."""
    if root.has_error:
        return "it is not a command line that can be analysed"
    whole = masked(root)
    for node, _ in descend(root):
        if not _covered(node) or _goes_on(node) or (node.type == "comment" and not _starts_a_comment(node, root)):
            return "it can be read in more than one way"
        if node.type == "heredoc_redirect" and not _ends_there(node, whole[node.start_byte - root.start_byte :]):
            return "it has a here-document that can be read in more than one way"
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
    """Whether nothing but space is between its children, and between those of a command no end of a line."""
    if node.type in LOOSE or not node.children:
        return True
    source, start = masked(node), node.start_byte
    space = SPACE_IN_LINE if node.type in ON_ONE_LINE else SPACE
    for gap, begin, end in _gaps(node):
        if LONE_DASH.fullmatch(gap):
            continue
        around = source[max(0, begin - start - 1) : end - start + 1].decode()
        if not space.fullmatch(gap) or WORD_SPLIT_BY_PARSER.search(around):
            return False
    return True


def _goes_on(node: Node) -> bool:
    """To the shell `[` is a command: what is in the next line is another one."""
    is_command = node.type == "test_command" and node.children[0].type == "["
    return is_command and b"\n" in masked(node).replace(b"\\\n", b"")


def _ends_there(heredoc: Node, source: bytes) -> bool:
    """Whether its end is the first line that is one to the shell: the word alone, and nothing joins it to another.

    source: begins with it.
    """
    kind, start, *_ = heredoc.children
    end = next((child for child in heredoc.children if child.type == "heredoc_end"), None)
    if end is None:
        return False
    word, at = QUOTES.sub(b"", masked(start)), end.start_byte - heredoc.start_byte
    _, *lines = (source[:at] + source[at:].partition(b"\n")[0]).split(b"\n")
    if kind.type == "<<-":
        lines = [line.lstrip(b"\t") for line in lines]
    joins = word == masked(start) and any(map(ENDS_IN_BACKSLASH.search, lines[-2:-1]))
    return word in lines and lines.index(word) == len(lines) - 1 and not joins


def _gaps(node: Node) -> list[tuple[str, int, int]]:
    """What is before, between and after its children, and where that begins and ends."""
    source, start = masked(node), node.start_byte
    ends = [node.start_byte, *(child.end_byte for child in node.children)]
    starts = [*(child.start_byte for child in node.children), node.end_byte]
    return [(source[a - start : b - start].decode(), a, b) for a, b in zip(ends, starts, strict=True)]


def _starts_a_comment(node: Node, root: Node) -> bool:
    before = masked(root)[: node.start_byte - root.start_byte]
    return "\n" not in text(node) and (not before or before[-1:] in b" \t\n;&|()")
