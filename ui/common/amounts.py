"""How old, how long and how large something is, in a word or two for people."""

import math

from actors.common.budget import dollars

MB = 1024 * 1024
UNITS_S = ((86400.0, "d"), (3600.0, "h"), (60.0, "min"))


def age(seconds: float) -> str:
    """Rounded down, in its largest unit."""
    return next((f"{int(seconds // unit_s)} {name}" for unit_s, name in UNITS_S if seconds >= unit_s), "now")


def size(count: int) -> str:
    """count: bytes."""
    return f"{count / MB:.1f} MB" if count >= MB else f"{max(round(count / 1024), 1)} KB"


def price(cost_usd: float | None) -> str:
    return "?" if cost_usd is None else dollars(cost_usd)


def clock(seconds: float) -> str:
    """That something takes: 42s, 3:07."""
    whole = math.floor(seconds)
    return f"{whole}s" if whole < 60 else f"{whole // 60}:{whole % 60:02d}"


def thousands(count: int) -> str:
    """Of tokens: 900, 9.1k, 1.2M."""
    return str(count) if count < 1000 else f"{count / 1000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"
