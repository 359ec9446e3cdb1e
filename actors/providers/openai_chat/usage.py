"""Token counts in everybody's words, and what they come to. Pure."""

from actors.messages.conversation import Usage
from actors.providers.openai_chat.chunk import CostDetails, Counts, Details, Searches, Timings


def counted(counts: Counts, timings: Timings) -> Usage:
    """No tokens at all means that the server did not count them."""
    prompt = counts.prompt_tokens_details or Details()
    completion = counts.completion_tokens_details or Details()
    read = prompt.cached_tokens or counts.prompt_cache_hit_tokens or counts.cached_tokens or timings.cache_n or 0
    input_tokens, answer = counts.prompt_tokens or 0, counts.completion_tokens or 0
    # xAI and Gemini count reasoning beside completion_tokens; the total tells
    output = max(answer, (counts.total_tokens or 0) - input_tokens)
    return Usage(
        input_tokens=input_tokens,
        cache_read_tokens=min(read, input_tokens),
        cache_write_tokens=prompt.cache_write_tokens or 0,
        output_tokens=output,
        reasoning_tokens=completion.reasoning_tokens or output - answer,
        searches=_searches(counts),
        cost_usd=_cost(counts),
    )


def _searches(counts: Counts) -> int:
    used = counts.server_tool_use or counts.server_tool_use_details or Searches()
    return used.web_search_requests or 0


def _cost(counts: Counts) -> float | None:
    if counts.cost is None or not counts.is_byok:
        return counts.cost
    return counts.cost + ((counts.cost_details or CostDetails()).upstream_inference_cost or 0.0)
