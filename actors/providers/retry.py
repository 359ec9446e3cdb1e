"""Whether and when a failed request is sent again. Pure: the clock and the dice are the caller's."""

from actors.providers.faults import Fault

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
PATIENCE_S = 120.0
"""When a service asks for more, the user is told instead of kept waiting."""


def wait_before_next(fault: Fault, tried: int, dice: float) -> float | None:
    """Seconds until the next try after `tried` failed ones; None: give up. dice: 0 to 1, spreads those who wait."""
    if tried >= fault.tries:
        return None
    if fault.wait_s is not None:
        return fault.wait_s if fault.wait_s <= PATIENCE_S else None
    return float(min(FIRST_WAIT_S * 2 ** (tried - 1), LONGEST_WAIT_S)) * (1 - 0.25 * dice)


def too_long(fault: Fault) -> str:
    """The next step when a service asks for more patience than we have, else ""."""
    if fault.wait_s is None or fault.wait_s <= PATIENCE_S:
        return ""
    return f"The service asks to wait {fault.wait_s / 60:.0f} minutes; until then choose another model."
