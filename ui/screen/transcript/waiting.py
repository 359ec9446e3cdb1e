"""Prompts that were sent and are no entry of the conversation yet: as the screen shows them. Pure."""

from dataclasses import dataclass

from actors.messages.base import PromptKind, PromptsWithdrawn
from actors.messages.conversation import PromptQueued
from actors.messages.turn import QueueIs


@dataclass(frozen=True)
class Sent:
    prompt_id: str
    text: str
    kind: PromptKind = "steer"
    waits: bool = False
    """It came during a turn, so it can be taken back; else it begins one at once."""
    attached: int = 0


def after(sent: list[Sent], heard: PromptQueued | PromptsWithdrawn | QueueIs) -> list[Sent]:
    """What there is then, the oldest first."""
    match heard:
        case PromptQueued(prompt_id=prompt_id):
            new = Sent(prompt_id, heard.text, heard.kind, waits=True, attached=len(heard.attachments))
            known = {one.prompt_id: one for one in sent}
            return list((known | {prompt_id: new}).values())
        case PromptsWithdrawn(prompt_ids=gone):
            return [one for one in sent if one.prompt_id not in gone]
        case QueueIs(waiting=waiting, withdrawn=gone):
            for one in waiting:
                sent = after(sent, one)
            return [one for one in sent if one.prompt_id not in gone]
