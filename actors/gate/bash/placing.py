"""The files of a command as they are seen from the workspace, and what follows from which they are."""

import posixpath
from dataclasses import replace

from actors.gate.bash.around import Around
from actors.gate.bash.parts import Part, joined
from actors.gate.bash.paths import Named, device


def placed(part: Part, files: Named, around: Around) -> Part:
    reads, writes = _seen(files.reads, around.bases), _seen(files.writes, around.bases)
    denied, danger = device(writes)
    lost = around.bases is None and any(not path.startswith(("/", "~")) for path in (*files.reads, *files.writes))
    unsure = "which folder it is in is not known before it runs" if lost else ""
    if not around.sandboxed:
        unsure = unsure or files.odd
    effect = "execute" if denied or danger or (files.blind and part.effect == "write") else part.effect
    found = Part("", effect, denied, danger, unsure, reads=reads, writes=writes, blind=files.blind)
    return joined(replace(part, effect=effect), found)


def _seen(paths: tuple[str, ...], bases: tuple[str, ...] | None) -> tuple[str, ...]:
    """In each folder that it may be in."""
    places = bases or ("",)
    seen = (path if path.startswith("~") else posixpath.join(base, path) for path in paths for base in places)
    return tuple(dict.fromkeys(seen))
