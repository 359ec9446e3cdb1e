"""The simple commands of a command line, with the places they name, and what of them a sandbox does not hold."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from actors.gate.bash import analysis
from actors.gate.bash.parts import Part
from actors.gate.decision import Context
from actors.gate.places import Place, locate
from actors.gate.subjects import Command

HARMLESS = {
    Path("/dev", name) for name in ("null", "zero", "full", "random", "urandom", "tty", "stdin", "stdout", "stderr")
}
PRIVATE = tuple(map(Path, ("/tmp", "/dev")))  # noqa: S108
"""In bubblewrap each command has its own."""
PLAIN = re.compile(r"(?:cd|echo|pwd|true|false|:)(?: (?:[\w@%+=:,./~^-]+|'[^']*'))*")
"""Commands with nothing but literal words that are as harmless anywhere."""


@dataclass(frozen=True)
class Leaving:
    """What a call has or wants to have beyond the sandbox. One command line has it as a whole."""

    network: bool = False
    unsandboxed: bool = False


def command_lines(texts: Sequence[str], asked: Leaving, context: Context) -> tuple[tuple[Command, ...], Leaving]:
    """What a part needs all parts have: they are one process tree."""
    parts = _parts(texts, sandboxed=context.contained and not asked.unsandboxed)
    unsandboxed = asked.unsandboxed or any(part.unsandboxed for part in parts)
    unsandboxed = unsandboxed or any(_outside(part.writes, context, unsandboxed=False) for part in parts)
    if unsandboxed and not asked.unsandboxed:
        parts = _parts(texts, sandboxed=False)
    leaving = Leaving(unsandboxed or asked.network or any(part.network for part in parts), unsandboxed)
    for_all = asked != Leaving() and not any(part.effect == "execute" for part in parts)
    return tuple(_command(part, leaving, context, for_all=for_all) for part in parts), leaving


def _parts(texts: Iterable[str], *, sandboxed: bool) -> list[Part]:
    return [part for text in texts for part in analysis.parts(text, sandboxed=sandboxed)]


def _command(part: Part, leaving: Leaving, context: Context, *, for_all: bool) -> Command:
    """What the line has each of its parts has; those that certainly look at nothing need not be asked about."""
    looks = part.effect == "read" and not (PLAIN.fullmatch(part.text) and not part.blind)
    uses = part.effect == "execute" or looks or part.network or part.unsandboxed or for_all
    why = "it runs outside the sandbox" if leaving.unsandboxed else "it reaches the network" if leaving.network else ""
    return Command(
        part,
        _places(part.reads, context),
        _places(part.writes, context),
        _outside((*part.reads, *part.writes), context, unsandboxed=leaving.unsandboxed),
        why if uses else "",
    )


def _places(paths: Iterable[str], context: Context) -> tuple[Place, ...]:
    places = (locate(path, context.workspace) for path in dict.fromkeys(paths))
    return tuple(place for place in places if not _is_harmless(place))


def _outside(paths: Iterable[str], context: Context, *, unsandboxed: bool) -> tuple[Place, ...]:
    own = PRIVATE if context.level == "bubblewrap" and not unsandboxed else ()
    folders = (context.workspace, *own)
    return tuple(place for place in _places(paths, context) if not any(place.is_inside(folder) for folder in folders))


def _is_harmless(place: Place) -> bool:
    return place.plain in HARMLESS or place.plain.parent == Path("/dev/fd")
