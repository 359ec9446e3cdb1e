"""The credentials of one providers actor, put together."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import trio

from actors.providers.auth import dot_env
from actors.providers.auth.endpoint_credentials import SignIns
from actors.providers.auth.kept_keys import KeptInVault
from actors.providers.auth.vault import Vault
from actors.providers.auth.ways.issuers import issuers
from actors.providers.auth.ways.table import Ways
from actors.providers.services.registry import Registry, key_variables
from actors.settings.config import Settings

if TYPE_CHECKING:
    from actors.providers.auth.user_requests import UserRequests


def registry(settings: Settings, environ: Mapping[str, str]) -> Registry:
    """Every provider there is, with what is kept for it."""
    return Registry(
        settings.providers,
        environ,
        models=settings.models,
        kept=KeptInVault(Vault(Path(settings.home)), issuers(settings.providers)),
        dot_env=dot_env.keys(Path(settings.cwd), key_variables(settings.providers)) if settings.dotenv else {},
    )


class Credentials:
    def __init__(self, settings: Settings, known: Registry, ways: Ways, nursery: trio.Nursery) -> None:
        self._vault = Vault(Path(settings.home))
        self._workspace = Path(settings.cwd)
        self._known = known
        self._ways = ways
        self.sign_ins = SignIns(self._vault, ways.by_token, nursery)

    @cached_property
    def user_requests(self) -> "UserRequests":
        """Few sessions are asked to keep anything."""
        from actors.providers.auth.other_programs import OtherPrograms
        from actors.providers.auth.user_requests import UserRequests

        return UserRequests(self._vault, self._known, self._ways, OtherPrograms(self._known.environ, self._workspace))


@asynccontextmanager
async def opened(settings: Settings, known: Registry) -> AsyncIterator[Credentials]:
    """A renewal that is under way at the end is still waited for: its old token may be used up."""
    ways = Ways(issuers(settings.providers))
    try:
        async with trio.open_nursery() as nursery:
            yield Credentials(settings, known, ways, nursery)
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await ways.aclose()
