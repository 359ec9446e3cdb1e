"""The simple commands of a command line, with the places they name, and what of them a sandbox does not hold."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from actors.gate.bash import command_line
from actors.gate.bash.language.parts import Part
from actors.gate.bash.language.surroundings import Steps, TooLong
from actors.gate.decision import Context
from actors.gate.subjects import symlinks
from actors.gate.subjects.moved_deletions import MOVED_AWAY, is_private, rearranged
from actors.gate.subjects.places import Place, locate
from actors.gate.subjects.repositories import is_of_workspace, names_programs
from actors.gate.subjects.session_places import climbs, is_commands_own, is_temporary
from actors.gate.subjects.subject import Command
from actors.gate.subjects.system_places import anybody_may_look

HARMLESS = {
    Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty", "stdin", "stdout", "stderr")
}
MOST_ENTRIES = 5000
"""Of folders, looked at for one call: some milliseconds."""
PLAIN = re.compile(r"(?:cd|echo|pwd|true|false|:)(?: (?:[\w@%+=:,./~^-]+|'[^']*'))*")
"""Commands with nothing but literal words that are as harmless anywhere."""
CLIMBS = "nobody can tell where `..` leads from a folder that only commands see"


class Leaving(msgspec.Struct, frozen=True):
    """What a call has or wants to have beyond the sandbox. One command line has it as a whole."""

    network: bool = False
    unsandboxed: bool = False


def command_lines(texts: Sequence[str], asked: Leaving, context: Context) -> tuple[tuple[Command, ...], Leaving]:
    """What a part needs all parts have: they are one process tree."""
    parts = _parts(texts, sandboxed=context.contained and not asked.unsandboxed)
    unsandboxed = asked.unsandboxed or any(part.unsandboxed for part in parts)
    unsandboxed = unsandboxed or any(_outside((), part.writes, context, unsandboxed=False) for part in parts)
    if unsandboxed and not asked.unsandboxed:
        parts = _parts(texts, sandboxed=False)
    leaving = Leaving(unsandboxed or asked.network or any(part.network for part in parts), unsandboxed)
    for_all = asked != Leaving() and not any(part.effect == "execute" for part in parts)
    steps = Steps(MOST_ENTRIES)
    commands = tuple(_command(part, leaving, context, steps, for_all=for_all) for part in parts)
    return rearranged(commands, context, leaving.unsandboxed), leaving


def _parts(texts: Iterable[str], *, sandboxed: bool) -> list[Part]:
    return [part for text in texts for part in command_line.parts(text, sandboxed=sandboxed)]


def _command(part: Part, leaving: Leaving, context: Context, steps: Steps, *, for_all: bool) -> Command:
    """What the line has each of its parts has; those that look have no use for a network, outside only the plainest."""
    elsewhere = any(not is_of_workspace(folder, context) for folder in part.repositories)
    if elsewhere or (part.repositories and names_programs(context)):
        part = replace(part, effect="execute")  # what the repository says may be run
    if part.blind and _moves_away(part, leaving, context):
        part = replace(part, loses=part.loses or MOVED_AWAY)
    if context.apart and not leaving.unsandboxed and any(climbs(path, context.workspace) for path in part.deletes):
        part = replace(part, loses=part.loses or CLIMBS)
    try:
        reads = _led_to(part.reads, context, steps, follows=part.follows)
        writes = _led_to(part.writes, context, steps, follows=False)
        part = replace(part, reads=(*part.reads, *reads), writes=(*part.writes, *writes))
    except TooLong:
        part = replace(part, blind=True)
    plain = not leaving.unsandboxed or PLAIN.fullmatch(part.text)
    looks = part.effect == "read" and (part.blind or not plain)
    uses = part.effect == "execute" or looks or part.network or part.unsandboxed or for_all
    why = "it runs outside the sandbox" if leaving.unsandboxed else "it reaches the network" if leaving.network else ""
    return Command(
        part,
        _places(part.reads, context),
        _places(part.writes, context),
        _outside(part.reads, part.writes, context, unsandboxed=leaving.unsandboxed),
        why if uses else "",
        lost=(*_places(part.deletes, context), *_moved_away(part, leaving, context)),
    )


def _led_to(paths: Iterable[str], context: Context, steps: Steps, *, follows: bool) -> tuple[str, ...]:
    """What the symlinks behind patterns lead to, and those in folders where it follows them. Raises TooLong."""
    root = context.workspace
    found = [link for path in paths if symlinks.PATTERN & set(path) for link in symlinks.linked(path, root, steps)]
    folders = [locate(path, root) for path in (*paths, *found)] if follows else []
    return (*found, *(link for folder in folders for link in symlinks.links_below(folder.real, root, steps)))


def _moved_away(part: Part, leaving: Leaving, context: Context) -> tuple[Place, ...]:
    """What is moved to where nobody sees it again: in bubblewrap each command has its own /tmp."""
    if not _moves_away(part, leaving, context):
        return ()
    return tuple(place for place in _places(part.writes, context) if place.is_inside(context.workspace))


def _moves_away(part: Part, leaving: Leaving, context: Context) -> bool:
    if not context.apart or leaving.unsandboxed:
        return False
    return any(to is None or is_private(locate(to, context.workspace), context) for to in part.moved_to)


def _places(paths: Iterable[str], context: Context) -> tuple[Place, ...]:
    places = (locate(path, context.workspace) for path in dict.fromkeys(paths))
    return tuple(place for place in places if not _is_harmless(place))


def _outside(reads: Iterable[str], writes: Iterable[str], context: Context, *, unsandboxed: bool) -> tuple[Place, ...]:
    apart = context.apart and not unsandboxed
    looked_at = [place for place in _places(reads, context) if not anybody_may_look(place)]
    found = (*looked_at, *_places(writes, context))
    outside = (place for place in found if not place.is_inside(context.workspace))
    kept = (place for place in outside if not is_temporary(place, context))
    return tuple(place for place in kept if not (apart and is_commands_own(place, context)))


def _is_harmless(place: Place) -> bool:
    return place.plain in HARMLESS or place.plain.parent == Path("/dev/fd")
