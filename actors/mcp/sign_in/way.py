"""The way to be let in by a server: with what is kept, or, while the user is signing in, by their browser."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import httpx2
import trio
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl

from actors.mcp.sign_in.kept import Store
from actors.mcp.sign_in.redirects import HERE, PATH, Redirects, listening
from actors.messages.auth import LogInStep
from actors.settings.mcp.servers import McpServer

SIGN_IN_S = 600.0
"""For a person with a browser."""
WHAT_TO_DO = "Sign in to the MCP server {name} in your browser."
SCOPES = re.compile(r'\bscope="([^"]*)"')
Tell = Callable[[LogInStep], Awaitable[None]]


@dataclass(frozen=True)
class _UnderWay:
    redirects: Redirects
    tell: Tell


class Way:
    """Of one server."""

    def __init__(self, home: str, environ: Mapping[str, str]) -> None:
        self._home = home
        self._environ = environ
        self._under_way: _UnderWay | None = None
        self._more: set[str] = set()
        """Scopes that a request would have needed beside those there were."""

    def note_refusal(self, challenge: str) -> None:
        """challenge: the header WWW-Authenticate of a refused request, RFC 6750."""
        if "insufficient_scope" in challenge and (found := SCOPES.search(challenge)):
            self._more |= set(found[1].split())

    @property
    def is_under_way(self) -> bool:
        return self._under_way is not None

    def store(self, server: McpServer) -> Store:
        """server: its variables filled in."""
        return Store(self._home, server, self._environ)

    def auth(self, server: McpServer) -> httpx2.Auth | None:
        """None: nothing is kept and nobody is signing in, or the configuration has a header for it."""
        if any(name.lower() == "authorization" for name in server.headers):
            return None
        store = self.store(server)
        kept = store.read()
        if not (kept.tokens or self._under_way):
            return None
        address = self._under_way.redirects.address if self._under_way else f"http://{HERE}{PATH}"
        provider = OAuthClientProvider(
            server.url,
            OAuthClientMetadata(
                redirect_uris=[AnyUrl(address)],
                client_name="Trouper",
                scope=" ".join(server.oauth.scopes) or None,
                token_endpoint_auth_method="none",  # noqa: S106  # no password
            ),
            store,
            redirect_handler=self._visit(server),
            callback_handler=self._ended,
            client_metadata_url=server.oauth.client_metadata_url or None,
        )
        provider.context.token_expiry_time = kept.expires_at
        return provider

    def _visit(self, server: McpServer) -> Callable[[str], Awaitable[None]]:
        async def visit(url: str) -> None:
            if self._under_way is None:
                wants_more = "it wants more rights than were given at the sign-in"
                raise OAuthFlowError(wants_more if self._more else "its sign-in does not count any more")
            if urlsplit(url).scheme not in ("https", "http"):
                raise OAuthFlowError("the address to sign in at is none of the web")
            await self._under_way.tell(
                LogInStep(text=WHAT_TO_DO.format(name=server.name), url=widened(url, self._more))
            )

        return visit

    async def _ended(self) -> AuthorizationCodeResult:
        if self._under_way is None:
            raise OAuthFlowError("nobody is signing in")
        return await self._under_way.redirects.result()

    def give(self, url: str) -> bool:
        """Where the browser ended, on another machine. False: it is no such address, or nobody is signing in."""
        return self._under_way is not None and self._under_way.redirects.put(url)

    @asynccontextmanager
    async def signing_in(self, server: McpServer, tell: Tell) -> AsyncIterator[None]:
        """While the user does. server: its variables filled in. Raises OSError: no browser could come back."""
        store = self.store(server)
        info = await store.get_client_info()
        registered = [str(uri) for uri in info.redirect_uris or ()] if info is not None else []
        known = (urlsplit(address).port or 0 for address in registered)
        ports = (server.oauth.redirect_port,) if server.oauth.redirect_port else (*known, 0)
        async with listening(ports) as redirects:
            if registered and redirects.address not in registered:
                store.forget_client()
            if self._more:
                store.forget_tokens()
            self._under_way = _UnderWay(redirects, tell)
            try:
                with trio.move_on_after(SIGN_IN_S):
                    yield
            finally:
                self._under_way = None
                if store.read().tokens:
                    self._more.clear()


def widened(url: str, scopes: set[str]) -> str:
    """The address to sign in at, asking for these, too: the SDK asks for more only in the request that was refused."""
    if not scopes:
        return url
    parts = urlsplit(url)
    query = dict(parse_qsl(parts.query))
    query["scope"] = " ".join(dict.fromkeys([*query.get("scope", "").split(), *sorted(scopes)]))
    return urlunsplit(parts._replace(query=urlencode(query)))
