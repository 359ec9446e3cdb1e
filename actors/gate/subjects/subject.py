"""What a decision is about: each thing a call touches is judged by itself, and the strictest verdict counts."""

import msgspec

from actors.gate.bash.language.parts import Part
from actors.gate.subjects.places import Access, Place
from actors.messages.conversation import Effect


class File(msgspec.Struct, frozen=True):
    """A path that a tool's argument names."""

    access: Access
    place: Place
    deleted: bool = False
    moved_to: bool = False
    """Something older may be put there."""
    own: bool = False
    """It is the session's own, in its folder for temporary files: looked up once, for the disk may change."""


class Command(msgspec.Struct, frozen=True):
    """One simple command of a command line."""

    part: Part
    reads: tuple[Place, ...]
    writes: tuple[Place, ...]
    outside: tuple[Place, ...]
    """Those of them that no sandbox makes its own."""
    leaves: str
    """Why it is not wholly inside the sandbox; "" where it is."""
    ruled: str = ""
    """Why a rule that denies or asks may be about it though its words do not say so."""
    lost: tuple[Place, ...] = ()
    """What it deletes, where it names it."""
    masked: bool = False
    """Files that rules hide are hidden from it, too, by the sandbox."""


class Site(msgspec.Struct, frozen=True):
    """Somewhere on the web."""

    host: str
    """ "" where it cannot be told for sure."""


class Kind(msgspec.Struct, frozen=True):
    """A kind of subagent that is spawned."""

    name: str


class Whole(msgspec.Struct, frozen=True):
    """The tool, where what it touches does not say it all."""

    effect: Effect


Subject = File | Command | Site | Kind | Whole


def effect_of(subject: Subject) -> Effect:
    match subject:
        case File(access=access):
            return access
        case Command():
            return "execute"
        case Site():
            return "network"
        case Kind():
            return "meta"
        case Whole(effect=effect):
            return effect
