"""The end of a turn while subagents run in the background: they are waited for, or what else the user wants."""

from actors.agent.session.history import EndTurn, History
from actors.agent.session.ledger import Subagent, note
from actors.agent.subagents.subagents import Subagents
from actors.settings.config import Background

LEFT = "nobody waits for agents in the background (--background={how})."
STILL_RAN = "these agents still ran in the background when the model stopped, and were cancelled: {names}."
UNHEARD = "These had ended, and the model has not heard of it: {names}."


async def stay(subagents: Subagents, history: History, how: Background, end: EndTurn) -> str | EndTurn:
    """What the model has to be told instead of ending so; else how the turn ends."""
    if end.reason != "done":
        return end
    if how != "wait" and (left := subagents.unfinished):
        await subagents.cancel(left, LEFT.format(how=how))
        cancelled = [one for one in left if one.outcome.state == "cancelled"]  # one may have come to its end meanwhile
        unheard = [one for one in subagents.ledger.untold if one not in cancelled]
        if how == "fail" and cancelled:
            return EndTurn("failed", _still_ran(cancelled, unheard))
        if not unheard:
            return end
    while subagents.unfinished and not subagents.ledger.untold and not history.queue.steers:
        await subagents.ports.anything.wait()
    return note(subagents.ledger.untold) or end


def _still_ran(cancelled: list[Subagent], unheard: list[Subagent]) -> str:
    said = STILL_RAN.format(names=", ".join(one.name for one in cancelled))
    others = ", ".join(f"{one.name} ({one.outcome.state})" for one in unheard)
    return f"{said} {UNHEARD.format(names=others)}" if others else said
