"""How requests to a server are let in: with the token that is kept, or, while the user is signing in, by the SDK."""

from collections.abc import AsyncGenerator, Callable

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError

from actors.mcp.sign_in import addresses
from actors.mcp.sign_in.bounded import DOCUMENT_BYTES, bound
from actors.mcp.sign_in.kept import Store
from actors.mcp.sign_in.renewal import Renewal

CHALLENGE_CHARS = 4096
Flow = AsyncGenerator[httpx2.Request, httpx2.Response]


class Admission(httpx2.Auth):
    """Of one connection. The SDK's flow is entered only while the user signs in: it holds a lock while each request is
    answered, so that a long call would hold up all others, and it looks for services and registers by itself.
    """

    def __init__(
        self, sdk: OAuthClientProvider, store: Store, renewal: Renewal, is_under_way: Callable[[], bool]
    ) -> None:
        self._sdk = sdk
        self._store = store
        self._renewal = renewal
        self._is_under_way = is_under_way
        self._replayed = False

    async def async_auth_flow(self, request: httpx2.Request) -> Flow:
        flow = self._signing_in(request) if self._is_under_way() else self._let_in(request)
        try:
            outgoing = await anext(flow)
            while True:
                response = yield outgoing
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()

    async def _let_in(self, request: httpx2.Request) -> Flow:
        """Raises OAuthFlowError, NotConnected, OSError."""
        token = await self._renewal.token()
        response = yield _signed(request, token)
        if response.status_code == httpx2.codes.UNAUTHORIZED and token:
            token = await self._renewal.other_than(token)
            if not token:
                raise OAuthFlowError("its sign-in does not count any more")
            response = yield _signed(request, token)
        if token and wants_more(response):
            await self._store.change(challenge=response.headers["www-authenticate"][:CHALLENGE_CHARS])

    async def _signing_in(self, request: httpx2.Request) -> Flow:
        """A request that was refused for want of rights is refused again: the SDK asks for more only then.

        Raises OAuthFlowError.
        """
        challenge, flow = "" if self._replayed else self._store.read().challenge, self._sdk.async_auth_flow(request)
        self._replayed = True
        try:
            outgoing = await anext(flow)
            if challenge:
                told = {"WWW-Authenticate": challenge}
                outgoing = await flow.asend(httpx2.Response(httpx2.codes.FORBIDDEN, headers=told, request=request))
            while True:
                response = yield self._checked(outgoing, request)
                if outgoing is not request:
                    _refuse_or_bound(response)
                outgoing = await flow.asend(response)
        except StopAsyncIteration:
            return
        finally:
            await flow.aclose()

    def _checked(self, outgoing: httpx2.Request, request: httpx2.Request) -> httpx2.Request:
        if outgoing is not request:
            addresses.check(str(outgoing.url), str(request.url))
        return outgoing


def wants_more(response: httpx2.Response) -> bool:
    """It was refused for want of rights, RFC 6750, 3.1: the next sign-in is for more."""
    said = response.headers.get("www-authenticate", "")
    return response.status_code == httpx2.codes.FORBIDDEN and "insufficient_scope" in said


def _signed(request: httpx2.Request, token: str) -> httpx2.Request:
    if token:
        request.headers["Authorization"] = f"Bearer {token}"
    return request


def _refuse_or_bound(response: httpx2.Response) -> None:
    """Raises OAuthFlowError: nobody has asked for it compressed, and so it could be any size."""
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise OAuthFlowError("its service answers compressed, which nobody has asked for")
    bound(response, DOCUMENT_BYTES)
