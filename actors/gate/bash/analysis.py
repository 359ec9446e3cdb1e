"""From a command line to its parts."""

from actors.gate.bash.parts import Part
from actors.gate.bash.walk import Walk


def parts(command: str, *, sandboxed: bool) -> tuple[Part, ...]:
    """In the order they are written. sandboxed: a kernel holds what files it changes; else structure counts, too."""
    found = Walk(sandboxed).line(command)
    return tuple(dict.fromkeys(found)) or (Part(command.strip(), "read"),)
