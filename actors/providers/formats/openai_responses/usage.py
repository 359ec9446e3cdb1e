"""What an answer used, from the counts the service gives. No I/O.

Counts are for information: odd ones are no reason to lose the answer.
"""

from collections.abc import Iterable

import msgspec

from actors.messages.usage import Usage
from actors.providers.formats.lenient_json import without_odd_members


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class _CostDetails(msgspec.Struct):
    upstream_inference_cost: float | None = None


class _Usage(msgspec.Struct):
    input_tokens: int | None = None
    output_tokens: int | None = None
    input_tokens_details: _Details | None = None
    output_tokens_details: _Details | None = None
    cost: float | None = None
    """OpenRouter's, in dollars; without what is billed by the owner of the key it used, if that is the user."""
    is_byok: bool | None = None
    cost_details: _CostDetails | None = None


class _Requests(msgspec.Struct):
    num_requests: int | None = None


class _ToolUsage(msgspec.Struct):
    web_search: _Requests | None = None


class _Action(msgspec.Struct):
    type: str = "search"


class _Search(msgspec.Struct):
    action: _Action | None = None


_usage: msgspec.json.Decoder[_Usage | None] = msgspec.json.Decoder(_Usage | None, strict=False)
_tool_usage: msgspec.json.Decoder[_ToolUsage | None] = msgspec.json.Decoder(_ToolUsage | None, strict=False)
_search = msgspec.json.Decoder(_Search)


def counted(usage: msgspec.Raw, tool_usage: msgspec.Raw, searches: Iterable[bytes]) -> Usage:
    """searches: the web_search_call items."""
    billed = _billed(tool_usage, searches)
    try:
        counts = without_odd_members(usage, _usage) or _Usage()
    except msgspec.DecodeError:
        return Usage(searches=billed)
    prompt = counts.input_tokens_details or _Details()
    output = counts.output_tokens_details or _Details()
    return Usage(
        input_tokens=counts.input_tokens or 0,
        cache_read_tokens=prompt.cached_tokens or 0,
        cache_write_tokens=prompt.cache_write_tokens or 0,
        output_tokens=counts.output_tokens or 0,
        reasoning_tokens=output.reasoning_tokens or 0,
        searches=billed,
        cost_usd=_cost(counts),
    )


def _cost(counts: _Usage) -> float | None:
    if counts.cost is None or not counts.is_byok:
        return counts.cost
    upstream = (counts.cost_details or _CostDetails()).upstream_inference_cost
    return None if upstream is None else counts.cost + upstream


def _billed(tool_usage: msgspec.Raw, searches: Iterable[bytes]) -> int:
    """As the service says, else the searches themselves, without the pages it opened."""
    try:
        told = without_odd_members(tool_usage, _tool_usage)
        if told and told.web_search and told.web_search.num_requests is not None:
            return told.web_search.num_requests
        actions = [without_odd_members(raw, _search).action or _Action() for raw in searches]
    except msgspec.DecodeError:
        return 0
    return sum(action.type == "search" for action in actions)
