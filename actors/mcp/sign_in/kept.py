"""What a sign-in gave: TROUPER_HOME/mcp-sign-ins/SERVER.json, for this user alone. It counts for one address.

Whoever changes it holds the lock beside it: refresh tokens are good once, and a second use can end a sign-in.
"""

import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import msgspec
import trio
from mcp.shared.auth import OAuthToken

from actors.common import locks
from actors.common.small_files import read_regular, replace_file
from actors.mcp.errors import NotConnected
from actors.settings.mcp.servers import McpServer

MOST = 256 * 1024
"""Bytes of the file."""
MARGIN_S = 60.0
"""A token with less left is renewed before it is used, or with less than a quarter of its life."""
LOCK_AGAIN_S = 0.02
LOCK_S = 60.0
"""Who holds the lock may be renewing a token over a slow connection."""


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    url: str
    """Of the server."""
    own_client: str = ""
    """As which client of the user's own; "" for one that was registered."""
    issuer: str = ""
    """The service that gave the tokens."""
    token_endpoint: str = ""
    """Where it renews them."""
    resource: str = ""
    """What it was told that they are for, RFC 8707; "" for nothing."""
    tokens: str = ""
    """JSON, as they came."""
    expires_at: float | None = None
    """In seconds since the epoch; None: not known."""
    client: str = ""
    """JSON: as whom we are registered there, with the issuer that did it."""
    challenge: str = ""
    """With which a request was refused, so that the next sign-in is for it: its header WWW-Authenticate, RFC 6750."""

    def __repr__(self) -> str:
        return f"Kept(url={self.url!r}, issuer={self.issuer!r})"

    @property
    def token(self) -> OAuthToken | None:
        return OAuthToken.model_validate_json(self.tokens) if self.tokens else None

    @property
    def access(self) -> str:
        """ "" for none."""
        return self.token.access_token if self.token else ""

    @property
    def left_s(self) -> float:
        return float("inf") if self.expires_at is None else self.expires_at - time.time()

    @property
    def is_due(self) -> bool:
        life_s = self.token.expires_in if self.token else None
        return self.left_s < (MARGIN_S if life_s is None else min(MARGIN_S, life_s / 4))

    def with_tokens(self, tokens: OAuthToken) -> "Kept":
        """New ones."""
        expires_at = time.time() + tokens.expires_in if tokens.expires_in is not None else None
        return msgspec.structs.replace(self, tokens=tokens.model_dump_json(exclude_none=True), expires_at=expires_at)


class Store:
    """Of one server."""

    def __init__(self, home: str, server: McpServer) -> None:
        """server: its variables filled in."""
        self._path = Path(home, "mcp-sign-ins", f"{server.name}.json")
        self._nothing = Kept(url=server.url, own_client=server.oauth.client_id or server.oauth.client_metadata_url)

    def read(self) -> Kept:
        """As it is on disk now. A file that cannot be read, or is of another address or client, has nothing."""
        try:
            kept = msgspec.json.decode(read_regular(self._path, MOST, {os.geteuid()}, follow=False), type=Kept)
            _ = kept.token
        except (OSError, ValueError):  # msgspec's and pydantic's are such
            return self._nothing
        return kept if (kept.url, kept.own_client) == (self._nothing.url, self._nothing.own_client) else self._nothing

    @asynccontextmanager
    async def alone(self) -> AsyncIterator[None]:
        """No other task and no other program here changes it. Raises NotConnected, OSError."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path = self._path.with_suffix(".lock")
        descriptor = await _taken(path)
        try:
            yield
        finally:
            locks.release(path, descriptor)

    def write(self, kept: Kept) -> Kept:
        """Only alone. Raises OSError."""
        replace_file(self._path, msgspec.json.encode(kept))
        return kept

    async def change(self, **fields: str | float | None) -> None:
        """Raises NotConnected, OSError."""
        async with self.alone():
            self.write(msgspec.structs.replace(self.read(), **fields))

    async def forget(self) -> bool:
        """There was something. Raises NotConnected, OSError."""
        async with self.alone():
            had = bool(self.read().tokens)
            with suppress(FileNotFoundError):
                self._path.unlink()
        return had


async def _taken(path: Path) -> int:
    """Asked for again and again: a thread that waits could not be cancelled. Raises NotConnected, OSError."""
    with trio.move_on_after(LOCK_S):
        while True:
            try:
                return locks.take(path)
            except BlockingIOError:
                await trio.sleep(LOCK_AGAIN_S)
    raise NotConnected(f"another trouper has held its sign-in for {LOCK_S:g} s")
