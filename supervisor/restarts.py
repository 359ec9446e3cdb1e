"""Whether an actor that died lives again, when, and after how many deaths no more. Pure."""

import signal
from collections.abc import Sequence

from supervisor.child_spec import ChildSpec, Limit

LIMIT = Limit(restarts=10, seconds=30.0)
DEADLY = Limit(restarts=1, seconds=600.0)
"""A request that was being served at more deaths than this is not handed out again."""
FROM_OUTSIDE = frozenset(status for number in (signal.SIGKILL, signal.SIGTERM) for status in (-number, 128 + number))
"""Exit statuses of who was killed; a guardian says of its worker 128 and the signal."""
FREE_RESTARTS = 3
"""Deaths within the limit's time that are answered at once: one kill is no reason to keep a user waiting."""
FIRST_DELAY_S = 0.1
LONGEST_DELAY_S = 5.0


def should_restart(spec: ChildSpec, exit_status: int) -> bool:
    """exit_status: 0 for a clean leave, else the exit code or minus the signal."""
    match spec.restart:
        case "permanent":
            return True
        case "transient":
            return exit_status != 0
        case "temporary":
            return False


def recent(deaths: Sequence[float], now: float, limit: Limit = LIMIT) -> list[float]:
    return [death for death in deaths if death > now - limit.seconds]


def too_many(deaths: Sequence[float], now: float, limit: Limit = LIMIT) -> bool:
    return len(recent(deaths, now, limit)) > limit.restarts


def by_own_fault(exit_status: int) -> bool:
    """A crash or a fault of memory; who is killed is not to blame, unless it is known why."""
    return exit_status != 0 and exit_status not in FROM_OUTSIDE


def restart_delay(deaths: Sequence[float], now: float, jitter: float) -> float:
    """Seconds before the next life; jitter is 0 to 1. Doubles from the fourth death on."""
    extra = len(recent(deaths, now)) - FREE_RESTARTS
    if extra <= 0:
        return 0.0
    return min(FIRST_DELAY_S * 2.0 ** (extra - 1), LONGEST_DELAY_S) * (0.5 + jitter / 2)
