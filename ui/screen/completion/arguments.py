"""What a command's argument completes from, as its `completes` says it: words, and names for what others know."""

from collections.abc import Sequence

from ui.common.modes import MODES
from ui.screen.completion.candidates import Candidate

FIXED: dict[str, tuple[str, ...]] = {"MODE": MODES}
"""Places that nobody has to be asked about."""


def expected(forms: Sequence[str], before: Sequence[str]) -> tuple[list[Candidate], dict[str, bool]]:
    """What may come behind these words: words with what follows them, and places whose candidates are another's.

    Of a place: whether something has to follow. A word in brackets need not.
    """
    candidates: dict[str, Candidate] = {}
    places: dict[str, bool] = {}
    for form in forms:
        words = form.split()
        if len(words) <= len(before) or not all(map(_fits, words, before)):
            continue
        word, rest = words[len(before)].strip("[]"), words[len(before) + 1 :]
        needs_more = bool(rest) and not rest[0].startswith("[")
        if not word.isupper():
            candidates[word] = Candidate(word, " ".join(rest), goes_on=needs_more)
        elif word in FIXED:
            candidates |= {each: Candidate(each) for each in FIXED[word]}
        else:
            places[word] = needs_more
    return list(candidates.values()), places


def _fits(word: str, typed: str) -> bool:
    return word.isupper() or word == typed
