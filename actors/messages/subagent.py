"""Subagents: what is asked of an agent about those it has started, what is told of them and what is written down."""

from typing import Literal

import msgspec

from actors.messages.base import Message
from actors.messages.usage import NOTHING_USED, Usage

State = Literal["blocked", "pending", "running", "completed", "failed", "cancelled"]
"""blocked: waits for others; pending: for room; the last three are ends, and from each it can be gone on."""
Isolation = Literal["none", "worktree"]
"""none: it looks at the files of its parent, and changes nothing; worktree: it writes in a copy of its own."""


class SubagentIs(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How one stands now."""

    name: str
    """The model's name for it, unique in its parent's session."""
    kind: str
    """Such as explore: which of the definitions it is."""
    session_id: str
    agent: str = ""
    """The actor's name while it has one, to subscribe to."""
    state: State
    background: bool = False
    isolation: Isolation = "none"
    doing: str = ""
    """In a few words, such as the tool that runs; "" where nothing is known."""
    used: Usage = NOTHING_USED
    started_at: float = 0.0
    """Seconds since the epoch; 0: it has not."""
    last_event_at: float = 0.0
    """When it last did or said anything."""
    summary: str = ""
    """Of its end: its answer, or why it failed."""
    patch_files: int = 0
    """Files that its patch changes and that are not merged yet."""


class SubagentsAre(Message, frozen=True, kw_only=True):
    """Told to who watches the parent, at most some times a second: all of them, in the order they were spawned."""

    subagents: tuple[SubagentIs, ...]


class SteerSubagent(Message, frozen=True, kw_only=True):
    """Asked of the parent: say this to one of its subagents. Answered by Done once it is on disk.

    One that has ended goes on with it. Fails with bad_request where there is none of that name.
    """

    name: str
    prompt_id: str
    text: str


class CancelSubagent(Message, frozen=True, kw_only=True):
    """Asked of the parent. Answered by SubagentEnded, the way it ended, once all of it is gone."""

    name: str


class ShowChanges(Message, frozen=True, kw_only=True):
    """Asked of the parent: what one has changed and is not merged. Answered by Patch."""

    name: str


class MergeSubagent(Message, frozen=True, kw_only=True):
    """Asked of the parent: bring what it has changed into the workspace. Answered by WorktreeMerged."""

    name: str
    seen: str = ""
    """As of MergeWorktree: of what the user has seen."""


class Confine(Message, frozen=True, kw_only=True):
    """Asked of the gate before a subagent is started: what it may. Kept on disk; without, it may nothing.

    Answered by Done.
    """

    agent: str
    session_id: str
    parent: str
    """Agent; where its mode only lets it look, so does this one's."""
    read_only: bool = True
    tools: tuple[str, ...] = ()
    """Only these of what it may otherwise; (): all. Those of MCP servers are server:tool, either a pattern, and one
    with a - before it is taken out."""
    name: str = ""
    """The model's name for it, for who is asked whether it may do something."""


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
