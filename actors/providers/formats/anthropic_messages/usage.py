"""What a Messages answer used, from the counts the service gives: totals, each time it gives them."""

from collections.abc import Sequence

import msgspec

from actors.messages.usage import Usage
from actors.providers.formats.lenient_json import without_odd_members
from actors.providers.formats.wire_format import Pass


class _OutputDetails(msgspec.Struct):
    thinking_tokens: int | None = None


class _CacheCreation(msgspec.Struct):
    ephemeral_1h_input_tokens: int | None = None


class _ServerToolUse(msgspec.Struct):
    web_search_requests: int | None = None


class _Counts(msgspec.Struct):
    input_tokens: int | None = None
    cache_read_input_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_creation: _CacheCreation | None = None
    output_tokens: int | None = None
    output_tokens_details: _OutputDetails | None = None
    server_tool_use: _ServerToolUse | None = None


class _Iteration(_Counts):
    model: str | None = None


class _Usage(_Counts):
    iterations: list[_Iteration] | None = None


_usage: msgspec.json.Decoder[_Usage | None] = msgspec.json.Decoder(_Usage | None, strict=False)


class Counter:
    def __init__(self) -> None:
        self._usage = _Usage()

    def count(self, usage: bytes) -> None:
        """A field that is left out or null keeps its earlier count."""
        try:
            counts = (without_odd_members(usage, _usage) if usage else None) or _Usage()
        except msgspec.DecodeError:
            return  # no reason to lose an answer
        for field in _Usage.__struct_fields__:
            if (count := getattr(counts, field)) is not None:
                setattr(self._usage, field, count)

    @property
    def total(self) -> Usage:
        return _counted(self._usage)

    @property
    def passes(self) -> list[Pass]:
        """Each run of a model, where the service tells them apart: then the total is not all that is billed."""
        runs = [Pass(_counted(run), run.model or "") for run in self._usage.iterations or ()]
        return _with_searches(runs, self.total.searches)


def _with_searches(runs: Sequence[Pass], searches: int) -> list[Pass]:
    """They are only counted in all; the last run is one of the model that was asked, or of its stand-in."""
    if not runs or not searches:
        return list(runs)
    *first, last = runs
    return [*first, last._replace(usage=msgspec.structs.replace(last.usage, searches=searches))]


def _counted(counts: _Counts) -> Usage:
    read, written = counts.cache_read_input_tokens or 0, counts.cache_creation_input_tokens or 0
    kept, details = counts.cache_creation or _CacheCreation(), counts.output_tokens_details or _OutputDetails()
    searched = counts.server_tool_use or _ServerToolUse()
    return Usage(
        input_tokens=(counts.input_tokens or 0) + read + written,  # the service leaves the cached ones out
        cache_read_tokens=read,
        cache_write_tokens=written,
        cache_write_1h_tokens=kept.ephemeral_1h_input_tokens or 0,
        output_tokens=counts.output_tokens or 0,
        reasoning_tokens=details.thinking_tokens or 0,
        searches=searched.web_search_requests or 0,
    )
