"""What was sent and is not answered yet, as it was composed: what comes back goes into the composer as it was.

It is kept with the draft, in one record: a prompt is in the queue or in the composer, whenever the screen is killed.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import msgspec

from actors.messages.base import Message, PromptKind, PromptsWithdrawn
from actors.messages.conversation import UserMessage
from actors.messages.turn import CaughtUp, EntryAdded, QueueIs, SessionInfo
from ui.screen.composer.editor import Draft, Editor
from ui.screen.intents import Send
from ui.screen.session_view import SessionView

LEFT = "what was attached to it did not come back: attach it again"


class Kept(msgspec.Struct, frozen=True):
    """A prompt that was sent, as it is stored."""

    draft: Draft
    text: str
    kind: PromptKind


@dataclass
class Queue:
    session: SessionView
    editor: Editor
    say: Callable[[str, str], None]
    """text, level."""
    kept: dict[str, Send] = field(default_factory=dict)
    """By prompt_id, the oldest first."""
    recalled: dict[str, Send] = field(default_factory=dict)
    """Of an earlier life of the screen; what became of them is not known yet."""
    _withdrawn: set[str] = field(default_factory=set)
    _live: bool = False

    def heard(self, event: Message) -> None:
        """Before the session takes it in."""
        match event:
            case SessionInfo():
                self._live = False
            case CaughtUp():
                self._live = True
            case EntryAdded(entry=entry) if isinstance(entry.body, UserMessage):
                self.kept.pop(entry.body.prompt_id, None)
                self.recalled.pop(entry.body.prompt_id, None)
            case EntryAdded(entry=entry) if isinstance(entry.body, PromptsWithdrawn):
                self._come_back(entry.body.prompt_ids)
            case QueueIs(withdrawn=withdrawn):
                self._come_back(withdrawn)
            case _:
                return

    def _come_back(self, prompt_ids: Iterable[str]) -> None:
        """Those that are the user's, in their order before what is being written."""
        self._withdrawn |= set(prompt_ids)
        sent = {one.prompt_id: one for one in self.session.sent if self._live}
        mine = {**dict.fromkeys(sent), **dict.fromkeys(self.kept)}
        back: list[Draft] = []
        for prompt_id in [one for one in mine if one in self._withdrawn]:
            intent = self.kept.pop(prompt_id, None)
            self.recalled.pop(prompt_id, None)
            if intent is not None:
                back.append(_draft(intent))
            elif prompt_id in sent:
                back.append(Draft(sent[prompt_id].text))
                if sent[prompt_id].attached:
                    self.say(LEFT, "warning")
        for draft in reversed(back):
            self.editor.put_before(draft)

    def give_back(self, prompt_id: str) -> bool:
        """It could not be sent. False: it has come back before."""
        intent = self.kept.pop(prompt_id, None)
        if intent is not None:
            self.editor.put_before(_draft(intent))
        return intent is not None

    def record(self, without: Iterable[Send]) -> dict[str, Kept]:
        """To be stored. without: what is a draft again as long as it is not sent."""
        left_out = list(without)
        kept = {one: intent for one, intent in self.kept.items() if not any(intent is each for each in left_out)}
        return {one: Kept(_draft(intent), intent.text, intent.kind) for one, intent in kept.items()}

    def recall(self, record: dict[str, Kept]) -> None:
        for prompt_id, one in record.items():
            files = tuple(one.draft.files[mark] for mark in dict.fromkeys(one.draft.text) if mark in one.draft.files)
            self.recalled[prompt_id] = Send(one.text, files, one.draft, one.kind)
        self.kept = {**self.recalled, **self.kept}
        self._come_back(())

    def unheard_of(self) -> dict[str, Send]:
        """Once all is told: what an earlier life sent and the agent may not have; nothing as long as that is open."""
        if not self._live:
            return {}
        waiting = {one.prompt_id for one in self.session.sent}
        unheard = {prompt_id: one for prompt_id, one in self.recalled.items() if prompt_id not in waiting}
        self.recalled = {}
        return unheard

    def clear(self) -> None:
        """Nothing of it is there any more."""
        self.kept, self.recalled = {}, {}


def _draft(intent: Send) -> Draft:
    return intent.draft if intent.draft.text else Draft(intent.text)
