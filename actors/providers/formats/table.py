"""The wire formats that are spoken, a line each; a format is imported when it is first spoken."""

import importlib
from functools import cache

from actors.messages.model import Api
from actors.providers.formats.wire import WireFormat

ALL: dict[Api, str] = {
    "openai-chat": "actors.providers.formats.openai_chat",
    "openai-responses": "actors.providers.formats.openai_responses",
    "anthropic-messages": "actors.providers.formats.anthropic",
}
"""The package of each; it has a FORMAT."""


@cache
def format_of(api: Api) -> WireFormat:
    found: WireFormat = importlib.import_module(ALL[api]).FORMAT
    return found
