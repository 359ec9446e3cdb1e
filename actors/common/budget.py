"""What a session may cost: how much it has cost, and the refusal once that is as much as it may. Pure."""

import math
from collections.abc import Iterable

from actors.messages.base import Problem
from actors.messages.conversation import AssistantMessage, BrokenTry, Compacted, Usage

Billed = AssistantMessage | BrokenTry | Compacted
"""What has a usage that has to be paid for."""


def spent(billed: Iterable[Billed]) -> float | None:
    """US dollars of one session's answers, in their order; None when one of them has an unknown cost.

    What was interrupted or broke off has no usage where the service never came to say it: it counts as much as the
    answer before.
    """
    sum_usd = last = 0.0
    for one in billed:
        cost = one.usage.known_cost_usd
        is_answer = isinstance(one, AssistantMessage)
        broke_off = one.stop_reason == "cancelled" if isinstance(one, AssistantMessage) else isinstance(one, BrokenTry)
        if one.usage.cost_usd is None and broke_off:
            cost = last
        if cost is None:
            return None
        last = cost if is_answer else last
        sum_usd += cost
    return sum_usd if math.isfinite(sum_usd) else None


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
