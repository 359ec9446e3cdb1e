"""What a session may cost: how much it has cost, and the refusal once that is as much as it may. Pure."""

import math
from collections.abc import Iterable

import msgspec

from actors.messages.base import Problem
from actors.messages.conversation import (
    AssistantMessage,
    Body,
    BrokenTry,
    Compacted,
    Named,
)
from actors.messages.subagent_entries import SubagentEnded
from actors.messages.usage import NOTHING_USED, Usage

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
    """What one session has cost so far."""

    sum_usd: float | None = 0.0
    """None: a part of it is unknown."""
    last_usd: float = 0.0
    """Of the latest answer."""

    def with_next(self, billed: Billed) -> "Tally":
        """What was interrupted or broke off has no usage where the service never came to say it: it counts as much as
        the answer before.
        """
        cost = billed.usage.known_cost_usd
        if billed.usage.cost_usd is None and _is_cut_off(billed):
            cost = self.last_usd
        if cost is None or self.sum_usd is None or not math.isfinite(self.sum_usd + cost):
            return Tally(sum_usd=None, last_usd=self.last_usd)
        return Tally(self.sum_usd + cost, cost if isinstance(billed, AssistantMessage) else self.last_usd)


def spent(billed: Iterable[Billed]) -> float | None:
    """US dollars of what one session was billed for, in its order; None when a part of it is unknown."""
    tally = Tally()
    for one in billed:
        tally = tally.with_next(one)
    return tally.sum_usd


def _is_cut_off(billed: Billed) -> bool:
    return isinstance(billed, BrokenTry) or (isinstance(billed, AssistantMessage) and billed.stop_reason == "cancelled")


def over(spent_usd: float | None, limit_usd: float, what: str, again: str) -> Problem | None:
    """The refusal, or None while there is something left. what: "this session"; again: the command that goes on."""
    if spent_usd is None:
        text = f"what {what} has cost so far is unknown, so --max-cost cannot be kept."
        return Problem(code="over_budget", text=text, hint="Go on without --max-cost, or begin anew.")
    if spent_usd < limit_usd:
        return None
    text = f"{what} has cost {dollars(spent_usd)}, and --max-cost is {dollars(limit_usd)}."
    more = f"{2 * max(spent_usd, limit_usd):.2g}"
    return Problem(code="over_budget", text=text, hint=f"Go on with: {again} --max-cost {more}")


def unpriced(model: str) -> Problem:
    """The refusal where nobody could say when the limit is reached."""
    return Problem(
        code="over_budget",
        text=f"the price of {model} is unknown, so --max-cost cannot be kept.",
        hint=f'Give it in config.toml, in dollars a million tokens, under [models."{model}"]: '
        "prices = [{ input = 2, output = 10, cache_read = 0.2 }]",
    )


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
