"""The sign-ins, a line each: the provider, where one signs in, and the module that has the WAY.

The modules are named, not imported: a provider is checked, and offered in help, before anything runs.
"""

from collections.abc import Mapping
from typing import NamedTuple


class SignIn(NamedTuple):
    issuer: str
    """The service's own address; the user's config may have another."""
    module: str


ALL: Mapping[str, SignIn] = {
    "codex": SignIn("https://auth.openai.com", "actors.providers.auth.ways.codex"),
    "copilot": SignIn("https://github.com", "actors.providers.auth.ways.copilot"),
    "openrouter": SignIn("https://openrouter.ai", "actors.providers.auth.ways.openrouter"),
}
