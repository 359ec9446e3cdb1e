"""What a word may be completed to, and which of many are meant by what is typed. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from ui.common import fuzzy


@dataclass(frozen=True)
class Candidate:
    text: str
    """What is put in place of the word, with its sign."""
    about: str = ""
    """A line in words, in which letters are looked for, too."""
    goes_on: bool = False
    """More is expected right behind it: no blank is put there, or an argument is needed."""
    also: str = ""
    """Other names of it, in which letters are looked for, too; not shown."""
    shown: str = ""
    """ "" for the text itself."""

    @property
    def label(self) -> str:
        return self.shown or self.text


@dataclass(frozen=True)
class Matches:
    candidates: tuple[Candidate, ...] = ()
    total: int = 0
    """That fit, also those that are not among them."""
    note: str = ""
    """What the user has to know of them."""


def near(word: str, candidates: Sequence[Candidate]) -> list[Candidate]:
    """By what they are called; those that have the word stay in their order."""
    return [candidates[at] for at in fuzzy.ranked(word, [f"{each.label} {each.text}" for each in candidates])]


def matching(word: str, candidates: Sequence[Candidate], sign: str = "") -> list[Candidate]:
    """sign: in front of their text, and not of the word. What begins with the word comes first, then what has it."""
    names = [candidate.text.removeprefix(sign).casefold() for candidate in candidates]
    wanted = word.casefold()
    by_name = fuzzy.ranked(wanted, names)
    words = [f"{each.label} {each.also} {each.about}" for each in candidates] if len(wanted) > 2 else []
    by_words = fuzzy.ranked(wanted, words)
    order = list(dict.fromkeys([*by_name, *by_words]))
    order.sort(key=lambda at: (names[at] != wanted, not names[at].startswith(wanted), wanted not in names[at]))
    return [candidates[at] for at in order]
