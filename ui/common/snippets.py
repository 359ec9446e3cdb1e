"""A few words of a text around what was searched for in it, without secrets. Pure."""

from actors.common.found_words import spans
from actors.settings.redaction import redacted
from ui.common.harmless import one_line

BEFORE = 60
"""Characters before the first word that was found."""
LENGTH = 160

Piece = tuple[str, bool]
"""Some text, and whether it was searched for."""


def snippet(text: str, words: str) -> list[Piece]:
    """Harmless, on one line. words: of which the last may be the beginning of one."""
    line = one_line(" ".join(redacted(text).split()))
    found = spans(line, words)
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
