"""A line of the file of results, as it is read: by the batch itself, and by those who report on it."""

import msgspec

from actors.messages.usage import Usage


class Check(msgspec.Struct, frozen=True, kw_only=True):
    """How the command ended that had to pass."""

    command: str
    exit_code: int | None
    """None: it took too long and was ended."""
    output: str
    """The end of it."""


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """One task; lines of older versions have less."""

    id: str
    reason: str
    """An EndReason."""
    session: str = ""
    answer: str = ""
    error: str | None = None
    model: str = ""
    turns: int = 0
    tool_calls: int = 0
    usage: Usage | None = None
    """None: nobody has counted it."""
    ms: int = 0
    attempts: int = 1
    patch: str = ""
    """Text, or the path of its file."""
    base: str = ""
    """The commit that the patch is against; "" where the task worked in the folder itself."""
    kept: str = ""
    """A ref of the repository that has what the worktree held, when that was removed."""
    setup: Check | None = None
    check: Check | None = None
    tags: tuple[str, ...] = ()
