"""Counts and costs as a service gives them, brought to what they can be: nothing it says may end a session. Pure."""

from collections.abc import Iterable

import msgspec

from actors.messages.usage import Usage
from actors.providers.formats.wire_format import Pass

MOST = 2**53
"""Far more than any count; sums of such still fit everywhere, and a float holds them exactly."""
COUNTS = tuple(name for name in Usage.__struct_fields__ if name != "cost_usd")


def is_sane(usage: Usage) -> bool:
    costs_nothing_odd = usage.cost_usd is None or usage.known_cost_usd is not None
    return costs_nothing_odd and all(0 <= getattr(usage, name) <= MOST for name in COUNTS)


def bounded(usage: Usage) -> Usage:
    """Every count within 0..MOST; a cost that can be none is unknown."""
    counts = {name: min(max(getattr(usage, name), 0), MOST) for name in COUNTS}
    return msgspec.structs.replace(usage, **counts, cost_usd=usage.known_cost_usd)


def are_sane(usage: Usage, passes: Iterable[Pass]) -> bool:
    """Otherwise no cost can be made of them."""
    return is_sane(usage) and all(is_sane(one.usage) for one in passes)
