"""What the screen asks of the parent of subagents: steer one, cancel one, show and merge what one has changed."""

from collections.abc import Awaitable, Callable

from actors.agent.subagents.subagents import Subagents
from actors.messages.base import Done, Message
from actors.messages.conversation import Body
from actors.messages.subagent import CancelSubagent, MergeSubagent, ShowChanges, SteerSubagent

Order = SteerSubagent | CancelSubagent | ShowChanges | MergeSubagent


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
