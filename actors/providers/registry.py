"""Which providers there are, from the environment and the settings, and what a model's name means. No I/O."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from actors.config import Api, ProviderSettings
from actors.errors import failed
from actors.providers.endpoint import Endpoint, Target


@dataclass(frozen=True)
class BuiltIn:
    name: str
    api: Api
    base_url: str
    key_env: str = ""
    base_url_env: str = ""
    default_model: str = ""


BUILT_IN = (  # in order of preference when nothing is chosen
    BuiltIn(
        "anthropic",
        "anthropic-messages",
        "https://api.anthropic.com",
        key_env="ANTHROPIC_API_KEY",
        base_url_env="ANTHROPIC_BASE_URL",
        default_model="claude-sonnet-5-5",
    ),
    BuiltIn(
        "openai",
        "openai-chat",
        "https://api.openai.com/v1",
        key_env="OPENAI_API_KEY",
        base_url_env="OPENAI_BASE_URL",
        default_model="gpt-5.2",  # see DECISIONS: OpenAI's default model
    ),
    BuiltIn(
        "openrouter",
        "openai-chat",
        "https://openrouter.ai/api/v1",
        key_env="OPENROUTER_API_KEY",
        default_model="anthropic/claude-sonnet-5",
    ),
    BuiltIn("ollama", "openai-chat", "http://127.0.0.1:11434/v1", base_url_env="OLLAMA_HOST"),
    BuiltIn("llamacpp", "openai-chat", "http://127.0.0.1:8080/v1"),
    BuiltIn("vllm", "openai-chat", "http://127.0.0.1:8000/v1"),
    BuiltIn("lmstudio", "openai-chat", "http://127.0.0.1:1234/v1"),
)
BY_NAME = {built_in.name: built_in for built_in in BUILT_IN}
NOTHING_TO_ASK = failed(
    "no_credentials",
    "No model is chosen, no API key is set and no local model server answers.",
    "Set ANTHROPIC_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY, or start a local server such as Ollama, "
    "or try it without a model: trouper demo.",
).problem


class Registry:
    def __init__(
        self,
        configured: Mapping[str, ProviderSettings],
        environ: Mapping[str, str],
        built_in: Iterable[BuiltIn] = BUILT_IN,
    ) -> None:
        self._configured = configured
        self._environ = environ
        self._built_in = {provider.name: provider for provider in built_in}

    @property
    def names(self) -> list[str]:
        return [*self._configured, *(name for name in self._built_in if name not in self._configured)]

    def target(self, model: str) -> Target:
        """What PROVIDER/NAME means. Raises Failed: unknown_model or no_credentials, with the next step."""
        provider, slash, name = model.partition("/")
        if provider not in self.names:
            raise failed("unknown_model", f'No provider is named "{provider}" (in "{model}").', self._nearest(provider))
        if not slash or not name:
            name = self._built_in[provider].default_model if provider in self._built_in else ""
        if not name:
            raise failed("unknown_model", f'"{model}" names no model.', f"Write {provider}/NAME.")
        return Target(self.endpoint(provider), name)

    def endpoint(self, provider: str) -> Endpoint:
        """Raises Failed: no_credentials."""
        if provider in self._configured:
            settings = self._configured[provider]
            return Endpoint(
                provider,
                settings.api,
                base_url(settings.api, settings.base_url),
                self._key(provider, settings.api_key_env),
                settings.api_key_env,
                settings.idle_timeout_s,
            )
        built_in = self._built_in[provider]
        url = self._environ.get(built_in.base_url_env, "").strip() if built_in.base_url_env else ""
        if url and built_in.name == "ollama":
            try:
                url = ollama_url(url)
            except ValueError as error:
                raise failed("bad_configuration", f"OLLAMA_HOST is no address: {error}.", "Set HOST:PORT.") from error
        key = self._key(provider, built_in.key_env)
        return Endpoint(provider, built_in.api, base_url(built_in.api, url or built_in.base_url), key, built_in.key_env)

    def with_key(self) -> Target | None:
        """The default model of the first built-in provider whose key is in the environment."""
        for built_in in self._built_in.values():
            if built_in.key_env and self._environ.get(built_in.key_env) and built_in.default_model:
                return self.target(built_in.name)
        return None

    def without_key(self) -> list[Endpoint]:
        """Servers that may run here: those the user configured, then the usual local ones."""
        local = [name for name, built_in in self._built_in.items() if not built_in.key_env]
        configured = [
            name
            for name, settings in self._configured.items()
            if not settings.api_key_env or self._environ.get(settings.api_key_env)
        ]
        return [self.endpoint(name) for name in dict.fromkeys([*configured, *local])]

    def _key(self, provider: str, variable: str) -> str:
        if not variable:
            return ""
        key = self._environ.get(variable, "").strip()
        if not key:
            raise failed(
                "no_credentials", f"{provider} needs an API key and {variable} is not set.", f"Set {variable}."
            )
        if not re.fullmatch(r"[\x21-\x7e]+", key):
            raise failed("no_credentials", f"{variable} holds what cannot be an API key.", f"Set {variable} again.")
        return key

    def _nearest(self, provider: str) -> str:
        near = difflib.get_close_matches(provider, self.names, n=1)
        guess = f'Did you mean "{near[0]}"? ' if near else ""
        return f"{guess}Models are written PROVIDER/NAME; the providers are {', '.join(self.names)}."


def base_url(api: Api, url: str) -> str:
    """By each service's convention: with /v1 for the OpenAI formats, without for Anthropic."""
    url = url.strip().rstrip("/")
    while url.endswith("/v1/v1"):
        url = url.removesuffix("/v1")
    return url.removesuffix("/v1") if api == "anthropic-messages" else url


def ollama_url(host: str) -> str:
    """OLLAMA_HOST as Ollama reads it: a URL, host, host:port or :port; 0.0.0.0 stands for here. Raises ValueError."""
    scheme, separator, rest = host.rpartition("://")
    parts = urlsplit(f"{scheme or 'http'}://{rest}")
    name = parts.hostname or "127.0.0.1"
    name = "127.0.0.1" if name in ("0.0.0.0", "::") else name  # noqa: S104  # compared with, not bound to
    name = f"[{name}]" if ":" in name else name
    usual = "" if separator else ":11434"
    port = f":{parts.port}" if parts.port else usual
    path = parts.path.rstrip("/").removesuffix("/v1")
    return f"{parts.scheme}://{name}{port}{path}/v1"
