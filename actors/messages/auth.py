"""Signing in to model services: keys and tokens go in and never come out."""

from typing import Literal

import msgspec

from actors.messages.base import Message


class SetKey(Message, frozen=True, kw_only=True):
    """Keep an API key. Answered by KeyKept."""

    provider: str
    key: str

    def __repr__(self) -> str:
        return f"SetKey(provider={self.provider!r})"


class KeyKept(Message, frozen=True, kw_only=True):
    place: str
    """For the user: the keyring or the file."""


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


class LogOut(Message, frozen=True, kw_only=True):
    """Answered by Done, also when there was nothing to forget."""

    provider: str


class ListCredentials(Message, frozen=True, kw_only=True):
    """Answered by Credentials."""


class Credential(msgspec.Struct, frozen=True, kw_only=True):
    provider: str
    kind: Literal["key", "sign-in"]
    place: str
    """Where it is kept: a variable's name, the keyring, a file."""
    account: str = ""
    expires_at: float | None = None
    """Seconds since the epoch; None: does not, or is renewed by itself."""


class Credentials(Message, frozen=True, kw_only=True):
    credentials: tuple[Credential, ...]
    missing: tuple[str, ...] = ()
    """Providers that want a credential and have none."""
