"""A line that moves or links something to where it also deletes: then that is deleted, too. So it is where it moves
something through a link of its own to where nobody sees it again.

What is deleted, and where links lead, is looked at on the disk before the line runs, when they are not there yet.
"""

from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

from msgspec.structs import replace

from actors.gate.decision import Context
from actors.gate.subjects.places import Place, locate
from actors.gate.subjects.session_places import PRIVATE
from actors.gate.subjects.subject import Command
from actors.gate.subjects.symlinks import PATTERN

UNKNOWN = "it may move there what the line then deletes"
MOVED_AWAY = "what is moved there is gone when it ends"


def is_private(place: Place, context: Context) -> bool:
    inside = place.real.is_relative_to(context.workspace)
    return not inside and any(place.real.is_relative_to(folder) for folder in PRIVATE)


class Gone:
    """What a line deletes, to be asked about for each of its parts."""

    def __init__(self, lost: Iterable[Place]) -> None:
        reals = {place.real for place in lost}
        tops = {Path(*takewhile(lambda part: not PATTERN & set(part), real.parts)) for real in reals}
        self._tops = {str(top) for top in tops}
        """Of a pattern the folder in front of it."""
        self._above_tops = {folder for top in tops for folder in _way_to(top)}
        self._above = {folder for real in reals for folder in _way_to(real)[:-1]}
        self._with_above = self._above | set(map(str, reals))

    def meets(self, moved: Place) -> bool:
        """It is in what is deleted, or the other way round."""
        return str(moved.real) in self._above_tops or not self._tops.isdisjoint(_way_to(moved.real))

    def is_in(self, folder: Place) -> bool:
        """A part of it."""
        return str(folder.real) in self._above

    def is_or_is_in(self, folder: Place) -> bool:
        return str(folder.real) in self._with_above


def _way_to(path: Path) -> list[str]:
    """The folders that it is in, and it; as strings, for a Path takes long to make and there may be thousands."""
    whole = str(path)
    return ["/", *(whole[:at] for at, char in enumerate(whole) if char == "/" and at), whole]


def rearranged(commands: tuple[Command, ...], context: Context, unsandboxed: bool) -> tuple[Command, ...]:
    """Of one line."""
    if context.apart and not unsandboxed:
        commands = _through_links(commands, context)
    lost = [place for command in commands for place in command.lost]
    gone = Gone(lost)
    return tuple(_with_lost(command, gone, context) for command in commands) if lost else commands


def _with_lost(command: Command, gone: Gone, context: Context) -> Command:
    program, _, rest = command.part.text.partition(" ")
    if program == "git" and rest.startswith("mv "):
        return replace(command, part=replace(command.part, loses=UNKNOWN))
    if program == "mv" and any(map(gone.meets, command.writes)):
        if command.part.blind:
            return replace(command, part=replace(command.part, loses=UNKNOWN))
        moved = tuple(place for place in command.writes if not gone.is_in(place))
        return _losing(command, moved, context)  # but for the folder it is moved into
    if program == "ln" and any(map(gone.is_or_is_in, command.writes)):
        if command.part.blind:
            return replace(command, part=replace(command.part, loses=UNKNOWN))
        return _losing(command, command.reads, context)
    return command


def _losing(command: Command, places: tuple[Place, ...], context: Context) -> Command:
    inside = (place for place in places if place.is_inside(context.workspace))
    return replace(command, lost=tuple(dict.fromkeys((*command.lost, *inside))))


def _through_links(commands: tuple[Command, ...], context: Context) -> tuple[Command, ...]:
    """With what is moved to where a link that the line itself makes, copies or renames may lead away."""
    away: set[Path] = set()
    for command in (*commands, *commands):  # in a loop what is written later is done before, too
        if _leads_away(command, away, context):
            away |= {place.entry for place in command.writes}
    return tuple(_moving(command, away, context) for command in commands) if away else commands


def _leads_away(command: Command, away: set[Path], context: Context) -> bool:
    program = command.part.text.partition(" ")[0]
    if program == "ln":
        return command.part.blind or any(
            is_private(place, context) or _is_below(place, away) for place in command.reads
        )
    if program not in ("cp", "mv"):
        return False
    links = (place for place in (*command.reads, *command.writes) if place.real != place.entry)
    return any(is_private(place, context) for place in links) or any(_is_below(place, away) for place in command.reads)


def _is_below(place: Place, folders: set[Path]) -> bool:
    return not folders.isdisjoint((place.real, *place.real.parents))


def _moving(command: Command, away: set[Path], context: Context) -> Command:
    to = [locate(path, context.workspace) for path in command.part.moved_to if path is not None]
    if not any(_is_below(place, away) for place in to):
        return command
    return replace(command, part=replace(command.part, loses=command.part.loses or MOVED_AWAY))
