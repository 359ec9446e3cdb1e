"""The words of a command, and whether a rule's words are them: loosely to tighten, strictly to allow. Pure."""

import os
import shlex

UNKNOWN = set("$`*?[{")
"""A word with one of these stands for others."""
ELSEWHERE = "..."
"""Stands for arguments that come from the input of xargs."""


def is_command(pattern: str, text: str) -> bool:
    """However it is quoted, from whatever folder its program comes, whatever options stand between the words."""
    words, prefix = plain(text), pattern.endswith(":*")
    wanted = plain(pattern.removesuffix(":*"))
    by_name = [os.path.basename(words[0]), *words[1:]] if words else words  # noqa: PTH119  # a word, not a path
    return any(_begins(given, wanted, whole=not prefix) for given in (words, by_name))


def may_be_command(pattern: str, text: str) -> bool:
    """Its first words are those of the pattern, and then comes one that nobody knows before it runs."""
    words, wanted = plain(text), plain(pattern.removesuffix(":*"))
    said = [_without_options(words, _after(words, wanted[:count])) for count in range(1, len(wanted) + 1)]
    return any(at < len(words) and _is_unknown(words[at]) for places in said for at in places)


def is_just(text: str, pattern: str) -> bool:
    """For who allows: nothing but how it is spaced, and which quotes are used, makes no difference."""
    return _kept(text) == _kept(pattern)


def is_begun_by(text: str, pattern: str) -> bool:
    """The same for its first words."""
    wanted = _kept(pattern)
    return _kept(text)[: len(wanted)] == wanted


def plain(text: str) -> list[str]:
    """Words without their quotes."""
    try:
        return shlex.split(text)
    except ValueError:
        return text.split()


def _kept(text: str) -> list[str]:
    """Words with their quotes: what is quoted means less than what is not. One way of writing quotes, where it can."""
    lexer = shlex.shlex(text, posix=False, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        words = list(lexer)
    except ValueError:
        return text.split()
    return [_requoted(word) for word in words]


def _requoted(word: str) -> str:
    """Where all of it is quoted so that nothing in it is special."""
    if len(word) > 1 and word[0] == word[-1] == "'" and "'" not in word[1:-1]:
        return shlex.quote(word[1:-1])
    if len(word) > 1 and word[0] == word[-1] == '"' and not set('"$`\\!') & set(word[1:-1]):
        return shlex.quote(word[1:-1])
    return word


def _is_unknown(word: str) -> bool:
    return word == ELSEWHERE or bool(UNKNOWN & set(word))


def _begins(words: list[str], wanted: list[str], *, whole: bool) -> bool:
    places = _after(words, wanted)
    return len(words) in places if whole else bool(places)


def _after(words: list[str], wanted: list[str]) -> set[int]:
    """How many words it can take to have said the wanted ones.

    `git -C x push` says `git push`: an option after the program, and what may be its value, is left out.
    """
    if not words or not wanted or words[0] != wanted[0]:
        return set()
    places = {1}
    for word in wanted[1:]:
        places = {at + 1 for at in _without_options(words, places) if at < len(words) and words[at] == word}
    return places


def _without_options(words: list[str], places: set[int]) -> set[int]:
    """Where the next word may be."""
    found = new = places
    while new:
        options = {at for at in new if at < len(words) and words[at].startswith("-")}
        new = {at + length for at in options for length in (1, 2)} - found
        found = found | new
    return found
