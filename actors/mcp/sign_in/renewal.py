"""The token of a server, renewed in time: by one program for all, never twice with one refresh token."""

import httpx2
import msgspec
import trio
from mcp.shared.auth import OAuthToken

from actors.mcp.errors import NotConnected
from actors.mcp.sign_in import addresses
from actors.mcp.sign_in.bounded import DOCUMENT_BYTES, PLAIN, bound
from actors.mcp.sign_in.client import Client
from actors.mcp.sign_in.kept import Kept, Store

EXCHANGE_S = 20.0
FINAL = (400, 401)
"""The service does not take this refresh token any more, or not from us: RFC 6749, 5.2."""


class Renewal:
    """Why not the SDK's: it knows no other programs, and after a start not where to renew."""

    def __init__(self, store: Store, client: Client) -> None:
        self._store = store
        self._client = client

    async def token(self) -> str:
        """The one for the next request; "" for none. Raises NotConnected, OAuthFlowError, OSError."""
        kept = self._store.read()
        return (await self._renewed(kept) if kept.is_due else kept).access

    async def other_than(self, refused: str) -> str:
        """After a 401 for it; "" for none. Raises NotConnected, OAuthFlowError, OSError."""
        kept = self._store.read()
        if kept.access == refused:
            kept = await self._renewed(kept, refused=True)
        return kept.access if kept.access != refused else ""

    async def _renewed(self, stale: Kept, *, refused: bool = False) -> Kept:
        if not _can(stale):
            return stale
        async with self._store.alone():
            kept = self._store.read()
            if kept.tokens != stale.tokens or not _can(kept):
                return kept  # another program was faster
            with trio.CancelScope(shield=True):  # the old one may be used up by now, and somebody has to write the new
                answer = await self._asked(kept)
                if isinstance(answer, OAuthToken):
                    return self._store.write(_successor(kept, answer))
                if answer in FINAL:
                    return self._store.write(_ended(kept))  # nobody shall try it again
        if kept.left_s > 0 and not refused:
            return kept  # it is still good for a while
        why = f"HTTP {answer}" if isinstance(answer, int) else answer
        raise NotConnected(f"its sign-in cannot be renewed just now: {why}")

    async def _asked(self, kept: Kept) -> OAuthToken | int | str:
        """The successor; or the HTTP status, or the reason, why there is none. Raises OAuthFlowError."""
        addresses.check(kept.token_endpoint, kept.url)
        asks = {"grant_type": "refresh_token", "refresh_token": _refresh(kept)}
        fields, headers = await self._client.form({**asks, **({"resource": kept.resource} if kept.resource else {})})
        try:
            with trio.fail_after(EXCHANGE_S):
                async with (
                    httpx2.AsyncClient(headers={"Accept": "application/json", "Accept-Encoding": PLAIN}) as http,
                    http.stream("POST", kept.token_endpoint, data=fields, headers=headers) as response,
                ):
                    bound(response, DOCUMENT_BYTES)
                    if response.status_code != httpx2.codes.OK:
                        return response.status_code
                    return OAuthToken.model_validate_json(await response.aread())
        except (httpx2.HTTPError, OSError, trio.TooSlowError) as error:
            return f"its service cannot be reached: {type(error).__name__}"
        except ValueError:
            return "what its service says is no token"


def _refresh(kept: Kept) -> str:
    return (kept.token.refresh_token or "") if kept.token else ""


def _can(kept: Kept) -> bool:
    return bool(kept.token_endpoint and _refresh(kept))


def _successor(kept: Kept, token: OAuthToken) -> Kept:
    """What it does not say is as it was: RFC 6749, 6."""
    before = kept.token
    scope, refresh = (before.scope, before.refresh_token) if before else (None, None)
    whole = {"scope": token.scope or scope, "refresh_token": token.refresh_token or refresh}
    return kept.with_tokens(token.model_copy(update=whole))


def _ended(kept: Kept) -> Kept:
    token = kept.token
    said = token.model_copy(update={"refresh_token": None}).model_dump_json(exclude_none=True) if token else ""
    return msgspec.structs.replace(kept, tokens=said)
