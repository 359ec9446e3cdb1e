"""Prompts that wait: which of them for what, and which came back to the user. Read off the entries; pure."""

from collections.abc import Iterable, Sequence

from actors.common.attachments import light
from actors.messages.base import PromptsWithdrawn
from actors.messages.conversation import Body, Entry, PromptQueued, TurnEnded, UserMessage
from actors.messages.turn import QueueIs

MOST_TOLD = 50
"""Of those that came back: whoever has to hear of one has died only just now."""


class Queue:
    def __init__(self) -> None:
        self._waiting: dict[str, PromptQueued] = {}
        """By prompt_id, the oldest first."""
        self.withdrawn: dict[str, None] = {}
        """Their ids, the oldest first."""

    def note(self, body: Body) -> None:
        match body:
            case PromptQueued(prompt_id=prompt_id) if prompt_id not in self.withdrawn:
                self._waiting[prompt_id] = body
            case UserMessage(prompt_id=prompt_id):
                self._waiting.pop(prompt_id, None)
            case PromptsWithdrawn(prompt_ids=prompt_ids):
                self.withdrawn |= dict.fromkeys(prompt_ids)
                self._waiting = {known: one for known, one in self._waiting.items() if known not in prompt_ids}
            case TurnEnded():  # what steers one has joined it by then, unless the session went back to before that
                self._waiting = {one.prompt_id: one for one in self.next}
            case _:
                return

    @property
    def steers(self) -> list[PromptQueued]:
        """Those for the next boundary of the open turn."""
        return [one for one in self._waiting.values() if one.kind == "steer"]

    @property
    def next(self) -> list[PromptQueued]:
        """Those that begin a turn each."""
        return [one for one in self._waiting.values() if one.kind == "next"]

    def may_come_back(self, prompt_ids: Iterable[str], answered: Iterable[str]) -> tuple[str, ...]:
        """Those that are not withdrawn yet. answered: prompts that are part of the conversation."""
        gone = {*self.withdrawn, *answered}
        return tuple(prompt_id for prompt_id in dict.fromkeys(prompt_ids) if prompt_id not in gone)

    def turn_of_first(self, entries: Sequence[Entry]) -> int | None:
        """Where among them the turn begins that a prompt came in that still waits; None where there is no such."""
        place = 0
        for at, entry in enumerate(entries):
            match entry.body:
                case UserMessage(turn_id=turn_id, prompt_id=prompt_id) if turn_id == prompt_id:
                    place = at
                case PromptQueued(prompt_id=prompt_id) if prompt_id in self._waiting:
                    return place
                case _:
                    continue
        return None

    def given_back(self) -> tuple[PromptsWithdrawn, ...]:
        """What was to begin a turn."""
        waiting = tuple(one.prompt_id for one in self.next)
        return (PromptsWithdrawn(prompt_ids=waiting),) if waiting else ()

    def told(self) -> list[QueueIs]:
        """To who subscribes."""
        waiting = tuple(body for one in self._waiting.values() if isinstance(body := light(one), PromptQueued))
        withdrawn = tuple(self.withdrawn)[-MOST_TOLD:]
        return [QueueIs(waiting=waiting, withdrawn=withdrawn)] if waiting or withdrawn else []


def said(prompt: PromptQueued, turn_id: str) -> UserMessage:
    """As part of the conversation."""
    return UserMessage(
        text=prompt.text,
        turn_id=turn_id,
        prompt_id=prompt.prompt_id,
        attachments=prompt.attachments,
        quoted=prompt.quoted,
    )
