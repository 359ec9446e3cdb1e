"""Between actors and the supervisor, the one address that is not an actor: `supervisor`.

And how the machine they run on is tried: what a command aims at in the sandbox, and what it got through to.
"""

from typing import Literal

import msgspec

from actors.messages.base import Message, ProblemCode
from actors.messages.tool import SandboxLevel


class Exit(Message, frozen=True, kw_only=True):
    """The ui is finished: end the session in order and leave with this code."""

    code: int


class Suspend(Message, frozen=True, kw_only=True):
    """The ui has given the terminal back: stop the whole job until the shell goes on with it. Answered by Done then.

    At once where there is no job control.
    """


class TerminalLent(Message, frozen=True, kw_only=True):
    """Of the ui: another program has the terminal, as part of our job. An interrupt is for that one meanwhile."""

    lent: bool


class Signalled(Message, frozen=True, kw_only=True):
    """Told to the ui: the process got SIGINT, SIGTERM or SIGHUP. A second one ends the session without asking."""

    name: str


class ActorRestarted(Message, frozen=True, kw_only=True):
    """Told to the ui."""

    name: str
    why: str
    restarts: int


class ActorGivenUp(Message, frozen=True, kw_only=True):
    """Told to the ui: it died too often and stays down. When the session cannot go on without it, it ends."""

    name: str
    why: str


class StartActor(Message, frozen=True, kw_only=True):
    """Start an actor from the template of its name's first part: `agent:t1` from `agent:*`. Answered by Done.

    One that runs already with the same settings is left as it is, so that a front that was restarted may ask again.
    """

    name: str
    settings: msgspec.Raw = msgspec.Raw(b"\xc0")
    """Settings, encoded; the supervisor does not read them. Nil: those of the session, as its spec says it may have."""


class StopActor(Message, frozen=True, kw_only=True):
    """Answered by Done when it is gone."""

    name: str


class RequestFailed(Message, frozen=True, kw_only=True):
    """Told by the providers for the log: one try of a question to a model service."""

    model: str
    code: ProblemCode
    status: int
    """HTTP's; 0: there was none."""
    request_id: str
    """What the service calls the request; "" where it did not say."""


class DescribeTree(Message, frozen=True, kw_only=True):
    """Answered by Tree."""


class ActorState(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    pid: int
    state: str
    """starting, running, restarting, stopped or failed."""
    started_at: float
    messages: int
    """Handed to it since the session began."""
    queue: int
    """Requests it has not answered yet."""
    restarts: int
    last_error: str = ""
    waits_for: tuple[str, ...] = ()
    """Who serves what it has asked and has no answer to yet."""


class Tree(Message, frozen=True, kw_only=True):
    pid: int
    """Of the supervisor."""
    session_id: str
    cwd: str
    started_at: float
    actors: tuple[ActorState, ...]


class TrySandbox(Message, frozen=True, kw_only=True):
    """Asked of the gate by the ui, and of its worker by the gate: does each protection hold? A command tries them.

    What it aims at is there: who asks has made it, or can reach it. Answered by SandboxTried.
    """

    mark: str
    """Name of the empty files it makes where it can. Who asks looks for them, and removes them."""
    outside: tuple[str, ...]
    """Folders in which no command makes a file. Absolute, as all below."""
    protected: tuple[str, ...]
    """The same, of the workspace."""
    changed: tuple[str, ...]
    """Files that no command opens to write."""
    secrets: tuple[str, ...]
    """Files that no command reads, folders that none lists; there is something in each."""
    port: int
    """Of 127.0.0.1, where who asks listens."""
    sockets: tuple[str, ...]
    """Unix sockets where it listens, too; one that begins with "@" is abstract."""
    process: str
    """One outside, as of actors.common.folders.lives."""


Protection = Literal["workspace", "files", "git", "secrets", "network", "sockets", "processes", "keys", "privileges"]


class Tried(msgspec.Struct, frozen=True, kw_only=True):
    protection: Protection
    through: tuple[str, ...] = ()
    """What the command got through to; of `workspace` what it could not do and should have."""


class SandboxTried(Message, frozen=True, kw_only=True):
    level: SandboxLevel
    detail: str
    """As of Tools."""
    tries: tuple[Tried, ...] = ()
    """None where there is no sandbox to try."""
    why_not: str = ""
    """Why nothing could be tried where there is one."""
