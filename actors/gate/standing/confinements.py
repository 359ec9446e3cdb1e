"""What each subagent may at most, by its session: on disk before it counts, so a gate that has died is no way out.

In no copy and no import: of a session that nobody has confined a subagent may nothing.
"""

import msgspec

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import CONFINED_OF, Recall, Recalled, Remember
from actors.messages.subagent import Confine

SUBAGENTS = "agent:sub:"
AGENTS = "agent:"


def is_subagent(agent: str) -> bool:
    return agent.startswith(SUBAGENTS)


class Confinements:
    def __init__(self, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._known: dict[str, Confine] = {}
        """By session."""

    async def set(self, wanted: Confine, asker: str) -> None:
        """Raises Failed; then it does not count."""
        spawns = asker.startswith(AGENTS) and not is_subagent(asker)
        if not spawns or asker != wanted.parent or not is_subagent(wanted.agent):
            raise failed("not_allowed", f"{asker} cannot say what {wanted.agent} may.")
        value = msgspec.json.encode(wanted).decode()
        await self._mailbox.insist("store", Remember(key=CONFINED_OF + wanted.session_id, value=value), Done)
        self._known[wanted.session_id] = wanted

    async def load(self, session_id: str, agent: str) -> Confine:
        """Raises Failed where nobody has said what this agent may in this session."""
        if session_id not in self._known and session_id:
            value = (await self._mailbox.insist("store", Recall(key=CONFINED_OF + session_id), Recalled)).value or ""
            if kept := _decoded(value):
                self._known.setdefault(session_id, kept)
        confined = self._known.get(session_id)
        if confined is None or confined.agent != agent:
            raise failed("not_allowed", f"nobody has said what {agent} may, so it may nothing.")
        return confined

    def of(self, session_id: str) -> Confine:
        """Once it is loaded."""
        return self._known[session_id]

    def below(self, parent: str) -> frozenset[str]:
        """The subagents of an agent that were heard of."""
        return frozenset(each.agent for each in self._known.values() if each.parent == parent)


def _decoded(value: str) -> Confine | None:
    """What this version cannot read is none."""
    try:
        return msgspec.json.decode(value, type=Confine)
    except msgspec.DecodeError:
        return None
