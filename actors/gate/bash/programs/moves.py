"""Where `mv` puts what it moves: what is moved to where nobody sees it again is lost."""

import re

from actors.gate.bash.files.placed_files import started_in
from actors.gate.bash.language.options import parsed
from actors.gate.bash.language.surroundings import Around
from actors.gate.bash.language.words import HOLE, Word

OPTIONS = (
    "-b -f -h -i -n -S: -t: -T -u -v -Z --backup? --context --debug --exchange --force --interactive --no-clobber "
    "--no-copy --no-target-directory --strip-trailing-slashes --suffix: --target-directory: --update? --verbose"
)
RENAMED = re.compile(
    r"\$(?:(?P<plain>\w++)|\{(?P<braced>\w++)(?:%%?[^{}$`/\\]++|##?[^{}$`\\]*/|//?[^{}$`/\\]++/[^{}$`/\\]++|,,?|\^\^?)?\})"
    r"(?:[\w.,:+@%=-][\w.,:+@%=/-]*+)?"
)
"""A name that another one is made of: it begins where that begins, but for folders that are taken off."""


def moved_to(args: tuple[Word, ...], around: Around) -> tuple[str | None, ...]:
    """Written like reads; None: nobody knows. Of a path that is not known to its end the folder that is."""
    told = parsed(args, OPTIONS, guess=True)
    if told is None:
        return (None,)
    found: list[str | None] = []
    for word in told.values("-t --target-directory") or told.rest[-1:]:
        found += started_in(_known(word, around.inside), around)
    return tuple(dict.fromkeys(found))


def _known(word: Word, inside: frozenset[str]) -> Word | None:
    """inside: variables of which the values are names in the folder where the loop is."""
    if word.known:
        return Word(word.text)
    folder = word.text.partition(HOLE)[0]
    if not folder:
        renamed = RENAMED.fullmatch((word.source or word.text).replace('"', ""))
        names = {renamed["plain"] or renamed["braced"]} if renamed else set[str]()
        return Word("") if names & inside and ".." not in word.source else None
    above = folder.rpartition("/")[0]
    return None if folder.startswith(("/", "~")) and not above else Word(above)
