"""Signing in to model services: keys and tokens go in and never come out."""

from typing import Literal, get_args

import msgspec

from actors.messages.base import Message

Program = Literal["opencode", "gh", "copilot"]
"""Others whose sign-ins can be taken over: OpenCode, GitHub CLI, the editors with GitHub Copilot."""
PROGRAMS: tuple[Program, ...] = get_args(Program)


class SetKey(Message, frozen=True, kw_only=True):
    """Keep an API key. Answered by KeyKept."""

    provider: str
    key: str

    def __repr__(self) -> str:
        return f"SetKey(provider={self.provider!r})"


class KeyKept(Message, frozen=True, kw_only=True):
    place: str
    """For the user: the keyring or the file."""
    hidden_by: str = ""
    """The variable whose key is used instead."""


class LogIn(Message, frozen=True, kw_only=True):
    """A stream of LogInStep, then a LoggedIn. Cancelled, nothing is kept."""

    provider: str
    method: Literal["browser", "device"] = "browser"


class LogInStep(Message, frozen=True, kw_only=True):
    """What the user has to do now."""

    text: str
    url: str = ""
    """To be opened in a browser."""
    code: str = ""
    """To be typed there."""


class GiveRedirect(Message, frozen=True, kw_only=True):
    """The address the browser ended at, for a log-in whose browser runs on another machine. Answered by Done."""

    provider: str
    url: str

    def __repr__(self) -> str:
        return f"GiveRedirect(provider={self.provider!r})"


class LoggedIn(Message, frozen=True, kw_only=True):
    account: str = ""
    """As the service names it, for the user."""
    hidden_by: str = ""
    """The variable whose key is used instead."""


class LogOut(Message, frozen=True, kw_only=True):
    """Answered by LoggedOut."""

    provider: str


class LoggedOut(Message, frozen=True, kw_only=True):
    """Nothing is kept of it any more."""

    forgotten: bool
    """There was something."""
    note: str = ""
    """Why the service could not be told."""
    still_in: str = ""
    """The variable that holds a key all the same."""


class FindPrograms(Message, frozen=True, kw_only=True):
    """Which other programs of the user's keep sign-ins here? Nothing of theirs is opened. Answered by Programs."""


class OtherProgram(msgspec.Struct, frozen=True, kw_only=True):
    program: Program
    place: str


class Programs(Message, frozen=True, kw_only=True):
    programs: tuple[OtherProgram, ...]


class TakeOver(Message, frozen=True, kw_only=True):
    """The user wants what this program keeps to be read, and kept here as well. Answered by TakenOver."""

    program: Program


class TakenOver(Message, frozen=True, kw_only=True):
    providers: tuple[str, ...]
    """What is kept here now."""
    left_out: tuple[str, ...] = ()
    """What is not, and why: a sentence each."""
    note: str = ""
    """What the user has to know of using it."""


class ListCredentials(Message, frozen=True, kw_only=True):
    """Answered by Credentials."""


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    provider: str
    kind: Literal["key", "sign-in"]
    place: str
    """Where it is kept: a variable's name, the keyring, a file."""
    also: tuple[str, ...] = ()
    """Where others are that are not used."""
    account: str = ""
    expires_at: float | None = None
    """Seconds since the epoch; None: it does not, or is renewed by itself."""
    doubt: str = ""
    """Why the key is probably not one of this provider's, in words without it; "" for nothing against it."""


class Credentials(Message, frozen=True, kw_only=True):
    credentials: tuple[Credential, ...]
    missing: tuple[str, ...] = ()
    """Providers that want a credential and have none."""
