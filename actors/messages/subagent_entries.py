"""What an agent writes down of its subagents, as entries of its session."""

from typing import Literal

from actors.messages.base import Message
from actors.messages.usage import NOTHING_USED, Usage


class SubagentSpawned(Message, frozen=True, kw_only=True):
    """The model has asked for a subagent; written before anything is done for it."""

    name: str
    session_id: str
    """Its own: the session's, a dot, and a number."""
    call_id: str
    """Of the call that asked: asked again, it is this one."""
    kind: str
    """Such as explore: which of the definitions it is."""
    prompt: str
    background: bool = False
    depends_on: tuple[str, ...] = ()
    """Names of others: it starts with what they have found."""
    worktree: bool = False
    """It writes, in a copy of its own."""
    budget_usd: float | None = None
    budget_tokens: int | None = None
    model: str = ""
    """PROVIDER/NAME, "" for the one the providers choose; its parent's, where its kind has none."""
    effort: str = ""
    run_id: str = ""
    """The start of the program it was asked for in: what a later one finds unfinished, outside a turn, has ended."""


class SubagentPrompted(Message, frozen=True, kw_only=True):
    """Something more was said to it; one that had ended goes on."""

    name: str
    prompt_id: str
    text: str
    run_id: str = ""
    """As of SubagentSpawned."""


class SubagentEnded(Message, frozen=True, kw_only=True):
    name: str
    state: Literal["completed", "failed", "cancelled"]
    summary: str
    """Its answer, or why it has none."""
    used: Usage = NOTHING_USED
    """Since it ended before, if it had: the sum of all of these is what it has used."""
    patch_files: tuple[str, ...] = ()
    """That it has changed, in its worktree."""
    begun: bool = True
    """Its prompt has reached it; else whoever goes on with it sends that first."""


class SubagentMerged(Message, frozen=True, kw_only=True):
    """What it had changed is in the workspace."""

    name: str
    files: tuple[str, ...]


SubagentEntry = SubagentSpawned | SubagentPrompted | SubagentEnded | SubagentMerged
