"""What the user asks of the parent of subagents: steer one, cancel one, show and merge what one has changed."""

from collections.abc import Awaitable, Callable

import msgspec

from actors.agent.subagents.subagents import Subagents
from actors.common.doors.words import Ordered
from actors.errors import Failed, failed
from actors.messages.base import Done, Message
from actors.messages.conversation import Body
from actors.messages.subagent import CancelSubagent, MergeSubagent, ShowChanges, SteerSubagent, SubagentIs

Order = SteerSubagent | CancelSubagent | ShowChanges | MergeSubagent
HAS_ENDED = 'the agent "{name}" has ended ({state}).'
BRIEF = 300
"""Characters."""
GO_ON = "To go on with it: trouper agents resume {session_id}"


async def carried_out(
    subagents: Subagents, wanted: Order, before_merge: Callable[[], Awaitable[tuple[Body, ...]]]
) -> Message:
    """The answer. Raises Failed."""
    match wanted:
        case SteerSubagent(name=name, prompt_id=prompt_id, text=text):
            await subagents.say(name, prompt_id, text)
            return Done()
        case CancelSubagent(name=name):
            one = subagents.one(name)
            await subagents.cancel([one])
            return one.outcome
        case ShowChanges(name=name):
            return await subagents.patch(name)
        case MergeSubagent(name=name, seen=seen):
            return await subagents.merge(name, (), seen, before_merge)


async def from_outside(
    subagents: Subagents, wanted: Ordered, carry_out: Callable[[Order], Awaitable[Message]]
) -> SubagentIs:
    """Of another program: carried out as the screen's are, and answered by how the agent stands then. Raises Failed.

    One that has ended goes on only where that is meant: whoever steers from afar may not have seen it end.
    """
    one = subagents.one(wanted.order.name)
    if isinstance(wanted.order, SteerSubagent):
        if not wanted.order.text.strip():
            raise failed("bad_request", "there is nothing to tell it.", "Say what it should do.")
        said_before = wanted.order.prompt_id in (said.prompt_id for said in one.prompts)
        if one.over and not (wanted.goes_on or said_before):
            text = HAS_ENDED.format(name=one.name, state=one.outcome.state)
            raise failed("bad_request", text, GO_ON.format(session_id=one.spawned.session_id))
    await carry_out(wanted.order)
    return brief(subagents.stands(one))


async def end_of(subagents: Subagents, name: str) -> SubagentIs | None:
    """How it has ended, once that is on disk; None: there is no such one, or it cannot be saved."""
    if (one := subagents.ledger.all.get(name)) is None:
        return None
    while not one.over:
        await subagents.ports.anything.wait()
    try:
        await subagents.ports.save()
    except Failed:
        return None
    return brief(subagents.stands(one))


def brief(one: SubagentIs) -> SubagentIs:
    """Of what it came to there is the beginning alone: all of it is in its session."""
    return msgspec.structs.replace(one, summary=one.summary[:BRIEF])
