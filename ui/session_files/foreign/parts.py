"""What a session of another agent is made of, whoever wrote it; and what is counted of it. Data only."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Literal

from actors.messages.conversation import (
    Attachment,
    Block,
    EndReason,
    StopReason,
)
from actors.messages.usage import Usage

NOT_COUNTED = Usage()
Agent = Literal["claude", "codex", "pi"]


@dataclass(frozen=True, kw_only=True)
class Prompt:
    text: str
    attachments: tuple[Attachment, ...] = ()
    own: bool = True
    """Of the user; else the program said it in the user's place."""
    at: float = 0.0
    """Seconds since the epoch, as everywhere here; 0: not known."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    blocks: tuple[Block, ...]
    model: str
    stop: StopReason = "end_turn"
    usage: Usage = NOT_COUNTED
    at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Result:
    call_id: str
    output: str
    failed: bool = False
    attachments: tuple[Attachment, ...] = ()
    at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Stopped:
    """The turn did not come to its end."""

    reason: EndReason
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Summary:
    """From here on that agent sent this in the place of what was before."""

    text: str
    kept_from: str = ""
    """The mark of what it still sent; "" for nothing."""
    asked: bool = False
    tokens_before: int = 0
    at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Note:
    """A record that has no place in a conversation of ours."""

    kind: str
    record: str
    at: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Mark:
    """A place that is spoken of later: where the next part is, or, for `ends`, where the turn ends."""

    name: str
    ends: bool = False


@dataclass(frozen=True, kw_only=True)
class Return:
    """The session went back to a marked end of a turn; what came after that is a branch that was left."""

    name: str


Part = Prompt | Answer | Result | Stopped | Summary | Note | Mark | Return


@dataclass
class Tally:
    """What became of a file."""

    prompts: int = 0
    answers: int = 0
    calls: int = 0
    results: int = 0
    calls_without_result: int = 0
    results_without_call: int = 0
    compactions: int = 0
    branches: int = 0
    branches_left_out: int = 0
    unreadable: int = 0
    """Lines that are torn, no JSON, or too long."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Kept as notes, by type."""
    not_kept: int = 0
    """Notes past the most that a session keeps."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Known, and of no use here: by type."""


@dataclass
class Facts:
    """What a survey finds out about a file."""

    agent: Agent
    source_id: str = ""
    """By which that agent knows the session."""
    cwd: str = ""
    branch: str = ""
    title: str = ""
    model: str = ""
    """PROVIDER/NAME that answered last."""
    speaks: bool = False
    """There is a conversation in it."""
