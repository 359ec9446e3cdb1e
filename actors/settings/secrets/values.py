"""The values of secrets there are: of the environment, of the files that keep them. Read anew each time, nowhere kept.

Of files what looks like a secret counts: what is assigned to a name like `token`, passwords in addresses, and words of
letters and digits that no person thought of.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path

from actors.common.lean.late_patterns import late_pattern
from actors.common.small_files import read_regular
from actors.settings.secret_variables import NAMES, SECRET, credentials, is_opaque
from actors.settings.secrets.search import Secret, can_be_found

ASSIGNED = late_pattern(
    NAMES + r"""[\w.-]{0,64}["']?(?:[ \t]{0,8}[:=][ \t]{0,8}|[ \t]{1,8})["']?([^\s"',;]{8,512})""", re.IGNORECASE
)
WORD = late_pattern(r"[A-Za-z0-9_+/-]{16,}")
URL = late_pattern(r"[A-Za-z][A-Za-z0-9+.-]{0,31}://")
MOST_BYTES = 128 * 1024
"""Of one file."""
MOST_FILES = 256
MOST_OF_FOLDER = 32
MOST_CHARS = 128 * 1024
"""Of values that are compared, for about a second's work."""
OWN = ("auth.json", "mcp-sign-ins")
"""In TROUPER_HOME."""


def own(home: Path) -> list[Path]:
    """Where Trouper keeps what it signs in with."""
    return [home / name for name in OWN]


def known(variables: Mapping[str, str], places: Iterable[Path]) -> Iterator[Secret]:
    """All of these together, the first MOST_CHARS characters of their values."""
    left = MOST_CHARS
    for secret in chain(of_environment(variables), of_files(places)):
        left -= len(secret.value)
        if left < 0:
            return
        yield secret


def of_environment(variables: Mapping[str, str]) -> Iterator[Secret]:
    """Also of what their names do not show, what their values say is one: a password in the address of a database."""
    for name, value in variables.items():
        values = [*_said(value), *(_named(value) if SECRET.search(name) else ())]
        yield from (Secret(each, name) for each in dict.fromkeys(values))


def of_files(places: Iterable[Path]) -> Iterator[Secret]:
    """Of folders the files that lie in them, not what is deeper."""
    files = (file for place in places for file in _files(place))
    for file in islice(files, MOST_FILES):
        with suppress(OSError):
            text = read_regular(file, MOST_BYTES).decode(errors="replace")
            yield from (Secret(value, str(file)) for value in dict.fromkeys(_values(text)))


def _files(place: Path) -> list[Path]:
    with suppress(OSError):
        found = sorted(islice(place.iterdir(), MOST_OF_FOLDER)) if place.is_dir() else [place]
        return [file for file in found if file.is_file()]
    return []


def _values(text: str) -> Iterator[str]:
    yield from _said(text)
    yield from filter(is_opaque, WORD.findall(text))


def _said(text: str) -> Iterator[str]:
    """What it says itself is a secret."""
    yield from filter(_is_value, (*(found[1] for found in ASSIGNED.finditer(text)), *credentials(text)))


def _named(value: str) -> Iterator[str]:
    """By a name of secrets. Of a URL what nobody could guess, as in a webhook's: the rest may be a service all know."""
    if URL.match(value):
        yield from (word for step in value.split("/") for word in WORD.findall(step) if is_opaque(word))
    elif _is_value(value):
        yield value


def _is_value(value: str) -> bool:
    return can_be_found(value) and not URL.match(value) and not _is_place(value)


def _is_place(value: str) -> bool:
    """Of a file that has the secret in it, where there is one."""
    return value.startswith(("/", "~")) and os.path.exists(os.path.expanduser(value))  # noqa: PTH110, PTH111  # of any text
