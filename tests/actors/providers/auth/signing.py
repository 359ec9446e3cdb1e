"""The parts of signing in, put together against a server on loopback."""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import msgspec
import trio

from actors.messages.auth import LogInStep
from actors.providers.auth.endpoint_credentials import SignIns
from actors.providers.auth.vault import Entry, SignedIn, Vault
from actors.providers.auth.ways.codex import Codex
from actors.providers.auth.ways.redirect_addresses import Redirects
from actors.providers.auth.ways.token_requests import Web
from actors.providers.auth.ways.way import Method, Talk, TokenWay, Way
from actors.providers.endpoint import Endpoint
from tests.fakes.sign_in_server import ACCOUNT, SignInServer

SOON_S = 60.0
"""So long a token is still good that is about to be renewed."""
CODEX = Endpoint(provider="codex", api="openai-responses", base_url="https://codex.example", sign_in="codex")


@asynccontextmanager
async def open_web() -> AsyncIterator[Web]:
    web = Web()
    try:
        yield web
    finally:
        await web.aclose()


@dataclass
class Screen:
    """Sees what the user is told; acts as they would."""

    act: Callable[[LogInStep], None] = lambda _step: None
    steps: list[LogInStep] = field(default_factory=list)
    redirects: Redirects = field(default_factory=Redirects)

    async def show(self, step: LogInStep) -> None:
        self.steps.append(step)
        self.act(step)

    async def log_in(self, way: Way, method: Method = "browser") -> Entry:
        return await way.log_in(method, Talk(self.show, self.redirects))


def keep(vault: Vault, server: SignInServer, *, left_s: float = SOON_S, refresh: str = "") -> SignedIn:
    """A sign-in that the server knows."""
    tokens = server.tokens()
    entry = SignedIn(
        access=tokens["access_token"],
        refresh=refresh or tokens["refresh_token"],
        expires_at=time.time() + left_s,
        issuer=server.url,
        account_id=ACCOUNT,
    )
    put(vault, "codex", entry)
    return entry


def put(vault: Vault, provider: str, entry: Entry) -> None:
    vault.write({**vault.read(), provider: msgspec.to_builtins(entry)})


@asynccontextmanager
async def open_sign_ins(vault: Vault, server: SignInServer, **ways: TokenWay) -> AsyncIterator[SignIns]:
    async with open_web() as web, trio.open_nursery() as nursery:
        known: dict[str, TokenWay] = {"codex": Codex(server.url, web, ports=(0,)), **ways}
        yield SignIns(vault, known.get, nursery)
        nursery.cancel_scope.cancel()
