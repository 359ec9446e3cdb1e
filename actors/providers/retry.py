"""Whether and when a failed request is sent again. Pure: the clock and the dice are the caller's."""

from dataclasses import dataclass

from actors.providers import waits
from actors.providers.faults import Fault

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 8.0
PATIENCE_S = 120.0
"""When a service asks for more, the user is told instead of kept waiting."""
TOLD_TRIES = 12
"""In all, for a request that is alone and is told each time how long to wait."""
MOST_REFUSALS = 40
"""Of one request, whoever else is using the key."""


@dataclass
class Tries:
    """What one request has been through. See DECISIONS: being told to wait is no failure."""

    failed: int = 0
    counted: int = 0

    def wait_s(self, fault: Fault, dice: float, *, in_a_crowd: bool = False) -> float | None:
        """Seconds until the next try after this fault; None: give up. dice: 0 to 1, spreads those who wait."""
        self.failed += 1
        most = fault.tries
        if fault.slow_down:
            self.counted += not in_a_crowd
            most = max(most, TOLD_TRIES) if fault.wait_s is not None else most
        else:
            self.counted += 1
        if fault.tries == 1 or self.counted >= most or self.failed >= MOST_REFUSALS:
            return None
        if fault.wait_s is not None:
            return fault.wait_s if fault.wait_s <= PATIENCE_S else None
        return float(min(FIRST_WAIT_S * 2 ** (self.failed - 1), LONGEST_WAIT_S)) * (1 - 0.25 * dice)


def too_long(fault: Fault, now: float) -> str:
    """The next step when a service asks for more patience than we have, else ""."""
    if fault.wait_s is None or fault.wait_s <= PATIENCE_S:
        return ""
    until = waits.clock(now + fault.wait_s, now)
    return f"The service asks to wait {waits.length(fault.wait_s)}, until {until}; until then choose another model."
