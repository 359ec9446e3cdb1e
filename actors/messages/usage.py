"""What was used of a model: tokens, and what they cost."""

import math

import msgspec


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens of one model answer, or of several added up."""

    input_tokens: int = 0
    """The whole prompt, cached parts included."""
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    cache_write_1h_tokens: int = 0
    """The part of cache_write_tokens that is kept for an hour, at a price of its own."""
    output_tokens: int = 0
    """Reasoning included."""
    reasoning_tokens: int = 0
    searches: int = 0
    """Web searches by the service, which are billed apart."""
    cost_usd: float | None = None
    """None: unknown."""

    @property
    def is_reported(self) -> bool:
        """False where nobody has counted anything: then the zeros say nothing."""
        return self.cost_usd is not None or bool(self.input_tokens or self.output_tokens)

    @property
    def known_cost_usd(self) -> float | None:
        """What a service said may be no sum of money: then it is unknown, too."""
        cost = self.cost_usd
        return cost if cost is not None and 0 <= cost < math.inf else None

    def __add__(self, other: "Usage") -> "Usage":
        costs = (self.known_cost_usd, other.known_cost_usd)
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            cache_read_tokens=self.cache_read_tokens + other.cache_read_tokens,
            cache_write_tokens=self.cache_write_tokens + other.cache_write_tokens,
            cache_write_1h_tokens=self.cache_write_1h_tokens + other.cache_write_1h_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            reasoning_tokens=self.reasoning_tokens + other.reasoning_tokens,
            searches=self.searches + other.searches,
            cost_usd=None if costs[0] is None or costs[1] is None else costs[0] + costs[1],
        )


NOTHING_USED = Usage(cost_usd=0.0)
"""Where a sum begins: one unknown cost makes the sum unknown."""
