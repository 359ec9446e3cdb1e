"""When a server that failed is started again, and when it is given up. Pure."""

from collections.abc import Sequence

from actors.mcp import limits


def given_up(failures: Sequence[float], now: float) -> bool:
    """failures: when it failed, in seconds of any clock; a start that was asked for by hand forgets them."""
    recent = [at for at in failures if now - at <= limits.FAILURES_S]
    return len(recent) >= limits.FAILURES


def delay(in_a_row: int, jitter: float) -> float:
    """Seconds before the next start. in_a_row: failures since it last was ready. jitter: from 0 to 1."""
    if in_a_row == 0:
        return 0.0
    base = limits.BACK_OFF_S[min(in_a_row, len(limits.BACK_OFF_S)) - 1]
    return base * (1 + limits.JITTER * (2 * jitter - 1))


def may_try_again(failures: Sequence[float], now: float) -> bool:
    """Of one that was given up: somebody asks for it, a good while later."""
    return not failures or now - failures[-1] >= limits.GIVEN_UP_S
