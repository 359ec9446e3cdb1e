"""What a sign-in gave: TROUPER_HOME/mcp-sign-ins/SERVER.json, for this user alone. It counts for one address."""

import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken

from actors.common.small_files import read_regular, replace_file
from actors.settings.mcp.servers import McpServer

MOST = 256 * 1024
"""Bytes of the file."""


class Kept(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    url: str
    """Of the server."""
    tokens: str = ""
    """JSON, as they came."""
    expires_at: float | None = None
    """In seconds since the epoch; None: not known."""
    client: str = ""
    """JSON: as whom we are registered there, with the issuer that did it."""


class Store:
    """Of one server. The SDK asks it, and tells it what is new."""

    def __init__(self, home: str, server: McpServer, environ: Mapping[str, str]) -> None:
        """server: its variables filled in."""
        self._path = Path(home, "mcp-sign-ins", f"{server.name}.json")
        self._server = server
        self._secret = environ.get(server.oauth.client_secret_env, "") if server.oauth.client_secret_env else ""

    def read(self) -> Kept:
        """A file that cannot be read, or is of another address, has nothing."""
        nothing = Kept(url=self._server.url)
        try:
            kept = msgspec.json.decode(read_regular(self._path, MOST, {os.geteuid()}, follow=False), type=Kept)
        except (OSError, msgspec.DecodeError):
            return nothing
        return kept if kept.url == self._server.url else nothing

    def forget(self) -> bool:
        """There was something."""
        had = bool(self.read().tokens)
        with suppress(FileNotFoundError):
            self._path.unlink()
        return had

    async def get_tokens(self) -> OAuthToken | None:
        tokens = self.read().tokens
        return OAuthToken.model_validate_json(tokens) if tokens else None

    async def set_tokens(self, tokens: OAuthToken) -> None:
        expires_at = time.time() + tokens.expires_in if tokens.expires_in is not None else None
        said = tokens.model_dump_json(exclude_none=True)
        self._write(msgspec.structs.replace(self.read(), tokens=said, expires_at=expires_at))

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        """One that the user has registered counts more."""
        oauth = self._server.oauth
        if oauth.client_id:
            how = "client_secret_basic" if self._secret else "none"  # which every service has to take, RFC 6749 2.3.1
            return OAuthClientInformationFull(
                client_id=oauth.client_id, client_secret=self._secret or None, token_endpoint_auth_method=how
            )
        client = self.read().client
        return OAuthClientInformationFull.model_validate_json(client) if client else None

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        said = client_info.model_dump_json(exclude_none=True)
        self._write(msgspec.structs.replace(self.read(), client=said))

    def forget_tokens(self) -> None:
        """Others are to be got."""
        self._write(msgspec.structs.replace(self.read(), tokens="", expires_at=None))

    def forget_client(self) -> None:
        """It is registered for another address of ours."""
        self._write(msgspec.structs.replace(self.read(), client=""))

    def _write(self, kept: Kept) -> None:
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(self._path, msgspec.json.encode(kept))
