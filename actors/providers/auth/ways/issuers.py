"""Where one signs in: the services' own addresses, or those of the user's config."""

from collections.abc import Mapping

from actors.settings.config import ProviderSettings

CHATGPT = "https://auth.openai.com"
GITHUB = "https://github.com"
OPENROUTER = "https://openrouter.ai"
USUAL = {"codex": CHATGPT, "copilot": GITHUB, "openrouter": OPENROUTER}


def issuers(providers: Mapping[str, ProviderSettings]) -> dict[str, str]:
    """By provider."""
    own = {name: settings.sign_in_url.rstrip("/") for name, settings in providers.items() if settings.sign_in_url}
    return {name: own.get(name, usual) for name, usual in USUAL.items()}
