"""@path, @path:10-20, @"a path" and @https://... in what the user has typed: what may be meant. Pure."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from ui.common.mcp.mentions import without_punctuation
from ui.common.prompt_files import MENTION_BEGINS

MENTION = re.compile(rf"{MENTION_BEGINS}(?:\"([^\"\n\U000f0000-\U0010ffff]+)\"|([^\s`\"\U000f0000-\U0010ffff]+))")
RANGE = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?", re.DOTALL)
URL = re.compile(r"https?://[^/]", re.IGNORECASE)
SUFFIX = re.compile(r"[^.]\.[A-Za-z0-9]{1,4}")


class Meant(NamedTuple):
    """One way to read a mention."""

    path: str
    first: int = 0
    """The lines that are wanted, counted from 1; 0: all."""
    last: int = 0


class Word(NamedTuple):
    """Behind an @."""

    text: str
    quoted: bool = False

    @property
    def shown(self) -> str:
        return f'@"{self.text}"' if self.quoted else f"@{self.text}"

    @property
    def url(self) -> str:
        """ "" for what is none."""
        return without_punctuation(self.text) if URL.match(self.text) and not self.quoted else ""

    @property
    def ways(self) -> tuple[Meant, ...]:
        """To read it, the most literal first: a sentence goes on behind it, and a name may have a colon."""
        names = (self.text,) if self.quoted else (self.text, without_punctuation(self.text))
        return tuple(dict.fromkeys(one for name in names if name.strip(".,;:!?") for one in _ways(name)))

    @property
    def is_path_like(self) -> bool:
        """If there is no such file, who has written it should know; not of a decorator or somebody's name."""
        name = without_punctuation(self.text)
        return "(" not in name and (self.quoted or "/" in name or SUFFIX.search(name[-6:]) is not None)


def _ways(name: str) -> Iterator[Meant]:
    yield Meant(name)
    if lines := RANGE.fullmatch(name):
        first = int(lines[2])
        yield Meant(lines[1], first, int(lines[3] or first))


def words(typed: str) -> tuple[Word, ...]:
    """In their order, each once. A range may stand behind the quotes: @"a b.md":10-20."""
    return tuple(dict.fromkeys(_words(typed)))


def _words(typed: str) -> Iterator[Word]:
    for found in MENTION.finditer(typed):
        quoted, bare = found[1], found[2]
        if quoted is None:
            yield Word(bare)
        else:
            lines = re.compile(r":\d{1,9}(?:-\d{1,9})?(?!\w)").match(typed, found.end())
            yield Word(quoted + (lines[0] if lines else ""), quoted=True)
