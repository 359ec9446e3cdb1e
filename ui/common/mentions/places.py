"""Which of the names behind an @ are files and folders; that they are there is all that is looked at."""

import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ui.common.mentions.written import Meant, Word


class Place(NamedTuple):
    word: Word
    meant: Meant
    is_folder: bool

    @property
    def mention(self) -> str:
        """As it was written, without what is the sentence's."""
        path, first, last = self.meant
        lines = f":{first}{f'-{last}' if last != first else ''}" if first or last else ""
        return f'@"{path}"{lines}' if self.word.quoted else f"@{path}{lines}"

    @property
    def path(self) -> str:
        """For a tool; relative to the workspace, or absolute."""
        path = self.meant.path
        return str(Path(path).expanduser()) if path.startswith("~") else path


def found(words: Iterable[Word], folder: Path) -> dict[Word, Place]:
    """Those that are there. Blocks."""
    places = ((word, _place(word, folder)) for word in words)
    return {word: place for word, place in places if place is not None}


def _place(word: Word, folder: Path) -> Place | None:
    for meant in word.ways:
        try:
            mode = (folder / Path(meant.path).expanduser()).stat().st_mode
        except (OSError, ValueError, RuntimeError):  # no such file; a NUL in its name; nobody's home
            continue
        return Place(word, meant, stat.S_ISDIR(mode))
    return None
