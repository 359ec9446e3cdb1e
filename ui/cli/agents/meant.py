"""Which of the agents of running programs is meant by a few words."""

from collections.abc import Iterable

from actors.common.doors.visitor import Program
from actors.common.plurals import how_many
from actors.messages.subagent import SubagentIs
from ui.cli.running_programs import There
from ui.common.harmless import one_line
from ui.common.usage_errors import Usage

OVER = ("completed", "failed", "cancelled")
SHORT = 8
"""Characters of its parent's id that are shown at least."""
NAMED = 8
"""Agents, where several are meant."""


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
