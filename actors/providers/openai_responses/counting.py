"""What an answer used, from the counts the service gives. No I/O.

Counts are for information: odd ones are no reason to lose the answer.
"""

from collections.abc import Iterable

import msgspec

from actors.messages.conversation import Usage


class _Details(msgspec.Struct):
    cached_tokens: int | None = None
    cache_write_tokens: int | None = None
    reasoning_tokens: int | None = None


class _Usage(msgspec.Struct):
    input_tokens: int = 0
    output_tokens: int = 0
    input_tokens_details: _Details | None = None
    output_tokens_details: _Details | None = None
    cost: float | None = None
    """OpenRouter's, in dollars."""


class _Requests(msgspec.Struct):
    num_requests: int | None = None


class _ToolUsage(msgspec.Struct):
    web_search: _Requests | None = None


class _Action(msgspec.Struct):
    type: str = "search"


class _Search(msgspec.Struct):
    action: _Action | None = None


def counted(usage: msgspec.Raw, tool_usage: msgspec.Raw, searches: Iterable[bytes]) -> Usage:
    """searches: the web_search_call items."""
    billed = _billed(tool_usage, searches)
    try:
        counts = msgspec.json.decode(usage, type=_Usage | None, strict=False) or _Usage()
    except msgspec.ValidationError:
        return Usage(searches=billed)
    prompt = counts.input_tokens_details or _Details()
    output = counts.output_tokens_details or _Details()
    return Usage(
        input_tokens=counts.input_tokens,
        cache_read_tokens=prompt.cached_tokens or 0,
        cache_write_tokens=prompt.cache_write_tokens or 0,
        output_tokens=counts.output_tokens,
        reasoning_tokens=output.reasoning_tokens or 0,
        searches=billed,
        cost_usd=counts.cost,
    )


def _billed(tool_usage: msgspec.Raw, searches: Iterable[bytes]) -> int:
    """As the service says, else the searches themselves, without the pages it opened."""
    try:
        told = msgspec.json.decode(tool_usage, type=_ToolUsage | None)
        if told and told.web_search and told.web_search.num_requests is not None:
            return told.web_search.num_requests
        actions = [msgspec.json.decode(raw, type=_Search).action or _Action() for raw in searches]
    except msgspec.ValidationError:
        return 0
    return sum(action.type == "search" for action in actions)
