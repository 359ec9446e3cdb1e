"""`trouper agents steer|cancel|resume`: asked of the program that has the agent, whose answer is waited for."""

import uuid

from actors.common.doors import visitor
from actors.common.doors.lines import CannotAsk
from actors.common.doors.visitor import Program, Refused
from actors.common.doors.words import Ordered
from actors.messages.subagent import CancelSubagent, SteerSubagent, SubagentIs
from ui.cli.agents.listing import is_over
from ui.cli.running_programs import who
from ui.common.harmless import one_line

GO_ON = "Go on where you stopped."
RESUME = "To go on with it: trouper agents resume {session_id}"


class NotDone(Exception):
    """Text for the user: the cause and the next step."""


async def steer(program: Program, agent: SubagentIs, text: str) -> tuple[SubagentIs, str]:
    """How it stands then, and that in words. Raises NotDone."""
    now = await _order(program, agent, _told(agent, text))
    return now, f"{one_line(agent.name)} was told, and is {now.state}"


async def resume(program: Program, agent: SubagentIs, text: str) -> tuple[SubagentIs, str]:
    """text: "" for no more than that it goes on. Raises NotDone."""
    if not is_over(agent):
        hint = f"To tell it something: trouper agents steer {agent.session_id} TEXT"
        raise NotDone(f"the agent {agent.name} is {agent.state}. {hint}")
    now = await _order(program, agent, _told(agent, text or GO_ON), goes_on=True)
    return now, f"{one_line(agent.name)} goes on, and is {now.state}"


async def cancel(program: Program, agent: SubagentIs, _text: str) -> tuple[SubagentIs, str]:
    """Raises NotDone."""
    go_on = RESUME.format(session_id=agent.session_id)
    if is_over(agent):
        raise NotDone(f"the agent {agent.name} has ended already ({agent.state}). {go_on}")
    now = await _order(program, agent, CancelSubagent(name=agent.name))
    return now, f"{one_line(agent.name)} is {now.state}. {one_line(go_on)}"


def _told(agent: SubagentIs, text: str) -> SteerSubagent:
    return SteerSubagent(name=agent.name, prompt_id=uuid.uuid4().hex, text=text)


async def _order(
    program: Program, agent: SubagentIs, order: SteerSubagent | CancelSubagent, *, goes_on: bool = False
) -> SubagentIs:
    """Raises NotDone."""
    wanted = Ordered(session_id=program.told.session_id, order=order, goes_on=goes_on)
    try:
        return await visitor.order(program, wanted)
    except Refused as why:
        raise NotDone(str(why)) from why
    except CannotAsk as why:
        raise NotDone(f"{who(program)}, which has {agent.name}, cannot be asked: {why}. See: trouper agents") from why
