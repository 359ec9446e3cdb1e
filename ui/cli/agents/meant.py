"""The agents of running programs, and which of them is meant by a few words."""

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import psutil

from actors.common import holders, locks
from actors.common.doors import visitor
from actors.common.doors.visitor import Program
from actors.common.doors.words import SUFFIX
from actors.common.plurals import how_many
from actors.messages.store import Holder
from actors.messages.subagent import SubagentIs
from ui.common.harmless import one_line
from ui.common.usage_errors import Usage

OVER = ("completed", "failed", "cancelled")
SHORT = 8
"""Characters of its parent's id that are shown at least."""
NAMED = 8
"""Agents, where several are meant."""
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


def meant(among: There, said: str) -> tuple[Program, SubagentIs]:
    """By its session's id, the beginning of that, that of its parent's with its number, or its name. Raises Usage."""
    found = next(filter(None, ([one for one in among.agents if fits(one[1], said)] for fits in FITTING)), [])
    if len(found) == 1:
        return found[0]
    if not found:
        raise Usage(" ".join([f'no running program has an agent "{one_line(said)}".', *among.silent, AGAIN]))
    shown = short_ids(agent.session_id for _, agent in among.agents)
    some = ", ".join(f"{one_line(shown[agent.session_id])} ({one_line(agent.name)})" for _, agent in found[:NAMED])
    more = f" and {len(found) - NAMED} more" if len(found) > NAMED else ""
    count = how_many(len(found), "agent")
    raise Usage(f'"{one_line(said)}" may be any of {count}: {some}{more}. Write more of its id.')


AGAIN = (
    "See: trouper agents list. One whose program has ended goes on there: trouper -r SESSION, then /agents resume NAME."
)


def _is_it(agent: SubagentIs, said: str) -> bool:
    return agent.session_id == said


def _has_its_number(agent: SubagentIs, said: str) -> bool:
    parent, _, number = agent.session_id.rpartition(".")
    beginning, _, wanted = said.rpartition(".")
    return bool(beginning) and parent.startswith(beginning) and number == wanted


def _begins_so(agent: SubagentIs, said: str) -> bool:
    return bool(said) and (agent.name == said or agent.session_id.startswith(said))


FITTING = (_is_it, _has_its_number, _begins_so)
"""The first that fits any counts: a.1 is not a.10."""


def short_ids(session_ids: Iterable[str]) -> dict[str, str]:
    """For each the shortest that `meant` takes for it alone."""
    ids = list(session_ids)
    parents = {one.rpartition(".")[0] for one in ids}
    return {one: f"{_beginning(one.rpartition('.')[0], parents)}.{one.rpartition('.')[2]}" for one in ids}


def _beginning(parent: str, parents: set[str]) -> str:
    others = parents - {parent}
    return next(
        (
            parent[:length]
            for length in range(SHORT, len(parent))
            if not any(other.startswith(parent[:length]) for other in others)
        ),
        parent,
    )
