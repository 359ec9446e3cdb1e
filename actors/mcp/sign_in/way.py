"""The way to be let in by a server: with what is kept, or, while the user is signing in, by their browser."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit, urlunsplit

import httpx2
import trio
from mcp.client.auth import OAuthClientProvider, OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientMetadata
from pydantic import AnyUrl

from actors.mcp.sign_in import addresses
from actors.mcp.sign_in.admission import Admission
from actors.mcp.sign_in.client import Client
from actors.mcp.sign_in.kept import Store
from actors.mcp.sign_in.redirects import HERE, PATH, Redirects, listening
from actors.mcp.sign_in.renewal import Renewal
from actors.messages.auth import LogInStep
from actors.settings.mcp.servers import McpServer

SIGN_IN_S = 600.0
"""For a person with a browser."""
WHAT_TO_DO = "Sign in to the MCP server {name} in your browser."
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

    @property
    def is_under_way(self) -> bool:
        return self._under_way is not None

    def is_unknown(self, response: httpx2.Response) -> bool:
        """It was asked without any sign-in."""
        return self._under_way is None and "authorization" not in response.request.headers

    def store(self, server: McpServer) -> Store:
        """server: its variables filled in."""
        return Store(self._home, server)

    def tokens(self, server: McpServer) -> str:
        """What is kept for it now, as a text to compare; "" for nothing."""
        return self.store(server).read().tokens

    def auth(self, server: McpServer) -> httpx2.Auth | None:
        """None: the configuration has a header for it."""
        if any(name.lower() == "authorization" for name in server.headers):
            return None
        store = self.store(server)
        client = Client(store, server.oauth, self._environ)
        sdk = self._sdk(server, client)
        client.context = sdk.context
        return Admission(sdk, store, Renewal(store, client), lambda: self.is_under_way)

    def _sdk(self, server: McpServer, client: Client) -> OAuthClientProvider:
        address = self._under_way.redirects.address if self._under_way else f"http://{HERE}{PATH}"
        return OAuthClientProvider(
            server.url,
            OAuthClientMetadata(
                redirect_uris=[AnyUrl(address)],
                client_name="Trouper",
                scope=" ".join(server.oauth.scopes) or None,
                token_endpoint_auth_method="none",  # noqa: S106  # no password
            ),
            client,
            redirect_handler=self._visit(server, client),
            callback_handler=self._ended,
            client_metadata_url=server.oauth.client_metadata_url or None,
        )

    def _visit(self, server: McpServer, client: Client) -> Callable[[str], Awaitable[None]]:
        async def visit(url: str) -> None:
            if self._under_way is None:
                raise OAuthFlowError("nobody is signing in")
            addresses.check(url, server.url)
            client.check_pkce()
            self._under_way.redirects.expect(parse_qs(urlsplit(url).query)["state"][0])
            meant = url if self.store(server).read().challenge else with_scopes(url, server.oauth.scopes)
            await self._under_way.tell(LogInStep(text=WHAT_TO_DO.format(name=server.name), url=meant))

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
        info = await Client(store, server.oauth, self._environ).get_client_info()
        registered = [str(uri) for uri in info.redirect_uris or ()] if info is not None else []
        known = (urlsplit(address).port or 0 for address in registered)
        ports = (server.oauth.redirect_port,) if server.oauth.redirect_port else (*known, 0)
        async with listening(ports) as redirects:
            if registered and redirects.address not in registered:
                await store.change(client="")
            self._under_way = _UnderWay(redirects, tell)
            try:
                with trio.move_on_after(SIGN_IN_S):
                    yield
            finally:
                self._under_way = None


def with_scopes(url: str, scopes: tuple[str, ...]) -> str:
    """The address to sign in at, asking for just these where there are any: the SDK asks for those that it was told."""
    if not scopes:
        return url
    parts = urlsplit(url)
    query = {**dict(parse_qsl(parts.query)), "scope": " ".join(scopes)}
    return urlunsplit(parts._replace(query=urlencode(query)))
