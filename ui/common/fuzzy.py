"""Which of many texts somebody means by a few letters: those that have all the words, else those that come near."""

from collections.abc import Sequence
from itertools import accumulate

NEAR = 70.0
"""Of 100: as alike as a word and the same one with a letter wrong."""


def ranked(wanted: str, texts: Sequence[str]) -> list[int]:
    """Places of those that are meant; all of them for "". Those with all the words stay in their order."""
    words = wanted.casefold().split()
    folded = [text.casefold() for text in texts]
    exact = [at for at, text in enumerate(folded) if all(word in text for word in words)]
    return exact or _near("".join(words), folded)


def _near(wanted: str, texts: Sequence[str]) -> list[int]:
    """The best first."""
    from rapidfuzz import fuzz  # only who mistypes pays for it

    scores = [(fuzz.partial_ratio(wanted, text) if len(wanted) > 2 else 0.0, at) for at, text in enumerate(texts)]
    meant = [(-score, at) for score, at in scores if score >= NEAR or _has_in_order(wanted, texts[at])]
    return [at for _, at in sorted(meant)]


def _has_in_order(letters: str, text: str) -> bool:
    """Whatever is between them."""
    places = accumulate(letters, lambda at, letter: text.find(letter, at) + 1 or len(text) + 1, initial=0)
    return max(places) <= len(text)
