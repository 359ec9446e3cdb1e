"""What is written where a session goes on from another place of its tree. Pure."""

from actors.agent.session.history import EndTurn, History, results_of_the_undone
from actors.messages.base import PromptsWithdrawn
from actors.messages.conversation import Body, Moved, TurnEnded
from actors.messages.subagent import SubagentEnded

GOES_ON_ELSEWHERE = EndTurn("done", "The plan is carried out in a new session.")
LEFT = EndTurn("interrupted", "Another session was opened.")
LEFT_BEHIND = "cancelled: the session was left, or went on from another place."


def moved(old: History, new: History, end: EndTurn) -> tuple[Body, ...]:
    """Nothing is open there then, nor waits, and the model is the one that was chosen last. new: up to that place."""
    bodies: list[Body] = [Moved(left=old.last_id)]
    if waits := (*new.queue.steers, *new.queue.next):
        bodies.append(PromptsWithdrawn(prompt_ids=tuple(one.prompt_id for one in waits)))
    if new.turn_id:
        bodies += [*results_of_the_undone(new, end), TurnEnded(turn_id=new.turn_id, reason=end.reason)]
    for one in new.subagents.unfinished:
        bodies.append(SubagentEnded(name=one.name, state="cancelled", summary=LEFT_BEHIND))
    if old.chosen is not None and old.chosen != new.chosen:
        bodies.append(old.chosen)
    return tuple(bodies)
