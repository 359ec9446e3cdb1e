"""Whether and when a failed request is sent again. Pure: the clock and the dice are the caller's."""

import math

import msgspec

from actors.providers.faults import retry_after
from actors.providers.faults.fault import Fault

FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 32.0
"""Where the service does not say how long."""
LONGEST_HERE_S = 3.0
"""Of a server of this machine: asking it costs nothing, and whoever starts it or has it load a model looks on."""
DOUBLINGS = 6
"""From the first to the longest wait."""
MOST_UNREADABLE = 4
"""Tries in all, of a request whose answers cannot be read."""


class Patience(msgspec.Struct):
    """What one request has been through. See DECISIONS: patience is time."""

    retry_for_s: float
    here: bool = False
    """Is it a server of this machine?"""
    failed: int = 0
    unreadable: int = 0
    until: float = math.inf
    """When patience ends, once there is trouble."""

    def trouble(self, now: float) -> None:
        """From here on it is waited."""
        self.until = min(self.until, now + self.retry_for_s)

    def no_trouble(self) -> None:
        """What it only waited for, beside others that failed, is over."""
        if not self.failed:
            self.until = math.inf

    def wait_s(self, fault: Fault, now: float, dice: float, in_a_row: int = 0) -> float | None:
        """Seconds until the next try after this fault; None: give up.

        dice: 0 to 1, spreads those who wait. in_a_row: so many have failed on this key and none went well.
        """
        self.trouble(now)
        self.failed += 1
        self.unreadable += fault.again == "a few times"
        left = self.until - now
        if fault.again == "never" or self.unreadable >= MOST_UNREADABLE or left <= 0:
            return None
        if fault.wait_s is not None:
            return fault.wait_s if fault.wait_s <= left else None
        doubled = min(max(self.failed, in_a_row + 1) - 1, DOUBLINGS)
        here = self.here and fault.code != "rate_limited"  # a limit is that of a service behind it
        longest = LONGEST_HERE_S if here else LONGEST_WAIT_S
        return min(min(float(FIRST_WAIT_S * 2**doubled), longest) * dice, left)


def too_long(fault: Fault, retry_for_s: float, now: float) -> str:
    """The next step when a service asks for more patience than we have, else "". now: seconds since the epoch."""
    if fault.wait_s is None or fault.wait_s <= retry_for_s or fault.again == "never":
        return ""
    until = retry_after.clock(now + fault.wait_s, now)
    return (
        f"The service asks to wait {retry_after.length(fault.wait_s)}, until {until}; until then choose another model."
    )
