"""Where a request goes: a provider's address and key, and one of its models."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from actors.config import Api


@dataclass(frozen=True)
class Endpoint:
    """One provider: where it is, how it speaks, and the key."""

    provider: str
    api: Api
    base_url: str
    """Normalised: no trailing slash, as `registry` leaves it."""
    key: str = field(default="", repr=False)
    key_env: str = ""
    """The variable that holds the key; "" when the service needs none."""
    idle_timeout_s: float = 300.0

    @property
    def shown_url(self) -> str:
        return without_secrets(self.base_url)


@dataclass(frozen=True)
class Target:
    """One model of one provider."""

    endpoint: Endpoint
    name: str
    """As the service calls it."""

    @property
    def model(self) -> str:
        return f"{self.endpoint.provider}/{self.name}"


def without_secrets(url: str) -> str:
    """A URL for people: no user, password or query, which may be secrets."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.rpartition("@")[2]
    return parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
