"""The rows of the performance table, in its order."""

from collections.abc import Callable
from dataclasses import dataclass

from tests.bench import (
    audits,
    calls,
    checkpoints,
    gate,
    headless,
    hostile,
    large,
    lives,
    living_screen,
    many,
    mcp_servers,
    memory,
    opening,
    profile,
    providers,
    questions,
    screen,
    stopping,
)
from tests.bench.bench import Bench
from tests.bench.figures import Figure


@dataclass(frozen=True)
class Row:
    name: str
    what: str
    runs: int
    measure: Callable[[Bench, int], list[Figure]]
    """Given how many runs. Raises CannotMeasure."""
    compared: bool = False
    """Beside the other agents, where there are any."""


ALL = (
    Row("start", "headless: start to first model request / one text turn", 11, headless.start, compared=True),
    Row("tools", "headless: own cost per tool round trip", 5, headless.tools, compared=True),
    Row("sandboxed", "one call through gate and sandbox, at each level, over the same without us", 9, calls.sandboxed),
    Row("questions", "everyday commands that auto asks about", 1, questions.asked),
    Row("gate", "texts made to keep the gate busy, the longest call of each of its parsers and matchers", 1, gate.busy),
    Row("parallel", "8 calls of one answer that only look", 9, calls.parallel),
    Row(
        "checkpoint", "first call after a prompt that may write, for the files are recorded", 3, checkpoints.first_write
    ),
    Row("memory", "peak memory of a headless run", 5, headless.memory, compared=True),
    Row("private", "memory that each process has for itself", 3, memory.private),
    Row("eight", "8 programs at once, each a headless run", 5, headless.eight, compared=True),
    Row("batch", "8 runs at once of one `trouper batch`", 5, many.batch),
    Row("paint", "interactive: first painted prompt / typed text shown", 11, screen.paint, compared=True),
    Row("opening", "interactive: a session of 50,000 entries gone on with", 5, opening.opening),
    Row("enter", "interactive: Enter to model request", 4, screen.enter, compared=True),
    Row("idle", "interactive idle", 3, screen.idle, compared=True),
    Row("spawn", "actor start until first answer", 20, lives.spawn),
    Row("agents", "each further agent with its tool worker", 3, many.agents),
    Row("crowd", "64 agents that are answered at once", 2, many.crowd),
    Row("audit", "`trouper audit` against a service that takes a second", 3, audits.asked),
    Row("repository", "memory of `trouper audit`, by the size of what it looks at", 2, audits.memory),
    Row("servers", "headless: 20 MCP servers, start to first request and its answer shown", 9, mcp_servers.start),
    Row("server", "memory of 20 MCP servers, of each by its processes", 3, mcp_servers.memory),
    Row("esc", "Esc to command dead", 5, stopping.esc, compared=True),
    Row("stop", "Esc to command and its daemon dead; SIGINT; tool worker stuck", 30, stopping.stop),
    Row("restart", "actor killed or stopped to replaced and serving again", 50, lives.restart),
    Row("markdown", "20,000-token markdown answer at once", 5, screen.markdown, compared=True),
    Row("keys", "interactive: keys while a 20,000-token answer streams", 3, living_screen.typed_while_streaming),
    Row("drawing", "interactive: what drawing costs while it works, and after", 3, living_screen.drawing),
    Row("killed", "interactive: the screen killed to its next key", 10, living_screen.killed),
    Row("hostile", "a hostile line of code in an answer, every language", 1, hostile.colouring),
    Row("frames", "screens whose every text is hostile, the longest frame", 1, hostile.drawing),
    Row("large", "frames of what is large, the longest of each", 1, large.frames),
    Row("first", "headless: start to first byte at the service, each wire format", 7, providers.first_byte),
    Row("deltas", "CPU of the providers for 1,000 deltas, each wire format", 2, providers.deltas),
    Row("streams", "64 streams at 60 deltas/s through one providers actor", 3, providers.streams),
    Row(
        "profile", "imports before the first request, memory of an idle screen, a round's messages", 1, profile.profile
    ),
)
BY_NAME = {row.name: row for row in ALL}
