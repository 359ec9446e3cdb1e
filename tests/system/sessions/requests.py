"""What is wrong with a request to a model service: calls without exactly one result, in each of the formats."""

import json
from typing import Any

Json = dict[str, Any]


def unpaired(path: str, body: bytes) -> list[str]:
    """Ids of calls and results that do not belong together; [] when the service would take it."""
    request = json.loads(body)
    match path:
        case "/v1/messages":
            return _messages(request["messages"])
        case "/v1/chat/completions":
            return _chat(request["messages"])
        case _:
            return _responses(request["input"])


def words(body: bytes) -> str:
    return json.dumps(json.loads(body), ensure_ascii=False)


def _messages(messages: list[Json]) -> list[str]:
    """The results of an answer are in the message behind it, all of them."""
    found = [] if messages[0]["role"] == "user" else ["it does not begin with the user"]
    waited: list[str] = []
    for message in messages:
        blocks = message["content"] if isinstance(message["content"], list) else []
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if message["role"] == "user":
            found += sorted(set(waited) ^ set(results)) + results[len(set(results)) :]
            waited = []
        else:
            found += waited
            waited = [block["id"] for block in blocks if block["type"] == "tool_use"]
    return found + waited


def _chat(messages: list[Json]) -> list[str]:
    found: list[str] = []
    waited: list[str] = []
    for message in messages:
        if message["role"] == "tool":
            found += [] if message["tool_call_id"] in waited else [message["tool_call_id"]]
            waited = [call_id for call_id in waited if call_id != message["tool_call_id"]]
        else:
            found += waited
            waited = [call["id"] for call in message.get("tool_calls") or ()]
    return found + waited


def _responses(items: list[Json]) -> list[str]:
    calls = [item["call_id"] for item in items if item.get("type") in ("function_call", "custom_tool_call")]
    results = [item["call_id"] for item in items if str(item.get("type")).endswith("call_output")]
    return sorted(set(calls) ^ set(results)) + calls[len(set(calls)) :] + results[len(set(results)) :]
