"""What who subscribes is told first: which session it is, where it stands, and which of its entries."""

from collections.abc import Iterable, Sequence

from actors.agent.session.history import History
from actors.agent.session.model_choice import choice
from actors.agent.session.queue import Queue
from actors.common.attachments import light_entry
from actors.common.budget import Billed, used_by
from actors.mailbox import Mailbox
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    Entry,
    Instructed,
    UserMessage,
)
from actors.messages.store import FindSession, Sessions
from actors.messages.tool import Tools
from actors.messages.turn import EntryAdded, QueueIs, SessionInfo, Subscribe
from actors.messages.usage import NOTHING_USED, Usage
from actors.settings.config import Settings

MOST = 60
"""Entries of the end of a path: a few screens."""


def place(saved: Sequence[Entry], wanted: Subscribe) -> int:
    """Of the first entry that is told."""
    if known := after(saved, wanted.after):
        return known
    if wanted.prompt_id:
        prompts = (n for n in reversed(range(len(saved))) if _is_prompt(saved[n], wanted.prompt_id))
        return next(prompts, len(saved))
    return max(0, len(saved) - MOST) if wanted.only_end else 0


def after(saved: Sequence[Entry], entry_id: str) -> int:
    """The place after it; 0 where it is not there."""
    return next((place for place, entry in enumerate(saved, 1) if entry.id == entry_id), 0)


def _is_prompt(entry: Entry, prompt_id: str) -> bool:
    return isinstance(entry.body, UserMessage) and entry.body.prompt_id == prompt_id


def additions(entries: Sequence[Entry]) -> list[EntryAdded]:
    return [EntryAdded(entry=light_entry(entry)) for entry in entries if is_watched(entry)]


def queue(saved: Iterable[Entry]) -> list[QueueIs]:
    """What is not on disk yet is told when it is."""
    known = Queue()
    for entry in saved:
        known.note(entry.body)
    return known.told()


def is_watched(entry: Entry) -> bool:
    """What the prompt is made of is long, and nobody shows it; what changes in it is told by a note."""
    return not isinstance(entry.body, Instructed)


def session_info(history: History, offered: Tools, settings: Settings, *, busy: bool) -> SessionInfo:
    chosen = choice(history, settings)
    return SessionInfo(
        session_id=history.session_id,
        model=chosen.model,
        effort=chosen.effort,
        cwd=settings.cwd,
        mode=offered.mode,
        sandbox=offered.sandbox,
        unrestricted=settings.unrestricted,
        busy=busy,
        has_spoken=busy and _has_spoken(history.open_turn),
    )


def _has_spoken(turn: Sequence[Body]) -> bool:
    latest = next((body for body in reversed(turn) if isinstance(body, AssistantMessage | UserMessage)), None)
    return isinstance(latest, AssistantMessage) and not latest.calls


def used(bodies: Iterable[Body]) -> tuple[Usage, Usage]:
    """Of all that was billed, and of the latest answer."""
    bodies = list(bodies)
    billed = [body for body in bodies if isinstance(body, Billed)]
    answers = (body.usage for body in reversed(billed) if isinstance(body, AssistantMessage))
    latest = next((usage for usage in answers if usage.is_reported), NOTHING_USED)
    return sum(map(used_by, bodies), NOTHING_USED), latest


async def stored(mailbox: Mailbox, session_id: str) -> int:
    """Entries that the session has, on all its paths. Raises Failed."""
    (found,) = (await mailbox.insist("store", FindSession(said=session_id), Sessions)).sessions
    return found.entries


def untold(stored: int, end: Sequence[Entry]) -> int:
    """How many of them are not among these, the end of a path; 0 where that begins with them."""
    return max(0, stored - len(end)) if end and end[0].parent else 0
