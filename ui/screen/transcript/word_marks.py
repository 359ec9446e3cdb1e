"""What has changed within a line of a diff: by words, for lines that are still much the same."""

import difflib
import re
from collections.abc import Sequence

from ui.common.allowance import Allowance

Piece = tuple[bool, str]
"""Is it changed, and its text."""
_ALLOWANCE = Allowance(at_once_s=0.05, together_s=0.5)
"""For a whole diff: 20 pairs of lines take 3 ms, but some lines are written for it."""
_LONGEST = 500
"""Characters of a line; of others one sees little by marks."""
_MOST_PAIRS = 200
_LEAST_ALIKE = 0.4
"""Of the characters that are not blank: below, nearly all would be marked."""
_TOKEN = re.compile(r"\w+|\s+|[^\w\s]")

Pair = tuple[str, str]
"""A removed line and the one that stands for it."""


def marked(pairs: Sequence[Pair]) -> list[tuple[list[Piece], list[Piece]] | None]:
    """For each pair both lines in pieces; None where no marks would help. All None where that takes too long."""
    found = _ALLOWANCE.spend(lambda: [_of_pair(*pair) for pair in pairs[:_MOST_PAIRS]])
    return [*(found or []), *([None] * (len(pairs) - len(found or [])))]


def _of_pair(old: str, new: str) -> tuple[list[Piece], list[Piece]] | None:
    if max(len(old), len(new)) > _LONGEST:
        return None
    before, after = _TOKEN.findall(old), _TOKEN.findall(new)
    blocks = difflib.SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    same = "".join("".join(before[block.a : block.a + block.size]) for block in blocks)
    most = max(len(_dense(old)), len(_dense(new)))
    if len(_dense(same)) < _LEAST_ALIKE * most or old == new:
        return None
    kept = [(block.a, block.b, block.size) for block in blocks]
    return _pieces(before, [(a, size) for a, _, size in kept]), _pieces(after, [(b, size) for _, b, size in kept])


def _pieces(tokens: list[str], kept: list[tuple[int, int]]) -> list[Piece]:
    """kept: from where on how many tokens are unchanged, the last one behind the end."""
    pieces: list[Piece] = []
    at = 0
    for start, size in kept:
        pieces += [(True, "".join(tokens[at:start])), (False, "".join(tokens[start : start + size]))]
        at = start + size
    return [piece for piece in pieces if piece[1]]


def _dense(text: str) -> str:
    return "".join(text.split())
