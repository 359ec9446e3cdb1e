"""The credentials of one providers actor, put together."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from actors.config import Settings
from actors.providers.auth import dot_env
from actors.providers.auth.issuers import issuers
from actors.providers.auth.keeping import Keeping
from actors.providers.auth.kept import KeptInVault
from actors.providers.auth.sign_ins import SignIns
from actors.providers.auth.vault import Vault
from actors.providers.auth.ways import Ways
from actors.providers.auth.web import Web
from actors.providers.registry import Registry, key_variables


def registry(settings: Settings, environ: Mapping[str, str]) -> Registry:
    """Every provider there is, with what is kept for it."""
    return Registry(
        settings.providers,
        environ,
        models=settings.models,
        kept=KeptInVault(Vault(Path(settings.home)), issuers(settings.providers)),
        dot_env=dot_env.keys(Path(settings.cwd), key_variables(settings.providers)) if settings.dotenv else {},
    )


@asynccontextmanager
async def opened(settings: Settings, known: Registry) -> AsyncIterator[tuple[SignIns, Keeping]]:
    """A renewal that is under way at the end is still waited for: its old token may be used up."""
    vault, web = Vault(Path(settings.home)), Web()
    ways = Ways(issuers(settings.providers), web)
    try:
        async with trio.open_nursery() as nursery:
            yield SignIns(vault, ways.by_token, nursery), Keeping(vault, known, ways)
            nursery.cancel_scope.cancel()
    finally:
        with trio.CancelScope(shield=True):
            await web.aclose()
