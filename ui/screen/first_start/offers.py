"""Which ways there are to a model, of what was found on this machine. No I/O."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from actors.messages.auth import Credentials, Programs
from actors.messages.model import Models
from actors.settings import sign_ins
from actors.settings.services import BUILT_IN
from ui.common import harmless

Way = Literal["provider", "server", "program", "sign in", "key", "again", "demo"]
PLANS = {
    "codex": "with your ChatGPT plan",
    "copilot": "with your GitHub account",
    "openrouter": "it makes a key for this program",
}
"""What a sign-in uses, for the user."""


@dataclass(frozen=True)
class Offer:
    way: Way
    name: str
    """Of a provider, a model, a program; "" where there is more to ask."""
    label: str
    facts: str = ""

    @property
    def row(self) -> tuple[str, str]:
        return self.label, self.facts


AGAIN = Offer("again", "", "look again for a model server here", "Ollama, LM Studio, llama.cpp, vLLM")


def of(credentials: Credentials, models: Models, programs: Programs) -> list[Offer]:
    """What is there already comes first. Nothing of a key is known here but its place."""
    servers = list(_servers(credentials, models))
    return [
        *_with_credential(credentials),
        *servers,
        *(Offer("program", one.program, f"use the sign-in of {one.program}", one.place) for one in programs.programs),
        Offer("sign in", "", "sign in", ", ".join(sign_ins.ALL)),
        Offer("key", "", "paste an API key", "kept in the keyring, or in a file that only you can read"),
        *([] if servers else [AGAIN]),
        Offer("demo", "", "see the demo first", "without any model"),
    ]


def takers_of_keys(credentials: Credentials) -> list[str]:
    """Services with models that want a key and have none."""
    others = {one.name for one in BUILT_IN if one.sign_in or not one.talks}
    return [name for name in credentials.missing if name not in others]


def _with_credential(credentials: Credentials) -> Iterator[Offer]:
    silent = {one.name for one in BUILT_IN if not one.talks}
    for one in credentials.credentials:
        if one.provider not in silent:
            place = harmless.one_line(one.place)
            yield Offer("provider", one.provider, f"use {one.provider}", f"{one.kind} in {place}")


def _servers(credentials: Credentials, models: Models) -> Iterator[Offer]:
    """Who answers without a credential: the first model of each."""
    known = {one.provider for one in credentials.credentials}
    for listed in models.models:
        provider = listed.model.partition("/")[0]
        if listed.usable and provider not in known:
            known.add(provider)
            label = f"use {harmless.one_line(listed.model)}"
            yield Offer("server", listed.model, label, "a model server that answers here; it gets what you write")
