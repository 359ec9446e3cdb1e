"""Which providers there are, from the environment and the settings, and what a model's name means. No I/O."""

import math
import re
from collections.abc import Iterable, Mapping
from typing import Protocol
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from actors.errors import failed
from actors.messages.model import Api, ModelFacts
from actors.providers.endpoint import Endpoint, Target
from actors.providers.faults.fault import ServiceFailed
from actors.providers.services import dialects, model_table
from actors.providers.services.addresses import is_here, is_nearby
from actors.settings.config import ProviderSettings
from actors.settings.services import BUILT_IN, BuiltIn

CONFIGURED_IDLE_S = 60.0
BUILT_IN_IDLE_S = 300.0


class Kept(Protocol):
    """Credentials that are not in the environment."""

    def key(self, provider: str) -> str:
        """The API key, "" when none is kept, or in the keyring: that may take long to answer."""

    def has_key(self, provider: str) -> bool: ...

    def signed_in(self, provider: str) -> bool: ...


class NothingKept:
    def key(self, provider: str) -> str:  # noqa: ARG002
        return ""

    def has_key(self, provider: str) -> bool:  # noqa: ARG002
        return False

    def signed_in(self, provider: str) -> bool:  # noqa: ARG002
        return False


class Registry(msgspec.Struct, frozen=True):
    configured: Mapping[str, ProviderSettings]
    environ: Mapping[str, str]
    built_in: Iterable[BuiltIn] = BUILT_IN
    models: Mapping[str, ModelFacts] = msgspec.field(default_factory=dict)
    """The user's own facts, by PROVIDER/NAME."""
    kept: Kept = msgspec.field(default_factory=NothingKept)
    dot_env: Mapping[str, str] = msgspec.field(default_factory=dict)
    """Keys that the workspace's .env has, where the user wants them."""

    @property
    def names(self) -> list[str]:
        """Of those that have models to talk to."""
        return [name for name in self.services if name not in self._built_in or self._built_in[name].talks]

    @property
    def services(self) -> list[str]:
        """All that may have a key."""
        return list(dict.fromkeys([*self.configured, *self._built_in]))

    @property
    def _built_in(self) -> dict[str, BuiltIn]:
        return {provider.name: provider for provider in self.built_in}

    def alone(self, model: str) -> Endpoint | None:
        """The endpoint of a provider that is named without a model, and that none is usual for: its own list says.

        Raises Failed: no_credentials or bad_configuration.
        """
        provider, _, name = model.partition("/")
        built_in = self._built_in.get(provider)
        if name or provider not in self.names or (built_in and built_in.default_model):
            return None
        return self.endpoint(provider)

    def is_open(self, provider: str) -> bool:
        """Does the table not say what it has? So with local servers, and where the user has put it elsewhere.

        Raises Failed: no_credentials or bad_configuration.
        """
        built_in = self._built_in.get(provider)
        if built_in is None or built_in.local or not model_table.names(built_in.name):
            return True
        return self.endpoint(built_in.name).base_url != base_url(built_in.api, built_in.base_url)

    def is_placed(self, provider: str) -> bool:
        """Has the user said where it is?"""
        built_in = self._built_in.get(provider)
        return bool(self.configured.get(provider, ProviderSettings()).base_url) or bool(
            built_in and self._url_variable(built_in)
        )

    def is_known(self, target: Target) -> bool:
        """By the table, or by the user."""
        provider = target.endpoint.provider
        return model_table.facts(provider, target.name) is not None or f"{provider}/{target.name}" in self.models

    def target(self, model: str) -> Target:
        """What PROVIDER/NAME means. Raises Failed: unknown_model, no_credentials or bad_configuration."""
        provider, _, name = model.partition("/")
        if provider not in self.names:
            raise failed("unknown_model", f'No provider is named "{provider}" (in "{model}").', self._nearest(model))
        built_in = self._built_in.get(provider)
        name = name or (built_in.default_model if built_in else "")
        if not name:
            raise failed("unknown_model", f'"{model}" names no model.', f"Write {provider}/NAME.")
        facts = self.facts(provider, name)
        return spoken(Target(self.endpoint(provider), facts.id or name, facts))

    def facts(self, provider: str, name: str) -> ModelFacts:
        """From the table, with what the user knows better."""
        known = model_table.facts(provider, name) or ModelFacts()
        if self._is_elsewhere(provider):
            known = msgspec.structs.replace(known, prices=(), search_usd=None)
        own = self.models.get(f"{provider}/{name}") or self.models.get(f"{provider}/{known.id}", ModelFacts())
        values = ((name, getattr(own, name)) for name in own.__struct_fields__)
        told = {name: value for name, value in values if value != getattr(_UNKNOWN, name)}
        return msgspec.structs.replace(known, **told)

    def _is_elsewhere(self, provider: str) -> bool:
        """Is it a server nearby that answers in a service's name? What that takes is not what the service takes."""
        built_in = self._built_in.get(provider)
        if built_in is None or built_in.local:
            return False
        return is_nearby(self.configured.get(provider, ProviderSettings()).base_url or self._built_in_url(built_in))

    def endpoint(self, provider: str) -> Endpoint:
        """Raises Failed: no_credentials or bad_configuration."""
        settings = self.configured.get(provider, ProviderSettings())
        built_in = self._built_in.get(provider)
        api = settings.api or (built_in.api if built_in else None)
        url = settings.base_url or (self._built_in_url(built_in) if built_in else "")
        if api is None or not url:
            raise failed(
                "bad_configuration", f"[providers.{provider}] needs api and base_url.", "Set them in config.toml."
            )
        idle_s = idle_limit_s(url, built_in=built_in is not None)
        own_host = built_in is not None and url == built_in.base_url
        variable, sign_in = self.variable(provider), self.sign_in(provider)
        key = self._key(provider, variable, sign_in)
        kept = not sign_in and not self.given(provider) and self.kept.has_key(provider)
        return Endpoint(
            provider=provider,
            api=api,
            base_url=base_url(api, url),
            url_variable=self._url_variable(built_in) if built_in and not settings.base_url else "",
            key=key,
            key_env=variable,
            idle_timeout_s=settings.idle_timeout_s or idle_s,
            dialect=settings.dialect or (built_in.name if built_in else ""),
            sign_in=sign_in,
            kept=kept,
            in_keyring=kept and not key,
            headers=settings.headers,
            allow_http=settings.allow_http,
            websocket=settings.websocket
            if settings.websocket is not None
            else bool(own_host and built_in and built_in.websocket),
            cache_ttl=settings.cache_ttl,
            routing=settings.routing,
        )

    def with_key(self) -> Target | None:
        """The default model of the first built-in provider that there is a credential for."""
        for built_in in self._built_in.values():
            if built_in.default_model and self.has_credential(built_in.name):
                return self.target(built_in.name)
        return None

    def has_credential(self, provider: str) -> bool:
        """A key or a sign-in; without looking whether it is still good. False where none is needed."""
        if self.sign_in(provider):
            return self.kept.signed_in(provider)
        return bool(self.given(provider)) or self.kept.has_key(provider)

    def needs_credential(self, provider: str) -> bool:
        return bool(self.variable(provider) or self.sign_in(provider))

    def variable(self, provider: str) -> str:
        """The one that holds its key, or would; "" for none."""
        built_in = self._built_in.get(provider)
        own = self.configured.get(provider, ProviderSettings()).api_key_env
        if own or built_in is None:
            return own
        names = (built_in.key_env, *built_in.other_key_envs)
        return next((name for name in names if self.environ.get(name, "").strip() or name in self.dot_env), names[0])

    def given(self, provider: str) -> str:
        """Its key as a variable has it; the environment counts more than .env."""
        variable = self.variable(provider)
        return self.environ.get(variable, "").strip() or self.dot_env.get(variable, "")

    def given_by(self, provider: str) -> str:
        """Where `given` is from, for the user; "" for nowhere."""
        variable = self.variable(provider)
        if self.environ.get(variable, "").strip():
            return variable
        return f"{variable} in .env" if variable in self.dot_env else ""

    def sign_in(self, provider: str) -> str:
        """The log-in it needs instead of a key; "" for none."""
        built_in = self._built_in.get(provider)
        return built_in.sign_in if built_in else ""

    def check_name(self, provider: str) -> None:
        """Raises Failed: unknown_model."""
        if provider not in self.services:
            import difflib  # for mistakes alone

            near = difflib.get_close_matches(provider, self.services, n=2)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"Known are: {', '.join(self.services)}."
            raise failed("unknown_model", f'No provider is named "{provider}".', hint)

    def without_key(self) -> list[Endpoint]:
        """Servers that may run here: those the user configured, then the usual local ones."""
        local = [name for name, built_in in self._built_in.items() if built_in.local]
        own = [name for name in self.configured if name not in self._built_in]
        usable = [name for name in own if not self.needs_credential(name) or self.has_credential(name)]
        return [self.endpoint(name) for name in dict.fromkeys([*usable, *local])]

    def _url_variable(self, built_in: BuiltIn) -> str:
        """The one that says where it is; "" for none."""
        return built_in.base_url_env if self.environ.get(built_in.base_url_env, "").strip() else ""

    def _built_in_url(self, built_in: BuiltIn) -> str:
        variable = self._url_variable(built_in)
        url = self.environ[variable].strip() if variable else ""
        if not url or built_in.name != "ollama":
            return url or built_in.base_url
        try:
            return ollama_url(url)
        except ValueError as error:
            raise failed("bad_configuration", f"OLLAMA_HOST is no address: {error}.", "Set HOST:PORT.") from error

    def _key(self, provider: str, variable: str, sign_in: str) -> str:
        """ "" where none is needed, and for one that is fetched later."""
        if sign_in:
            if not self.kept.signed_in(provider):
                what = f"{provider} needs a sign-in."
                raise failed("no_credentials", what, f"Sign in: trouper auth login {provider}")
            return ""
        given = self.given(provider)
        key = given or self.kept.key(provider)
        if not key and variable and not self.kept.has_key(provider):
            what = f"{provider} needs an API key and {variable} is not set."
            raise failed("no_credentials", what, f"Set {variable}, or keep a key with: trouper auth set {provider}")
        if key and not re.fullmatch(r"[\x21-\x7e]+", key):
            where = variable if given else "what was kept"
            raise failed("no_credentials", f"{where} holds what cannot be an API key.", f"Set {variable} again.")
        return key

    def _nearest(self, model: str) -> str:
        import difflib

        near = difflib.get_close_matches(model.partition("/")[0], self.names, n=1)
        like_it = model_table.nearest(model, self.models)
        guess = f'Did you mean "{near[0]}"? ' if near else ""
        models = f"Models like it: {', '.join(like_it)}. " if like_it else ""
        return f"{guess}{models}Models are written PROVIDER/NAME; the providers are {', '.join(self.names)}."


