"""What the process has learned of servers by their refusals, and how they are spoken to since. No I/O."""

import re

import msgspec
from msgspec.structs import replace

from actors.providers.endpoint import Target
from actors.providers.faults.fault import Fault
from actors.providers.models.base_urls import ABSENT
from actors.settings.services import OPENAI

TEMPLATE = re.compile(
    r"jinja|raise_exception|chat.?template|roles? must alternate|unexpected role|expected last role|"
    r"tool call ids should be"
)
"""A model's own chat template, as the server that fills it in says that it does not take the conversation."""


class Learned:
    """By address, until the process ends."""

    def __init__(self) -> None:
        self._chat_only: set[str] = set()
        """Addresses that OPENAI_BASE_URL names and that know Chat Completions only."""
        self._bridged: set[str] = set()
        """Where a template stands that wants the roles to take turns."""

    def of(self, target: Target, fault: Fault) -> bool:
        """Is there something new in this refusal, so that the same request is worth asking in another form?"""
        address = target.endpoint.base_url
        if _knows_no_responses(target, fault):
            self._chat_only.add(address)
            return True
        template = fault.code in ("bad_request", "server_error") and TEMPLATE.search(fault.text.lower())
        if template and target.api == "openai-chat" and not target.endpoint.bridged:
            self._bridged.add(address)
            return True
        return False

    def as_it_speaks(self, target: Target) -> Target:
        address = target.endpoint.base_url
        if address in self._chat_only:
            endpoint = replace(target.endpoint, api="openai-chat", dialect="", websocket=False)
            facts = msgspec.structs.replace(target.facts, api=None)
            target = msgspec.structs.replace(target, endpoint=endpoint, facts=facts)
        if address in self._bridged:
            target = msgspec.structs.replace(target, endpoint=replace(target.endpoint, bridged=True))
        return target


def _knows_no_responses(target: Target, fault: Fault) -> bool:
    """Does the server behind OPENAI_BASE_URL know Chat Completions only? Most that are compatible do."""
    endpoint = target.endpoint
    moved = endpoint.provider == OPENAI.name and endpoint.base_url != OPENAI.base_url
    absent = fault.code == "unreachable" and fault.status in ABSENT
    return target.api == "openai-responses" and moved and absent
