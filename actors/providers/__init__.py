"""Model services. `ALL` are the wire formats we speak; each is imported when first spoken, and no HTTP library."""

import importlib
from functools import cache

from actors.messages.model import Api
from actors.providers.wire import WireFormat

ALL: dict[Api, str] = {
    "openai-chat": "actors.providers.openai_chat",
    "openai-responses": "actors.providers.openai_responses",
    "anthropic-messages": "actors.providers.anthropic",
}
"""The package of each; it has a FORMAT."""


@cache
def format_of(api: Api) -> WireFormat:
    found: WireFormat = importlib.import_module(ALL[api]).FORMAT
    return found