def key_variables(configured: Mapping[str, ProviderSettings], built_in: Iterable[BuiltIn] = BUILT_IN) -> set[str]:
    """All that may hold a key."""
    own = [settings.api_key_env for settings in configured.values()]
    known = (name for provider in built_in for name in (provider.key_env, *provider.other_key_envs))
    return {name for name in (*own, *known) if name}


_UNKNOWN = ModelFacts()


def idle_limit_s(url: str, *, built_in: bool) -> float:
    """How long a connection may be silent. See DECISIONS: a server of this machine may take its time."""
    try:
        if is_here(url):
            return math.inf
    except ServiceFailed:
        pass  # it is no address: whoever asks there hears of it
    return BUILT_IN_IDLE_S if built_in else CONFIGURED_IDLE_S


def base_url(api: Api, url: str) -> str:
    """By each service's convention: with /v1 for the OpenAI formats, without for Anthropic."""
    url = url.strip().rstrip("/")
    while url.endswith("/v1/v1"):
        url = url.removesuffix("/v1")
    return url.removesuffix("/v1") if api == "anthropic-messages" else url


def spoken(target: Target) -> Target:
    """In the model's own format, and at an address that fits it: those of Messages services have no /v1."""
    endpoint, facts = target.endpoint, target.facts
    if by_name := dialects.of(target).api:
        facts = msgspec.structs.replace(facts, api=facts.api or by_name(target.name))
    elif endpoint.api == "anthropic-messages" and target.api != endpoint.api:
        endpoint = replace(endpoint, base_url=f"{endpoint.base_url}/v1")
    return Target(endpoint, target.name, facts)


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
