"""Where a request goes: a provider's address and key, and one of its models."""

import math
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import urlsplit

import msgspec

from actors.messages.model import Api, ModelFacts


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """One provider: where it is, how it speaks, and the key."""

    provider: str
    api: Api
    base_url: str
    """Normalised: no trailing slash, as `registry` leaves it."""
    url_variable: str = ""
    """The variable that holds its address; "" where none does."""
    key: str = ""
    key_env: str = ""
    """The variable that holds the key; "" when the service needs none."""
    idle_timeout_s: float = 300.0
    """Infinite where a silent connection is only slow."""
    dialect: str = ""
    """The built-in provider whose peculiarities it has; "" for none."""
    sign_in: str = ""
    """The log-in whose token stands for a key: "codex" or "copilot"; "" where a key does."""
    kept: bool = False
    """Its key is one that the user keeps with `trouper auth`."""
    in_keyring: bool = False
    """Its key is in the operating system's keyring and is fetched before the first request."""
    headers: Mapping[str, str] = {}
    """Sent with every request: the user's own, and what a sign-in adds."""
    allow_http: bool = False
    websocket: bool = False
    bridged: bool = False
    """What stands behind it has refused a conversation whose roles do not take turns."""
    cache_ttl: Literal["5m", "1h"] = "5m"
    routing: Mapping[str, Any] = {}

    def __repr__(self) -> str:
        """Without key and headers: it may be said in an error."""
        return f"Endpoint(provider={self.provider!r}, api={self.api!r}, base_url={self.shown_url!r})"

    @property
    def patient(self) -> bool:
        """Whatever does not come may still come, as long as the connection stands."""
        return self.idle_timeout_s == math.inf

    @property
    def shown_url(self) -> str:
        return without_secrets(self.base_url)


class Target(msgspec.Struct, frozen=True):
    """One model of one provider."""

    endpoint: Endpoint
    name: str
    """As the service calls it."""
    facts: ModelFacts = msgspec.field(default_factory=ModelFacts)

    @property
    def model(self) -> str:
        return f"{self.endpoint.provider}/{self.name}"

    @property
    def api(self) -> Api:
        return self.facts.api or self.endpoint.api


def without_secrets(url: str) -> str:
    """A URL for people: no user, password or query, which may be secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
