"""The words of a command, and whether a rule's words are them: loosely to tighten, strictly to allow. Pure."""

import os
import shlex
from collections.abc import Iterator
from functools import lru_cache

from actors.common.plurals import how_many
from actors.gate.bash.language.surroundings import Steps, TooLong

MOST_STEPS = 20_000
"""Of the words of one command that are compared with those of one rule."""
UNKNOWN = set("$`*?[{")
"""A word with one of these stands for others."""
SHOWN = 200
"""Characters of what is quoted from a call, which has all of it."""
ELSEWHERE = "..."
"""Stands for arguments that come from the input of xargs."""


def cut(text: str) -> str:
    """For a reason: who is asked sees the call itself."""
    more = len(text) - SHOWN
    return text if more <= 0 else f"{text[:SHOWN]} [and {how_many(more, 'more character')}]"


def is_command(pattern: str, text: str) -> bool:
    """However it is quoted, from whatever folder its program comes, whatever options stand between the words.

    What takes too many steps counts as the command; likewise below.
    """
    words, prefix = plain(text), pattern.endswith(":*")
    wanted = plain(pattern.removesuffix(":*"))
    by_name = (os.path.basename(words[0]), *words[1:]) if words else words  # noqa: PTH119  # a word, not a path
    try:
        return any(_begins(given, wanted, whole=not prefix) for given in (words, by_name))
    except TooLong:
        return True


def may_be_command(pattern: str, text: str) -> bool:
    """Its first words are those of the pattern, and then comes one that nobody knows before it runs."""
    words, wanted = plain(text), plain(pattern.removesuffix(":*"))
    try:
        said = [_without_options(words, places) for places in _said(words, wanted)]
    except TooLong:
        return True
    return any(at < len(words) and _is_unknown(words[at]) for places in said for at in places)


def is_just(text: str, pattern: str) -> bool:
    """For who allows: nothing but how it is spaced, and which quotes are used, makes no difference."""
    return _kept(text) == _kept(pattern)


def is_begun_by(text: str, pattern: str) -> bool:
    """The same for its first words."""
    wanted = _kept(pattern)
    return _kept(text)[: len(wanted)] == wanted


@lru_cache(maxsize=256)
def plain(text: str) -> tuple[str, ...]:
    """Words without their quotes. Each rule asks for them again, and taking a long text apart takes long."""
    try:
        return tuple(shlex.split(text))
    except ValueError:
        return tuple(text.split())


@lru_cache(maxsize=256)
def _kept(text: str) -> tuple[str, ...]:
    """Words with their quotes: what is quoted means less than what is not. One way of writing quotes, where it can."""
    lexer = shlex.shlex(text, posix=False, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:
        return tuple(text.split())
    return tuple(_requoted(word) for word in words)


def _requoted(word: str) -> str:
    """Where all of it is quoted so that nothing in it is special."""
    if len(word) > 1 and word[0] == word[-1] == "'" and "'" not in word[1:-1]:
        return shlex.quote(word[1:-1])
    if len(word) > 1 and word[0] == word[-1] == '"' and not set('"$`\\!') & set(word[1:-1]):
        return shlex.quote(word[1:-1])
    return word


def _is_unknown(word: str) -> bool:
    return word == ELSEWHERE or bool(UNKNOWN & set(word))


def _begins(words: tuple[str, ...], wanted: tuple[str, ...], *, whole: bool) -> bool:
    *_, places = (set[int](), *_said(words, wanted))
    return len(words) in places if whole else bool(places)


def _said(words: tuple[str, ...], wanted: tuple[str, ...]) -> Iterator[set[int]]:
    """How many words it can take to have said the first wanted one, the first two, and so on, until it cannot be.

    `git -C x push` says `git push`: an option after the program, and what may be its value, is left out.
    Raises TooLong.
    """
    places, steps = {0}, Steps(MOST_STEPS)
    for count, word in enumerate(wanted):
        before = _without_options(words, places) if count else places
        steps.take(len(before))
        places = {at + 1 for at in before if at < len(words) and words[at] == word}
        yield places
        if not places:
            break


def _without_options(words: tuple[str, ...], places: set[int]) -> set[int]:
    """Where the next word may be."""
    found, waiting = set(places), list(places)
    while waiting:
        at = waiting.pop()
        if at < len(words) and words[at].startswith("-"):
            new = {at + 1, at + 2} - found
            found |= new
            waiting += new
    return found
