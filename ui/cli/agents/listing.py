"""`trouper agents list`: what the subagents of all running programs do, for people and for programs."""

import time
from collections.abc import Sequence

from actors.common.budget import in_words
from actors.common.doors.visitor import Program
from actors.common.plurals import how_many
from actors.messages.subagent import SubagentIs
from ui.cli.agents.meant import OVER, short_ids
from ui.cli.running_programs import There, who
from ui.common import json_text
from ui.common.amounts import clock, thousands
from ui.common.exit_codes import DONE, FAILED
from ui.common.harmless import one_line
from ui.headless.one_answer import complain, printed

WORDS = 40
"""Characters of what one does, or came to."""
NO_PROGRAM = "no program runs now, so there are no agents. Start one: trouper"
NO_AGENTS = "{programs} now, and none has agents; the model starts them with spawn_agent."
RIGHT = {5, 6, 7}
"""Columns of numbers."""


def listed(there: There, *, json: bool) -> int:
    """Returns the exit code: 1 where somebody does not answer."""
    for one in there.silent:
        complain(one)
    if json:
        code = printed(json_text.pretty([facts(*one) for one in there.agents]))
    elif there.agents:
        code = printed(table(there, time.time()))
    else:
        complain(_none(there))
        code = DONE
    return code or (FAILED if there.silent else DONE)


def facts(program: Program, agent: SubagentIs) -> dict[str, object]:
    """All that is known of it. Times in seconds since the epoch, 0: unknown; cost in US dollars, null: unknown."""
    return {
        "session_id": agent.session_id,
        "name": agent.name,
        "kind": agent.kind,
        "state": agent.state,
        "doing": agent.doing,
        "background": agent.background,
        "isolation": agent.isolation,
        "tokens": tokens(agent),
        "cost_usd": agent.used.known_cost_usd,
        "started_at": agent.started_at,
        "last_event_at": agent.last_event_at,
        "summary": agent.summary,
        "patch_files": agent.patch_files,
        "parent": program.told.session_id,
        "folder": program.told.cwd,
        "pid": program.told.pid,
        "terminal": program.told.terminal,
    }


def tokens(agent: SubagentIs) -> int:
    return agent.used.input_tokens + agent.used.output_tokens


def table(there: There, now: float) -> str:
    """A line each, below their parent and its folder. now: seconds since the epoch."""
    shown = short_ids(agent.session_id for _, agent in there.agents)
    rows = {agent.session_id: _row(shown[agent.session_id], agent, now) for _, agent in there.agents}
    widths = [max(map(len, column)) for column in zip(*rows.values(), strict=True)]
    lines: list[str] = []
    for program in there.programs:
        if program.agents:
            parent = shown[program.agents[0].session_id].rpartition(".")[0]
            lines.append(one_line(f"session {parent}  {program.told.cwd}  ({who(program)})"))
            lines += [_line(rows[agent.session_id], widths) for agent in program.agents]
    return "".join(f"{line}\n" for line in lines)


def _none(there: There) -> str:
    number = len(there.programs)
    if not number:
        return NO_PROGRAM
    runs = "runs" if number == 1 else "run"
    return NO_AGENTS.format(programs=f"{how_many(number, 'program')} {runs}")


def _row(short: str, agent: SubagentIs, now: float) -> tuple[str, ...]:
    words = one_line(agent.doing) or one_line(agent.summary.strip().partition("\n")[0])
    words = words if len(words) <= WORDS else f"{words[: WORDS - 1]}…"
    quiet = f"{clock(max(now - agent.last_event_at, 0.0))} ago" if agent.last_event_at and not is_over(agent) else ""
    used = f"{thousands(tokens(agent))} tok" if tokens(agent) else ""
    return tuple(
        one_line(cell)
        for cell in (short, agent.name, agent.kind, agent.state, words, used, in_words(agent.used), quiet)
    )


def is_over(agent: SubagentIs) -> bool:
    return agent.state in OVER


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = enumerate(zip(row, widths, strict=True))
    return (
        "  "
        + "  ".join(cell.rjust(width) if at in RIGHT else cell.ljust(width) for at, (cell, width) in cells).rstrip()
    )
