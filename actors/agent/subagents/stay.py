"""The end of a turn while subagents run in the background: they are waited for, or what else the user wants."""

from actors.agent.session.history import EndTurn, History
from actors.agent.session.ledger import note
from actors.agent.subagents.subagents import Subagents
from actors.settings.config import Background

LEFT = "nobody waits for agents in the background (--background={how})."
STILL_RAN = "these agents still ran in the background when the model stopped, and were cancelled: {names}."


async def stay(subagents: Subagents, history: History, how: Background, end: EndTurn) -> str | EndTurn:
    """What the model has to be told instead of ending so; else how the turn ends."""
    if end.reason != "done":
        return end
    if how != "wait" and subagents.unfinished:
        names = ", ".join(one.name for one in subagents.unfinished)
        await subagents.cancel(subagents.unfinished, LEFT.format(how=how))
        return EndTurn("failed", STILL_RAN.format(names=names)) if how == "fail" else end
    while subagents.unfinished and not subagents.ledger.untold and not history.queued:
        await subagents.ports.anything.wait()
    return note(subagents.ledger.untold) or end
