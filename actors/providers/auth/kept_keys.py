"""What is kept in the vault, as the registry asks for it."""

from collections.abc import Mapping

import msgspec

from actors.providers.auth.vault import KeptKey, SignedIn, Vault


class KeptInVault(msgspec.Struct, frozen=True):
    """Every look is at the file as it is now. All raise Failed when it cannot be used."""

    vault: Vault
    issuers: Mapping[str, str]

    def key(self, provider: str) -> str:
        entry = self.vault.entry(provider)
        return entry.key if isinstance(entry, KeptKey) else ""

    def has_key(self, provider: str) -> bool:
        return isinstance(self.vault.entry(provider), KeptKey)

    def signed_in(self, provider: str) -> bool:
        entry = self.vault.entry(provider)
        return isinstance(entry, SignedIn) and bool(entry.refresh) and entry.issuer == self.issuers.get(provider)
