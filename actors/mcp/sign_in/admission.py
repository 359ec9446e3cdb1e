"""How requests to a server are let in: with the token that is kept, or, while the user is signing in, by the SDK."""

from collections.abc import AsyncGenerator, Callable
from contextlib import suppress

import httpx2
from mcp.client.auth import OAuthClientProvider, OAuthFlowError

from actors.mcp.errors import NotConnected
from actors.mcp.sign_in import addresses
from actors.mcp.sign_in.bounded import DOCUMENT_BYTES, PLAIN, bound, is_compressed
from actors.mcp.sign_in.kept import Store
from actors.mcp.sign_in.renewal import Renewal

CHALLENGE_CHARS = 4096
TOO_LITTLE = "insufficient_scope"
"""Of rights, RFC 6750, 3.1."""
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
                await remember(self._store, response)
                raise OAuthFlowError("its sign-in does not count any more")
            response = yield _signed(request, token)
        if token and wants_more(response):
            await remember(self._store, response)

    async def _signing_in(self, request: httpx2.Request) -> Flow:
        """What a request was refused with before is its answer again: the SDK signs in, and asks for more, only then,
        and a server that lets anybody look would not refuse this one.

        Raises OAuthFlowError.
        """
        challenge, flow = "" if self._replayed else self._store.read().challenge, self._sdk.async_auth_flow(request)
        self._replayed = True
        try:
            outgoing = await anext(flow)
            if challenge:
                outgoing = await flow.asend(_again(challenge, request))
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
            outgoing.headers.setdefault("Accept-Encoding", PLAIN)
        return outgoing


def wants_more(response: httpx2.Response) -> bool:
    """It was refused for want of rights: the next sign-in is for more."""
    said = response.headers.get("www-authenticate", "")
    return response.status_code == httpx2.codes.FORBIDDEN and TOO_LITTLE in said


async def remember(store: Store, response: httpx2.Response) -> None:
    """Of a refused one how it was refused; where that cannot be kept, the next sign-in is like the first."""
    with suppress(NotConnected, OSError):
        await store.change(challenge=response.headers.get("www-authenticate", "Bearer")[:CHALLENGE_CHARS])


def _again(challenge: str, request: httpx2.Request) -> httpx2.Response:
    code = httpx2.codes.FORBIDDEN if TOO_LITTLE in challenge else httpx2.codes.UNAUTHORIZED
    return httpx2.Response(code, headers={"WWW-Authenticate": challenge}, request=request)


def _signed(request: httpx2.Request, token: str) -> httpx2.Request:
    if token:
        request.headers["Authorization"] = f"Bearer {token}"
    return request


def _refuse_or_bound(response: httpx2.Response) -> None:
    """Raises OAuthFlowError: what is compressed could be of any size."""
    if is_compressed(response):
        raise OAuthFlowError("its service answers compressed, which nobody has asked for")
    bound(response, DOCUMENT_BYTES)
