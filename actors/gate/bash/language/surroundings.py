"""What a command runs in: what is on its standard input, where it is, who analyses what it runs, and for how long."""

from collections.abc import Callable
from typing import Literal

import msgspec
from msgspec.structs import replace

from actors.gate.bash.language.parts import Part

MOST_STEPS = 2000
"""Of one command line: more than a person can read. Each is a few dozen microseconds."""


class TooLong(Exception):
    """All steps are taken."""


class Steps:
    """Counts what an analysis does, so that no command line can keep the gate busy."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._left = most

    def take(self, count: int = 1) -> None:
        """Raises TooLong."""
        self._left -= count
        if self._left < 0:
            raise TooLong


class Stdin(msgspec.Struct, frozen=True):
    kind: Literal["nothing", "text", "unknown", "fetched", "decoded"] = "nothing"
    """fetched: out of a network; decoded: so that nobody could read it."""
    text: str = ""


class Around(msgspec.Struct, frozen=True):
    stdin: Stdin
    sandboxed: bool
    bases: tuple[str, ...] | None
    """The folders it may be in, relative to the workspace or absolute; None: not known."""
    shell: Callable[[str, Stdin], tuple[Part, ...]]
    """Analyses a text that a shell is given."""
    steps: Steps
    depth: int = 0
    """Of commands that run commands."""
    inside: frozenset[str] = frozenset()
    """Variables of loops over names that are all below the folder it is in."""
    searching: bool = False
    """Every word is tried as the beginning of a command already."""

    def deeper(self, stdin: Stdin | None = None) -> "Around":
        return replace(self, depth=self.depth + 1, stdin=self.stdin if stdin is None else stdin)
