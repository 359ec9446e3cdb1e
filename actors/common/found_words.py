"""Where the words of a search stand in a text, as the index of sessions finds them. Pure."""

import re
import unicodedata

BEFORE = 0.4
"""Of what is shown, so much is before the first word that was found."""
_WORD = re.compile(r"[^\W_]+")
"""As the index has them."""


def spans(text: str, words: str) -> list[tuple[int, int]]:
    """In order. words: of which the last may be the beginning of one; case and accents do not count."""
    wanted = [_folded(word[0]) for word in _WORD.finditer(words)]
    return [word.span() for word in _WORD.finditer(text) if _is_one_of(_folded(word[0]), wanted)]


def around(text: str, words: str, length: int) -> str:
    """At most so many characters of it, from before the first word found on."""
    found = spans(text, words)
    start = max(min(found[0][0] - int(length * BEFORE), len(text) - length), 0) if found else 0
    end = start + length
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


def _is_one_of(word: str, wanted: list[str]) -> bool:
    return word in wanted or word.startswith(tuple(wanted[-1:]))


def _folded(word: str) -> str:
    """Without case and accents."""
    return "".join(one for one in unicodedata.normalize("NFKD", word.casefold()) if not unicodedata.combining(one))
