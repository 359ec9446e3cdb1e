"""A few words of a text around what was searched for in it, without secrets. Pure."""

import re
import unicodedata

from actors.settings.redaction import redacted
from ui.common.harmless import one_line

BEFORE = 60
"""Characters before the first word that was found."""
LENGTH = 160
_WORD = re.compile(r"[^\W_]+")
"""As the index has them."""

Piece = tuple[str, bool]
"""Some text, and whether it was searched for."""


def snippet(text: str, words: str) -> list[Piece]:
    """Harmless, on one line. words: of which the last may be the beginning of one."""
    line = one_line(" ".join(redacted(text).split()))
    wanted = [_folded(word[0]) for word in _WORD.finditer(words)]
    found = [word.span() for word in _WORD.finditer(line) if _is_one_of(_folded(word[0]), wanted)]
    start = max(found[0][0] - BEFORE, 0) if found else 0
    end = start + LENGTH
    pieces: list[Piece] = [("…", False)] if start else []
    at = start
    for left, right in found:
        if right > end:
            break
        pieces += [(line[at:left], False), (line[left:right], True)]
        at = right
    pieces += [(line[at:end], False), ("…" if end < len(line) else "", False)]
    return [piece for piece in pieces if piece[0]]


def _is_one_of(word: str, wanted: list[str]) -> bool:
    return word in wanted or word.startswith(tuple(wanted[-1:]))


def _folded(word: str) -> str:
    """Without case and accents."""
    return "".join(one for one in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(one))
