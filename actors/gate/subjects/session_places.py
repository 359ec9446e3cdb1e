"""What a session has for itself: its folder for temporary files, which is /tmp to commands apart and to file tools.

The machine's /tmp is another place. What is there, or a rule names, is outside as anything else is, unless the session
has something of that name.
"""

import os
from pathlib import Path

from actors.common.globs import may_be_in
from actors.gate.decision import Context
from actors.gate.subjects import symlinks
from actors.gate.subjects.places import Place
from actors.settings.opened_places import opened

TEMPORARY = Path("/tmp")  # noqa: S108
PRIVATE = (TEMPORARY, Path("/dev"))
"""In namespaces commands have their own."""


def is_commands_own(place: Place, context: Context) -> bool:
    """To commands apart: nothing of the machine is to be seen there, below it, or where its pattern may lead."""
    if not any(place.is_inside(folder) for folder in PRIVATE):
        return False
    patterns = [symlinks.without_brackets(way) for way in place.ways]
    return not any(may_be_in(pattern, shown, context.workspace) for pattern in patterns for shown in context.shown)


def climbs(path: str, base: Path) -> bool:
    """It goes up from a place in a folder that only commands apart see: no one else can tell what links lie there."""
    parts = (base / path).parts
    return ".." in parts and any(Path(*parts[: parts.index("..")]).is_relative_to(folder) for folder in PRIVATE)


def is_temporary(place: Place, context: Context) -> bool:
    """By its real path, which is the same to everybody."""
    return context.temporary is not None and place.is_inside(context.temporary)


def is_sessions(place: Place, context: Context) -> bool:
    """To a file tool."""
    return is_temporary(place, context) or (is_doubled(place, context) and not _is_machines(place, context))


def is_doubled(place: Place, context: Context) -> bool:
    """There may be one of that name on the machine and another of the session's."""
    if context.temporary is None or not context.apart or is_temporary(place, context):
        return False
    return place.is_inside(TEMPORARY) and is_commands_own(place, context)


def _is_machines(place: Place, context: Context) -> bool:
    """Of two: the one that commands apart do not see."""
    if context.temporary is None or os.path.lexists(context.temporary / place.real.relative_to(TEMPORARY)):
        return False
    named = opened(TEMPORARY, (*context.rules, *context.session))
    return os.path.lexists(place.real) or any(place.real.is_relative_to(path) for path in named)
