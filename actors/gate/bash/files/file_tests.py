"""Which files `test`, `[ ]` and `[[ ]]` look up, of all that they compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from actors.gate.bash.files.paths import looks
from actors.gate.bash.language.name_lists import names
from actors.gate.bash.language.syntax import text
from actors.gate.bash.language.words import HOLE, Known, Word, words

if TYPE_CHECKING:
    from tree_sitter import Node

OF_A_FILE = frozenset(f"-{letter}" for letter in "abcdefghkprsuwxGLNOS")
OF_TWO_FILES = names("-nt -ot -ef")
OF_A_VALUE = names("-n -z -t -o -v -R")
COMPARES = names("= == != =~ < > -eq -ne -lt -le -gt -ge")
TESTS = frozenset({"test_command", "binary_expression", "unary_expression", "parenthesized_expression"})
SIGNS = names("[ ] [[ ]] ( ) ! && || < >")
QUOTES = re.compile(r"['\"\\]")
EXPANDS = re.compile(r"[$`*?\[{]")


def tested(args: tuple[Word, ...]) -> tuple[Word, ...]:
    """Of the words that `test` is given."""
    found = _looked_up([word.text for word in args])
    return tuple(args[at] for at, surely in found if surely or (args[at].known and looks(args[at])))


def of_test(node: Node) -> list[Node]:
    """What stands in `[ ]` and `[[ ]]` itself, in its order."""
    found, waiting = [], [node]
    while waiting:
        one = waiting.pop()
        if one.type in TESTS:
            waiting += reversed(one.children)
        else:
            found.append(one)
    return found


def tested_in(operands: Sequence[Node], known: Known) -> tuple[Word, ...]:
    """Of what stands between brackets. Raises Unclear."""
    groups = _touching(operands)
    found: list[Word] = []
    plain = [QUOTES.sub("", "".join(map(text, group))) for group in groups]
    for at, surely in _looked_up(plain):
        if surely or looks(Word(plain[at])):
            found += [word for word in _words(groups[at], known) if surely or word.known]
    return tuple(found)


def _looked_up(texts: Sequence[str]) -> Iterator[tuple[int, bool]]:
    """Which of them are files, and whether surely: the operator may be one that nobody knows before it runs."""
    for at in range(len(texts)):
        before, after = texts[at - 1] if at else "", texts[at + 1] if at + 1 < len(texts) else ""
        if before in OF_TWO_FILES or after in OF_TWO_FILES or (before in OF_A_FILE and after not in COMPARES):
            yield at, True
        elif before not in OF_A_VALUE and before not in COMPARES and after not in COMPARES:
            yield at, False


def _touching(nodes: Sequence[Node]) -> list[list[Node]]:
    """What makes one word."""
    groups: list[list[Node]] = []
    for node in nodes:
        before = groups[-1][-1] if groups else None
        if before and before.end_byte == node.start_byte and not SIGNS & {before.type, node.type}:
            groups[-1].append(node)
        else:
            groups.append([node])
    return groups


def _words(group: list[Node], known: Known) -> list[Word]:
    """The parser takes signs for operators that are a part of a name: `~/a` for `~` and `/a`."""
    source = "".join(map(text, group))
    if all(node.is_named for node in group):
        return words(group, known)
    return [Word(HOLE if EXPANDS.search(source) else QUOTES.sub("", source), source)]
