"""Token counts in everybody's words, and what they come to. Pure."""

from actors.messages.usage import Usage
from actors.providers.formats.openai_chat.chunk import CostDetails, Counts, Details, Searches, Timings
from actors.providers.services.dialects import Dialect


def counted(counts: Counts, timings: Timings, dialect: Dialect) -> Usage:
    """No tokens at all means that the server did not count them."""
    prompt = counts.prompt_tokens_details or Details()
    completion = counts.completion_tokens_details or Details()
    read = prompt.cached_tokens or counts.prompt_cache_hit_tokens or counts.cached_tokens or timings.cache_n or 0
    input_tokens, answer = counts.prompt_tokens or 0, counts.completion_tokens or 0
    if not input_tokens and not answer:
        input_tokens, answer = (timings.cache_n or 0) + (timings.prompt_n or 0), timings.predicted_n or 0
    output = max(answer, _beside_prompt(counts, dialect))
    return Usage(
        input_tokens=input_tokens,
        cache_read_tokens=min(read, input_tokens),
        cache_write_tokens=prompt.cache_write_tokens or 0,
        output_tokens=output,
        reasoning_tokens=completion.reasoning_tokens or output - answer,
        searches=_searches(counts),
        cost_usd=_cost(counts),
    )


def _beside_prompt(counts: Counts, dialect: Dialect) -> int:
    """All of the total but the prompt, where that is the output: gateways have totals of other things as well."""
    total, prompt, answer = counts.total_tokens or 0, counts.prompt_tokens or 0, counts.completion_tokens or 0
    reasoning = (counts.completion_tokens_details or Details()).reasoning_tokens or 0
    return total - prompt if dialect.reasoning_beside or prompt + answer + reasoning == total else 0


def _searches(counts: Counts) -> int:
    used = counts.server_tool_use or counts.server_tool_use_details or Searches()
    return used.web_search_requests or 0


def _cost(counts: Counts) -> float | None:
    """With the user's own key the owner of the model bills the rest: without that, it is not known."""
    if counts.cost is None or not counts.is_byok:
        return counts.cost
    upstream = (counts.cost_details or CostDetails()).upstream_inference_cost
    return None if upstream is None else counts.cost + upstream
