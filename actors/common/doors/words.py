"""What is said at the door of an agent: who is there, and what whoever comes may ask for. Plain structs."""

from pathlib import Path

import msgspec

from actors.messages.mcp import RestartServers, ServersRestarted
from actors.messages.subagent import CancelSubagent, SteerSubagent, SubagentIs

MAIN = "agent:main"
SUFFIX = ".door"
LONGEST = 256 * 1024
"""Bytes of a word from outside."""


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line from inside: at once when somebody comes, then about the end of the session here."""

    session_id: str = ""
    """What is open here."""
    busy: bool = False
    gone: bool = False
    problem: str = ""
    """Why it is not let go of."""
    cwd: str = ""
    pid: int = 0
    """Of the program's first process."""
    terminal: str = ""
    """Such as /dev/pts/3; "" where it has none."""


class Wanted(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """The line from outside: let go of this session. Who only looks says nothing.

    Answered by Told, how it stands; said again it is done, and answered by Told how that went.
    """

    session_id: str
    who: str
    """For people."""


class WhoWorks(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """How do its subagents stand? Answered by Working."""

    below: str = ""
    """Session: of this one alone; "" for all."""


class Ordered(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Do this with a subagent. Answered by CarriedOut, where one is cancelled perhaps by two of them.

    Asked again with the same prompt id it is done once.
    """

    session_id: str
    """Of its parent, which has to be open here."""
    order: SteerSubagent | CancelSubagent
    goes_on: bool = False
    """Also one that has ended is told it, and goes on with it."""


class Restarted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Answer to RestartServers, which are its program's, whichever of its agents is asked."""

    answer: ServersRestarted | None = None
    """None: there was a problem."""
    problem: str = ""


class Working(msgspec.Struct, frozen=True, kw_only=True):
    agents: tuple[SubagentIs, ...]
    """In the order they were spawned. Of what each came to there is only the beginning."""


class CarriedOut(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    agent: SubagentIs | None = None
    """How it stands now; None: there was a problem."""
    stopping: bool = False
    """Its end is on disk; a second line comes when nothing of it runs any more, unless the program ends before."""
    problem: str = ""
    """Why nothing was done, and the next step."""


Word = Wanted | WhoWorks | Ordered | RestartServers


def path_of(home: str, run_id: str, agent: str = MAIN) -> Path:
    """In a folder of the user alone. agent: such as agent:main, or that of a task in a batch."""
    own = "" if agent == MAIN else f".{agent.rpartition(':')[2]}"
    return Path(home, "run", f"{run_id}{own}{SUFFIX}")
