"""Which files a patch names, V4A or unified. Rather one too many: the tool may touch no other than these.

Which of the two it is, its tool decides; here a line of either counts.
"""

import re
from collections.abc import Iterator
from itertools import chain

import msgspec

_V4A = re.compile(r"^[^\S\n]*\*\*\* (Add File|Update File|Delete File|Move to):(.*)$", re.MULTILINE)
_UNIFIED = re.compile(r"^--- ([^\n]*)\n\+\+\+ ([^\n]*)$", re.MULTILINE)
_RENAMED = re.compile(r"^(?:rename|copy) (?:from|to) (.*)$", re.MULTILINE)
_HEADER = re.compile(r"^diff --git (\S+) (\S+)\n(?:.*\n)??(deleted|new) file mode", re.MULTILINE)
NOTHING = "/dev/null"


class Patched(msgspec.Struct, frozen=True):
    path: str
    deleted: bool = False


def files(patch: str, most: int) -> tuple[Patched, ...]:
    """Each once, in the order they are named. Once there are more than `most` the rest is not looked at."""
    text = patch.replace("\r\n", "\n")
    named: dict[str, bool] = {}
    for file in chain(_v4a(text), _unified(text)):
        named[file.path] = named.get(file.path, False) or file.deleted
        if len(named) > most:
            break
    return tuple(Patched(path, deleted) for path, deleted in named.items())


def _v4a(text: str) -> Iterator[Patched]:
    for what, path in _different(_V4A, text):
        yield Patched(path.strip(), deleted=what == "Delete File")


def _unified(text: str) -> Iterator[Patched]:
    for before, after in _different(_UNIFIED, text):
        old, new = _name(before), _name(after)
        if old != NOTHING:
            yield Patched(old, deleted=new == NOTHING)
        if new != NOTHING:
            yield Patched(new)
    for before, _, what in _different(_HEADER, text):
        yield Patched(_name(before), deleted=what == "deleted")
    for (path,) in _different(_RENAMED, text):
        yield Patched(path.strip())


def _different(pattern: re.Pattern[str], text: str) -> Iterator[tuple[str, ...]]:
    seen = set[tuple[str, ...]]()
    for found in pattern.finditer(text):
        if (groups := found.groups()) not in seen:
            seen.add(groups)
            yield groups


def _name(given: str) -> str:
    """Without a date, and the a/ or b/ that git puts before it."""
    path = given.partition("\t")[0].strip().strip('"')
    return path[2:] if path.startswith(("a/", "b/")) else path
