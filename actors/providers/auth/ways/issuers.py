"""Where one signs in: the services' own addresses, or those of the user's config."""

from collections.abc import Mapping

from actors.settings import sign_ins
from actors.settings.config import ProviderSettings


def issuers(providers: Mapping[str, ProviderSettings]) -> dict[str, str]:
    """By provider."""
    own = {name: settings.sign_in_url.rstrip("/") for name, settings in providers.items() if settings.sign_in_url}
    return {name: own.get(name, sign_in.issuer) for name, sign_in in sign_ins.ALL.items()}
