"""What a session may use: how much it has used, and the refusal once that is as much as it may. Pure."""

import math
from collections.abc import Iterable

import msgspec

from actors.common.plurals import how_many
from actors.messages.base import Problem
from actors.messages.budget import Budget, BudgetIs
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    Named,
)
from actors.messages.model import ModelFacts
from actors.messages.subagent import SubagentEnded
from actors.messages.usage import NOTHING_USED, Usage

COUNTED_LOW = 1.5
"""Times as many tokens as are estimated a request may have: text that is no English has more."""
UNSEEN = 500
"""Tokens that a service adds by itself."""
MOST_OUTPUT = 32_000
"""Tokens of an answer, where the model's own limit is not known: more is not asked for then."""
Billed = AssistantMessage | BrokenTry | Compacted | Named


def used_by(body: Body) -> Usage:
    """What an entry adds to what its session has used, with all below it."""
    match body:
        case SubagentEnded(used=used):
            return used
        case AssistantMessage(usage=usage) | BrokenTry(usage=usage) | Compacted(usage=usage) | Named(usage=usage):
            return usage
        case _:
            return NOTHING_USED


class Tally(msgspec.Struct, frozen=True):
    """What one session has used so far."""

    sum_usd: float | None = 0.0
    """None: a part of it is unknown."""
    last_usd: float = 0.0
    """Of the latest answer."""
    tokens: int = 0
    """Of input and output."""
    last_tokens: int = 0
    """Of the latest answer."""

    def with_next(self, billed: Billed) -> "Tally":
        """What was interrupted or broke off has no usage where the service never came to say it: it counts as much as
        the answer before.
        """
        usage, cut_off, answers = billed.usage, _is_cut_off(billed), isinstance(billed, AssistantMessage)
        used = usage.input_tokens + usage.output_tokens
        if cut_off and not usage.is_reported:
            used = self.last_tokens
        cost = self.last_usd if cut_off and usage.cost_usd is None else usage.known_cost_usd
        tokens, last_tokens = self.tokens + used, used if answers else self.last_tokens
        if cost is None or self.sum_usd is None or not math.isfinite(self.sum_usd + cost):
            return Tally(None, self.last_usd, tokens, last_tokens)
        return Tally(self.sum_usd + cost, cost if answers else self.last_usd, tokens, last_tokens)


def spent(billed: Iterable[Billed]) -> float | None:
    """US dollars of what one session was billed for, in its order; None when a part of it is unknown."""
    tally = Tally()
    for one in billed:
        tally = tally.with_next(one)
    return tally.sum_usd


def _is_cut_off(billed: Billed) -> bool:
    return isinstance(billed, BrokenTry) or (isinstance(billed, AssistantMessage) and billed.stop_reason == "cancelled")


def over(now: BudgetIs, *, by_screen: bool = False) -> Problem | None:
    """The refusal, or None while there is something left. by_screen: /budget is there to raise it."""
    budget = now.budget
    if budget.usd is not None and now.usd is None:
        text = f"what {budget.what} has cost so far is unknown, so --max-cost cannot be kept."
        return Problem(code="over_budget", text=text, hint="Go on without --max-cost, or begin anew.")
    if budget.usd is not None and now.usd is not None and now.usd >= budget.usd:
        more = 2 * max(now.usd, budget.usd)
        raised = f"/budget +{more - budget.usd:.2g}" if by_screen and budget.again else ""
        spent_so_far = f"{budget.what} has cost {dollars(now.usd)}"
        return _reached(budget, spent_so_far, ("--max-cost", dollars(budget.usd), f"{more:.2g}"), raised)
    if budget.tokens is not None and now.tokens >= budget.tokens:
        more_tokens = 2 * max(now.tokens, budget.tokens)
        used = f"{budget.what} has used {how_many(now.tokens, 'token')}"
        return _reached(budget, used, ("--max-tokens", f"{budget.tokens:,}", str(more_tokens)), "")
    return None


def _reached(budget: Budget, used: str, option: tuple[str, str, str], raised: str) -> Problem:
    """option: its name, what it is, what it might be."""
    name, limit, more = option
    if not budget.again:
        return Problem(code="over_budget", text=f"{used}, and its budget is {limit}.")
    hint = f"Go on with: {' or '.join(filter(None, [raised, f'{budget.again} {name} {more}']))}"
    return Problem(code="over_budget", text=f"{used}, and {name} is {limit}.", hint=hint)


def unpriced(model: str) -> Problem:
    """The refusal where nobody could say when the limit is reached."""
    return Problem(
        code="over_budget",
        text=f"the price of {model} is unknown, so --max-cost cannot be kept.",
        hint=f'Give it in config.toml, in dollars a million tokens, under [models."{model}"]: '
        "prices = [{ input = 2, output = 10, cache_read = 0.2 }]",
    )


def most_tokens(facts: ModelFacts, sent: int) -> int:
    """An upper bound of a request that has about so many tokens, with its answer."""
    return sum(_most(facts, sent))


def most_usd(facts: ModelFacts, sent: int) -> float:
    """The same in dollars. There are prices."""
    most_sent, answered = _most(facts, sent)
    price = max((one for one in facts.prices if one.above < most_sent), key=lambda one: one.above)
    dearest = max(price.input, price.cache_write or 0.0, price.cache_write_1h or 0.0)
    return (most_sent * dearest + answered * price.output) / 1_000_000


def _most(facts: ModelFacts, sent: int) -> tuple[int, int]:
    """Tokens sent and answered."""
    return round(sent * COUNTED_LOW) + UNSEEN, facts.max_output or MOST_OUTPUT


def dollars(amount: float) -> str:
    """Of small sums at least two digits that count: $12.30, $0.14, $0.0123, $0.000021."""
    sign, amount = "-" if amount < 0 else "", abs(amount)
    if not 0 < amount < 1:
        return f"{sign}${amount:.2f}"
    exact = f"{amount:.{max(4, 1 - math.floor(math.log10(amount)))}f}"
    return f"{sign}${exact.rstrip('0'):0<4}"


def in_words(usage: Usage) -> str:
    """For people; "" where nothing was used that could cost."""
    cost = usage.known_cost_usd
    if cost is not None:
        return dollars(cost) if cost or usage.input_tokens else ""
    odd = usage.cost_usd is not None
    return "cost unknown" if odd or usage.input_tokens or usage.output_tokens else ""
