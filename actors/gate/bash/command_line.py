"""From a command line to its parts."""

from msgspec.structs import replace

from actors.gate.bash.language.parts import Part
from actors.gate.bash.language.surroundings import Steps, TooLong
from actors.gate.bash.language.syntax import TOO_LONG
from actors.gate.bash.shell.walk import Walk


def parts(command: str, *, sandboxed: bool) -> tuple[Part, ...]:
    """In the order they are written. sandboxed: a kernel holds what files it changes; else structure counts, too."""
    try:
        walk = Walk(sandboxed, Steps())
        found = walk.line(command)
    except (TooLong, RecursionError):
        return (Part(command.strip(), "execute", unsure=TOO_LONG),)
    if walk.has_quoted_code:  # what is not seen may be that
        found = [replace(part, unsure=part.unsure or part.unseen, unseen="") for part in found]
    return tuple(dict.fromkeys(found)) or (Part(command.strip(), "read"),)
