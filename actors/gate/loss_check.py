"""Asking an agent's worker whether what a call deletes is of worth, where that makes a difference."""

from msgspec.structs import replace

from actors.errors import Failed
from actors.gate.decision import DELETION, Judgement
from actors.gate.rules.scene import Scene
from actors.gate.workers import worker_of
from actors.mailbox import Mailbox
from actors.messages.conversation import ToolCall
from actors.messages.store import FindSession, Sessions
from actors.messages.tool import LookForLoss, Loss
from actors.settings.config import Settings

MOST_MOVED = 1000
"""Places; with more it may have been anywhere."""


class LossCheck:
    """With what this life of the gate knows of where calls have moved something."""

    def __init__(self, mailbox: Mailbox, settings: Settings) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._moved_to: dict[str, None] = {}

    def note(self, judgement: Judgement) -> None:
        """Of a call that may run from now on."""
        self._moved_to |= dict.fromkeys(judgement.moved_to)

    async def at(self, scene: Scene, call: ToolCall, session_id: str) -> tuple[Scene, Judgement]:
        """To judge this call in, and how. Who does not answer says nothing, and it is asked about. Raises Failed."""
        judgement = scene.judge(call)
        if judgement.decision.rule != DELETION or not judgement.lost:
            return scene, judgement
        if with_loss(scene, "").judge(call).decision.verdict != "allow":
            return scene, judgement
        moved_to = tuple(self._moved_to) if len(self._moved_to) <= MOST_MOVED else (str(scene.context.workspace),)
        try:
            since = await _began(session_id, self._mailbox, self._settings)
            wanted = LookForLoss(paths=judgement.lost, since=since, moved_to=moved_to)
            scene = with_loss(scene, (await self._mailbox.insist(worker_of(scene.agent), wanted, Loss)).why)
        except Failed:
            pass
        return scene, scene.judge(call)


def with_loss(scene: Scene, why: str) -> Scene:
    return replace(scene, context=replace(scene.context, loss=why))


async def _began(session_id: str, mailbox: Mailbox, settings: Settings) -> float:
    """Raises Failed."""
    if not settings.resume:
        return settings.began
    (session,) = (await mailbox.insist("store", FindSession(said=session_id), Sessions)).sessions
    return session.created_at
