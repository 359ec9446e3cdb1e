"""What a way to sign in is, and how it speaks with the user meanwhile."""

from collections.abc import Awaitable, Callable
from typing import Literal, Protocol, runtime_checkable

import msgspec

from actors.messages.auth import LogInStep
from actors.providers.auth.vault import Entry, SignedIn
from actors.providers.auth.ways.redirect_addresses import Redirects
from actors.providers.endpoint import Endpoint

Method = Literal["browser", "device"]


class Talk(msgspec.Struct, frozen=True):
    """With the user, during one log-in."""

    show: Callable[[LogInStep], Awaitable[None]]
    redirects: Redirects
    """The addresses that a browser ends at."""


class Way(Protocol):
    """One service's way to sign in."""

    async def log_in(self, method: Method, talk: Talk) -> Entry:
        """Until the user has done their part. Raises Failed."""


@runtime_checkable
class TokenWay(Way, Protocol):
    """One that ends in tokens."""

    @property
    def issuer(self) -> str:
        """The origin that gives them."""

    async def renew(self, entry: SignedIn) -> SignedIn:
        """Raises Failed: no_credentials when only signing in again helps, else it may work later."""

    def applied(self, endpoint: Endpoint, entry: SignedIn) -> Endpoint:
        """With the token, and what else the service wants."""

    async def revoke(self, entry: SignedIn) -> None:
        """Tell the service, where that is possible. Raises Failed."""
