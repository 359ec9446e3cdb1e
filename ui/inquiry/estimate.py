"""What an inquiry is going to take, before its first request, and whether that has to be agreed to first. Pure."""

from collections.abc import Sequence

import msgspec

from actors.common.budget import dollars
from actors.common.plurals import how_many
from actors.messages.model import ModelFacts, Price

ANSWER = 2000
"""Tokens of an answer, about: some findings, and the thinking before them."""
MOST_USD, MOST_TOKENS = 1.0, 500_000
"""More than that is agreed to first: dollars, or tokens where the price is not known."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    to_ask: int
    """Questions."""
    answered: int
    """Before, and not asked again."""
    tokens: int
    """To be sent."""
    usd: float | None
    """None: the price is not known."""

    @property
    def is_large(self) -> bool:
        return self.tokens > MOST_TOKENS if self.usd is None else self.usd > MOST_USD


def estimate(facts: ModelFacts, sizes: Sequence[int], answered: int) -> Estimate:
    """sizes: tokens of each question that is to be asked."""
    usd = sum(_usd(facts.prices, size) for size in sizes) if facts.prices else None
    return Estimate(to_ask=len(sizes), answered=answered, tokens=sum(sizes), usd=0.0 if not sizes else usd)


def _usd(prices: Sequence[Price], size: int) -> float:
    price = max((one for one in prices if one.above < size), key=lambda one: one.above, default=prices[0])
    return (size * price.input + ANSWER * price.output) / 1_000_000


def in_words(found: Estimate, noun: str, model: str) -> str:
    """noun: of a question, such as "chunk"."""
    before = f" ({found.answered} more answered before)" if found.answered else ""
    if not found.to_ask:
        return f"nothing is left to ask: {how_many(found.answered, noun)} answered before"
    price = "; its price is not known" if found.usd is None else f", about {dollars(found.usd)}"
    return f"{how_many(found.to_ask, noun)}{before} for {model}: about {how_many(found.tokens, 'token')}{price}"
