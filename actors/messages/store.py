"""The session store: append, load, list; and small settings that must survive the death of who set them."""

import msgspec

from actors.messages.base import Message
from actors.messages.conversation import Entry


class OpenSession(Message, frozen=True, kw_only=True):
    """A stream of the session's entries, then SessionOpened; the session is held for this process tree.

    Attachments have their data as far as a request could take it, the newest first.
    """

    session_id: str
    """To resume: an id or the beginning of one, or "" for the latest of the folder."""
    cwd: str
    model: str = ""
    resume: bool = False
    """It must exist; else it is made."""
    copy_id: str = ""
    """Resumed under this id, as a copy that has all its turns that have ended; the session itself is not held."""


class SessionOpened(Message, frozen=True, kw_only=True):
    """A stream's reply; its items were the session's entries, oldest first."""

    session_id: str
    cwd: str
    entries: int


class Append(Message, frozen=True, kw_only=True):
    """Answered by Done when it is on disk. Appending an id that is there already changes nothing."""

    entries: tuple[Entry, ...]


class CostOf(Message, frozen=True, kw_only=True):
    """What the sessions whose ids begin so have cost by now. Answered by Cost."""

    beginning: str


class Cost(Message, frozen=True, kw_only=True):
    cost_usd: float | None
    """None: a part of it is unknown."""


class ListSessions(Message, frozen=True, kw_only=True):
    cwd: str = ""
    """Only those of this folder; "" for all."""
    limit: int = 50


class SessionSummary(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    cwd: str
    model: str
    title: str
    """The first prompt, shortened."""
    created_at: float
    updated_at: float
    entries: int


class Sessions(Message, frozen=True, kw_only=True):
    sessions: tuple[SessionSummary, ...]


class ReadSession(Message, frozen=True, kw_only=True):
    """A stream of entries, without the data of attachments and without holding it; the reply is SessionOpened."""

    session_id: str


class Remember(Message, frozen=True, kw_only=True):
    key: str
    value: str


class Recall(Message, frozen=True, kw_only=True):
    key: str


class Recalled(Message, frozen=True, kw_only=True):
    value: str | None
