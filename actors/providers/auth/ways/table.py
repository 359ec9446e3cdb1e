"""All ways to sign in. Each is imported when it is first needed: most sessions sign in nowhere."""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from actors.providers.auth.ways.way import TokenWay, Way
from actors.settings import sign_ins

if TYPE_CHECKING:
    from actors.providers.auth.ways.copilot import Copilot
    from actors.providers.auth.ways.token_requests import Web


class Ways:
    def __init__(self, issuers: Mapping[str, str]) -> None:
        self._issuers = issuers
        self._opened: Web | None = None

    @property
    def _web(self) -> "Web":
        if self._opened is None:
            from actors.providers.auth.ways.token_requests import Web

            self._opened = Web()
        return self._opened

    async def aclose(self) -> None:
        if self._opened is not None:
            await self._opened.aclose()

    @property
    def copilot(self) -> "Copilot":
        from actors.providers.auth.ways.copilot import Copilot

        return Copilot(self._issuers["copilot"], self._web)

    def by_token(self, provider: str) -> TokenWay | None:
        """Those that end in tokens."""
        way = self.named(provider)
        return way if isinstance(way, TokenWay) else None

    def named(self, provider: str) -> Way | None:
        if provider not in sign_ins.ALL:
            return None
        way: Way = import_module(sign_ins.ALL[provider].module).WAY(self._issuers[provider], self._web)
        return way
