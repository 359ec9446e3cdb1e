"""From an endpoint that needs a credential to one that has it: kept keys, tokens that are renewed in time."""

import time
from collections.abc import Callable

import msgspec
import trio
from msgspec.structs import replace

from actors.errors import Failed, failed
from actors.providers.auth import os_keyring
from actors.providers.auth.vault import Change, SignedIn, Vault
from actors.providers.auth.ways.way import TokenWay
from actors.providers.endpoint import Endpoint

MARGIN_S = 300.0
"""A token with less left is renewed before it is used."""


class _Renewal(msgspec.Struct):
    """One that is under way; whoever needs it waits for it."""

    ended: trio.Event = msgspec.field(default_factory=trio.Event)
    failure: Failed | None = None


class SignIns:
    def __init__(self, vault: Vault, ways: Callable[[str], TokenWay | None], nursery: trio.Nursery) -> None:
        """A renewal that has begun goes on in `nursery`, whoever stops waiting: its old token may be used up."""
        self._vault = vault
        self._ways = ways
        self._nursery = nursery
        self._renewals: dict[str, _Renewal] = {}
        self._keys: dict[str, str] = {}

    async def signed(self, endpoint: Endpoint) -> Endpoint:
        """With its key, headers and address; as it is when it needs nothing more. Raises Failed."""
        if endpoint.in_keyring:
            return replace(endpoint, key=await self._key(endpoint))
        if not endpoint.sign_in:
            return endpoint
        entry = self._entry(endpoint)
        if self._left_s(entry) < MARGIN_S:
            entry = await self._renewed(endpoint, entry)
        return self._way(endpoint.sign_in).applied(endpoint, entry)

    async def renewed(self, endpoint: Endpoint) -> Endpoint | None:
        """After a 401 for a signed endpoint: the same with another token, None when there is none. Raises Failed."""
        if endpoint.in_keyring:
            self._keys.pop(endpoint.provider, None)
            key = await self._key(endpoint)
            return replace(endpoint, key=key) if key != endpoint.key else None
        if not endpoint.sign_in:
            return None
        entry = self._entry(endpoint)
        if entry.access == endpoint.key:  # else another process has renewed it
            entry = await self._renewed(endpoint, entry)
        if entry.access == endpoint.key:
            return None
        return self._way(endpoint.sign_in).applied(endpoint, entry)

    async def _key(self, endpoint: Endpoint) -> str:
        if endpoint.provider not in self._keys:
            found = await os_keyring.get(str(self._vault.path.parent), endpoint.provider)
            if not found:
                what = f"The keyring has no key for {endpoint.provider} any more."
                raise failed("no_credentials", what, f"Keep it again: trouper auth set {endpoint.provider}")
            self._keys[endpoint.provider] = found
        return self._keys[endpoint.provider]

    def _entry(self, endpoint: Endpoint) -> SignedIn:
        entry = self._vault.entry(endpoint.sign_in)
        if not isinstance(entry, SignedIn) or entry.issuer != self._way(endpoint.sign_in).issuer:
            raise not_signed_in(endpoint.sign_in)
        return entry

    def _way(self, provider: str) -> TokenWay:
        way = self._ways(provider)
        if way is None:
            raise not_signed_in(provider)
        return way

    def _left_s(self, entry: SignedIn) -> float:
        return float("inf") if entry.expires_at is None else entry.expires_at - time.time()

    async def _renewed(self, endpoint: Endpoint, stale: SignedIn) -> SignedIn:
        """Once for all who ask meanwhile."""
        renewal = self._renewals.get(endpoint.sign_in)
        if renewal is None:
            renewal = self._renewals[endpoint.sign_in] = _Renewal()
            self._nursery.start_soon(self._renew, endpoint, stale, renewal)
        await renewal.ended.wait()
        if renewal.failure is None:
            return self._entry(endpoint)
        if renewal.failure.problem.code != "no_credentials" and 0 < self._left_s(stale) < MARGIN_S:
            return stale  # it is still good for a while
        raise type(renewal.failure)(renewal.failure.problem)  # the same, and not the same object in several tasks

    async def _renew(self, endpoint: Endpoint, stale: SignedIn, renewal: _Renewal) -> None:
        try:
            async with self._vault.changing() as change:
                entry = self._entry(endpoint)
                if entry.access != stale.access and self._left_s(entry) >= MARGIN_S:
                    return  # another process was faster
                if not entry.refresh:
                    raise not_signed_in(endpoint.sign_in, "The sign-in has ended.")
                await self._exchange(endpoint.sign_in, entry, change)
        except Failed as failure:
            renewal.failure = failure
        finally:
            del self._renewals[endpoint.sign_in]
            renewal.ended.set()

    async def _exchange(self, provider: str, entry: SignedIn, change: Change) -> None:
        with trio.CancelScope(shield=True):  # its old token may be used up by now
            try:
                entry = await self._way(provider).renew(entry)
            except Failed as failure:
                if failure.problem.code == "no_credentials":
                    change.renew(provider, msgspec.structs.replace(entry, refresh=""))  # nobody shall try it again
                raise
            change.renew(provider, entry)


def not_signed_in(provider: str, why: str = "") -> Failed:
    what = f"{provider}: {why}" if why else f"{provider} needs a sign-in."
    return failed("no_credentials", what, f"Sign in: trouper auth login {provider}")
