"""The programs that run here now, by the doors of their agents; and who each is, in words for people."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from actors.common import holders, locks
from actors.common.doors import visitor
from actors.common.doors.visitor import Program
from actors.common.doors.words import SUFFIX
from actors.messages.store import Holder
from actors.messages.subagent import SubagentIs

STOPPED = "{who} does not answer, so its agents are not known; it may be stopped (then: fg in its terminal)."


@dataclass(frozen=True)
class There:
    """Whoever runs now."""

    programs: Sequence[Program]
    silent: Sequence[str]
    """Those that do not answer, in words for people."""

    @property
    def agents(self) -> list[tuple[Program, SubagentIs]]:
        return [(program, agent) for program in self.programs for agent in program.agents]


async def there(home: str) -> There:
    programs, silent = await visitor.programs(home, lambda door: _lives(home, door))
    return There(programs, [STOPPED.format(who=_who(home, door)) for door in silent])


def _lives(home: str, door: Path) -> bool:
    """Its agent is just being restarted. One of a batch may have been ended, and the batch goes on without it."""
    holder = _holder(home, door) if "." not in door.stem else None
    return holder is not None and holder.host == platform.node() and psutil.pid_exists(holder.pid)


def _who(home: str, door: Path) -> str:
    holder = _holder(home, door)
    return f"the program of {door}" if holder is None else holders.in_words(holder)


def _holder(home: str, door: Path) -> Holder | None:
    """The program whose door that is, as the locks of its sessions say; None: it has none."""
    for lock in sorted(Path(home, "run").glob("*.lock")):
        try:
            holder = msgspec.json.decode(locks.said(lock), type=Holder)
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue
        if holder.run_id == door.name.removesuffix(SUFFIX).partition(".")[0]:
            return holder
    return None


def who(program: Program) -> str:
    return holders.in_words(Holder(session_id="", pid=program.told.pid, terminal=program.told.terminal))
