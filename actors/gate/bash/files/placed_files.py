"""The files of a command as they are seen from the workspace, and what follows from which they are."""

import posixpath
import re

from msgspec.structs import replace

from actors.gate.bash.files.paths import Named, device
from actors.gate.bash.language.parts import Part, joined
from actors.gate.bash.language.surroundings import Around
from actors.gate.bash.language.words import Word

STEPS_A_FILE = 5
"""Where each leads is looked up on the disk, and every rule is compared with it."""
LOST = "which folder it is in is not known before it runs"


def placed(part: Part, files: Named, around: Around) -> Part:
    around.steps.take(STEPS_A_FILE * (len(files.reads) + len(files.writes)))
    reads, writes = seen(files.reads, around.bases), seen(files.writes, around.bases)
    denied, danger = device(writes)
    lost = around.bases is None and _any_relative((*files.reads, *files.writes))
    astray = files.astray or (around.bases is None and _any_relative(files.writes))
    unsure = "" if around.sandboxed else files.odd
    effect = "execute" if denied or danger or (files.blind and part.effect == "write") else part.effect
    found = Part("", effect, denied, danger, unsure=unsure, reads=reads, writes=writes, blind=files.blind or lost)
    return joined(replace(part, effect=effect, unseen=part.unseen or (LOST if lost else ""), astray=astray), found)


def _any_relative(paths: tuple[str, ...]) -> bool:
    return any(not path.startswith(("/", "~")) for path in paths)


def started_in(folder: Word | None, around: Around) -> tuple[str | None, ...]:
    """The folders a program may be in that moves to this one first; None: nobody knows which."""
    if folder is None or not folder.known or folder.glob or re.match(r"~[^/]", folder.text):
        return (None,)
    if around.bases is None and not folder.text.startswith(("/", "~")):
        return (None,)
    return seen((folder.text,), around.bases)


def seen(paths: tuple[str, ...], bases: tuple[str, ...] | None) -> tuple[str, ...]:
    """In each folder that it may be in."""
    places = bases or ("",)
    seen = (path if path.startswith("~") else posixpath.join(base, path) for path in paths for base in places)
    return tuple(dict.fromkeys(seen))
