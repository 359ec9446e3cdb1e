"""Which files a patch names, V4A or unified. Rather one too many: the tool may touch no other than these."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_V4A = re.compile(r"^\s*\*\*\* (Add File|Update File|Delete File|Move to):(.*)$", re.MULTILINE)
_UNIFIED = re.compile(r"^--- ([^\n]*)\n\+\+\+ ([^\n]*)$", re.MULTILINE)
_RENAMED = re.compile(r"^(?:rename|copy) (?:from|to) (.*)$", re.MULTILINE)
_HEADER = re.compile(r"^diff --git (\S+) (\S+)\n(?:.*\n)??(deleted|new) file mode", re.MULTILINE)
NOTHING = "/dev/null"


@dataclass(frozen=True)
class Patched:
    path: str
    deleted: bool = False


def files(patch: str) -> tuple[Patched, ...]:
    """Each once, in the order they are named."""
    text = patch.replace("\r\n", "\n")
    found = list(_v4a(text)) or list(_unified(text))
    deleted = {file.path for file in found if file.deleted}
    return tuple(Patched(path, path in deleted) for path in dict.fromkeys(file.path for file in found))


def _v4a(text: str) -> Iterator[Patched]:
    for what, path in _V4A.findall(text):
        yield Patched(path.strip(), deleted=what == "Delete File")


def _unified(text: str) -> Iterator[Patched]:
    for before, after in _UNIFIED.findall(text):
        old, new = _name(before), _name(after)
        if old != NOTHING:
            yield Patched(old, deleted=new == NOTHING)
        if new != NOTHING:
            yield Patched(new)
    for before, _, what in _HEADER.findall(text):
        yield Patched(_name(before), deleted=what == "deleted")
    for path in _RENAMED.findall(text):
        yield Patched(path.strip())


def _name(given: str) -> str:
    """Without a date, and the a/ or b/ that git puts before it."""
    path = given.partition("\t")[0].strip().strip('"')
    return path[2:] if path.startswith(("a/", "b/")) else path
