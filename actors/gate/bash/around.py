"""What a command runs in: what is on its standard input, where it is, and who analyses what it runs in turn."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from actors.gate.bash.parts import Part


@dataclass(frozen=True)
class Stdin:
    kind: Literal["nothing", "text", "unknown", "fetched", "decoded"] = "nothing"
    """fetched: out of a network; decoded: so that nobody could read it."""
    text: str = ""


@dataclass(frozen=True)
class Around:
    stdin: Stdin
    sandboxed: bool
    bases: tuple[str, ...] | None
    """The folders it may be in, relative to the workspace or absolute; None: not known."""
    shell: Callable[[str, Stdin], tuple[Part, ...]]
    """Analyses a text that a shell is given."""
    depth: int = 0
    """Of commands that run commands."""
    searching: bool = False
    """Every word is tried as the beginning of a command already."""

    def deeper(self, stdin: Stdin | None = None) -> "Around":
        return replace(self, depth=self.depth + 1, stdin=self.stdin if stdin is None else stdin)
