"""An agent as the benchmark sees it: what starts it, and what its tools and its screen are called."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench.place import FILE
from tests.bench.plan import Call


@dataclass(frozen=True, kw_only=True)
class Tools:
    """The call that does it: each agent has names and arguments of its own."""

    read: Callable[[str], Call]
    """Of a file in the workspace."""
    write: Callable[[str, str], Call]
    """Of a file that is not there; the text is one line."""
    bash: Callable[[str], Call]

    def each(self) -> dict[str, Call]:
        """The smallest call of each."""
        return {
            "read": self.read(FILE),
            "write": self.write("made-#.txt", "round #"),
            "bash": self.bash("true"),
        }


@dataclass(frozen=True, kw_only=True)
class Agent:
    name: str
    command: tuple[str, ...]
    headless: tuple[str, ...] = ()
    """Arguments; the prompt comes after them."""
    screen: tuple[str, ...] = ()
    environment: dict[str, str]
    """All of it."""
    tools: Tools
    prompt: str
    """Is painted where one types."""
    interrupted: str
    """Is said when a turn was interrupted; one word."""
