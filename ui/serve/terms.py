"""What a client may say in the arguments of each tool, what it gets, and what the command line hands to the front."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from actors.messages.conversation import EndReason
from actors.messages.tool import Mode

SERVED = "TROUPER_SERVED"
"""Variable with which a server marks all that it starts: none of that may be a server again, for there would be no end.
"""
AT_ONCE = 4
"""Tasks that run."""
WAITING = 16
"""Tasks that wait for one of those to end."""
MOST_PROMPT = 500_000
MOST_FOUND = 50
"""Sessions."""
MOST_READ = 200
"""Messages."""


class ServeFront(msgspec.Struct, frozen=True, kw_only=True):
    """Settings.front of the server."""

    all_folders: bool = False
    """Sessions of every folder may be searched and read."""


class RunTask(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    prompt: Annotated[str, Meta(min_length=1, max_length=MOST_PROMPT, description="The task, in words.")]
    cwd: Annotated[
        str, Meta(description="The folder to work in: the server's own, or one below it. Default: the server's own.")
    ] = ""
    model: Annotated[str, Meta(max_length=200, description="PROVIDER/NAME. Default: the server's.")] = ""
    mode: Annotated[
        Mode | UnsetType,
        Meta(description="What the agent may do unasked, at most as much as the server's mode, which is the default."),
    ] = UNSET
    session_id: Annotated[
        str, Meta(max_length=200, description="Go on with this session, which an earlier result has named.")
    ] = ""
    worktree: Annotated[
        bool,
        Meta(description="Work in a copy of the git repository; the changes come back as a patch, the files stay."),
    ] = False


class SearchWords(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    words: Annotated[
        str, Meta(min_length=1, max_length=1000, description="All of them; the last may be the beginning of a word.")
    ]
    limit: Annotated[int, Meta(ge=1, le=MOST_FOUND, description="At most so many sessions.")] = 10


class ReadMessages(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    session_id: Annotated[str, Meta(min_length=1, max_length=200)]
    last: Annotated[int, Meta(ge=1, le=MOST_READ, description="So many of its last messages.")] = 20


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a task came to."""

    session_id: str
    status: EndReason
    answer: str
    """Cut where it is very long; read_session has more."""
    error: str | None = None
    """Why it is not done, and what would help."""
    cost_usd: float | None = None
    """None: unknown."""
    input_tokens: int = 0
    output_tokens: int = 0
    files_changed: tuple[str, ...] | None = None
    """Relative to the folder; in a shared one others may have changed some of them. None: unknown."""
    patch: str = ""
    """Of a worktree."""
    kept: str = ""
    """The git ref that keeps what the worktree held."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    name: str
    folder: str
    when: str
    """ISO 8601, of the newest excerpt."""
    excerpts: tuple[str, ...]


class FoundSessions(msgspec.Struct, frozen=True, kw_only=True):
    sessions: tuple[Found, ...]


class Said(msgspec.Struct, frozen=True, kw_only=True):
    role: str
    """user, assistant or tool."""
    text: str


class Messages(msgspec.Struct, frozen=True, kw_only=True):
    session_id: str
    messages: tuple[Said, ...]


def schema(of: type[msgspec.Struct]) -> dict[str, Any]:
    """As MCP wants it: an object, without a title of its own."""
    defined: dict[str, Any] = msgspec.json.schema(of)["$defs"]
    own: dict[str, Any] = defined.pop(of.__name__)
    for name in ("title", "description"):
        own.pop(name, None)
    return {**own, "$defs": defined} if defined else own
