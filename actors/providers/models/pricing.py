"""What an answer costs, from its token counts and the prices. Exact, or unknown: never a guess. Pure."""

from collections.abc import Callable, Iterable
from decimal import Decimal
from urllib.parse import urlsplit

import msgspec

from actors.messages.model import ModelFacts, Price
from actors.messages.usage import Usage
from actors.providers.endpoint import Endpoint, Target
from actors.providers.formats import sane_counts
from actors.providers.formats.wire_format import Pass
from actors.providers.services import dialects

MILLION = 1_000_000
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
FREE = (Price(input=0, output=0, cache_read=0, cache_write=0, cache_write_1h=0),)

Lookup = Callable[[str], ModelFacts]
"""Of another model of the same provider, by the name its service gives it."""


def cost_usd(facts: ModelFacts, passes: Iterable[Pass], lookup: Lookup = lambda _name: ModelFacts()) -> float | None:
    """None: unknown, as soon as one count that is not 0 has no price.

    So a cache write without a price of its own is unknown, not input: services that take nothing for writing do not
    report writes. An answer without any token counted has no usage, and its cost is unknown, not 0.
    """
    passes = list(passes)
    if not any(one.usage.input_tokens for one in passes):
        return None
    sum_usd = Decimal(0)
    for one in passes:
        asked = not one.name or one.name == facts.id or one.name in facts.aliases
        cost = _of_pass(facts if asked else lookup(one.name), one.usage)
        if cost is None:
            return None
        sum_usd += cost
    return float(sum_usd)


def priced(usage: Usage, passes: list[Pass], facts: ModelFacts, lookup: Lookup) -> Usage:
    """What the service counted, as far as that can be, with its cost."""
    if not sane_counts.are_sane(usage, passes):
        return msgspec.structs.replace(sane_counts.bounded(usage), cost_usd=None)
    if usage.cost_usd is not None:
        return usage  # the service has said it
    return msgspec.structs.replace(usage, cost_usd=cost_usd(facts, passes or [Pass(usage)], lookup))


def _of_pass(facts: ModelFacts, usage: Usage) -> Decimal | None:
    tiers = [price for price in facts.prices if usage.input_tokens > price.above or not price.above]
    price = max(tiers, key=lambda price: price.above, default=None)
    uncached = usage.input_tokens - usage.cache_read_tokens - usage.cache_write_tokens
    written_5m = usage.cache_write_tokens - usage.cache_write_1h_tokens
    if price is None or min(uncached, written_5m) < 0:
        return None
    parts = (
        (uncached, price.input),
        (usage.cache_read_tokens, price.cache_read),
        (written_5m, price.cache_write),
        (usage.cache_write_1h_tokens, price.cache_write_1h),
        (usage.output_tokens, price.output),
        (usage.searches * MILLION, facts.search_usd),
    )
    counted = [(count, dollars) for count, dollars in parts if count]
    if any(dollars is None for _, dollars in counted):
        return None
    return sum((count * Decimal(str(dollars)) for count, dollars in counted), Decimal(0)) / MILLION


def with_prices(target: Target) -> Target:
    """What runs on this machine costs nothing a token; the user may say otherwise in the settings."""
    if target.facts.prices or not _is_ours(target.endpoint) or target.name.endswith(("-cloud", ":cloud")):
        return target
    return Target(target.endpoint, target.name, msgspec.structs.replace(target.facts, prices=FREE))


def is_known(target: Target) -> bool:
    """Will an answer have a cost? Some services say it themselves."""
    return bool(target.facts.prices) or dialects.of(target).says_cost


def _is_ours(endpoint: Endpoint) -> bool:
    """One of the servers that run models themselves, here: not a gateway, which may pass the question on."""
    here = urlsplit(endpoint.base_url).hostname in LOOPBACK
    return here and dialects.named(endpoint).runs_models and not endpoint.key_env
