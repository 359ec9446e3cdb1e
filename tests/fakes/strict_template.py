"""What the chat templates of Mistral's models refuse, as servers that fill them in say it."""

import itertools
import re
from typing import Any

from tests.fakes.model_faults import Reply, refusal

ALTERNATE = "conversation roles must alternate user and assistant roles except for tool calls and results."
LLAMA_CPP = (
    "\n------------\nWhile executing CallExpression at line 189, column 32 in source:\n...== 0) %}↵            "
    "{{- raise_exception('After the optional system message, con...\n                                           ^\n"
    "Error: Jinja Exception: After the optional system message, "
)
Json = dict[str, Any]


def complaint(messages: list[Json]) -> str:
    """ "" where the template takes them."""
    said = list(itertools.dropwhile(lambda message: message["role"] == "system", messages))
    turns = [message["role"] for message in said if message["role"] == "user" or _answers(message)]
    if any((role == "user") != (place % 2 == 0) for place, role in enumerate(turns)):
        return LLAMA_CPP + ALTERNATE
    calls = [call["id"] for message in said for call in message.get("tool_calls", ())]
    if not all(re.fullmatch("[A-Za-z0-9]{9}", call_id) for call_id in calls):
        return "Tool call IDs should be alphanumeric strings with length 9!"
    return "" if said[-1]["role"] in ("user", "tool") else "Expected last role User or Tool but got assistant"


def refused(body: Json) -> Reply | None:
    """As llama.cpp does it, for one."""
    words = complaint(body["messages"])
    return refusal(500, words, "server_error") if words else None


def _answers(message: Json) -> bool:
    return message["role"] == "assistant" and not message.get("tool_calls")
