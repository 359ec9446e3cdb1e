"""Where a batch stands at one moment: what is shown of it, and told through its door. Plain structs."""

from typing import Literal

import msgspec

from actors.messages.usage import NOTHING_USED, Usage


class AtWork(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A task that a worker has."""

    task: str
    doing: str = ""
    """In a few words, harmless."""
    since: float
    """When it began. Seconds since the epoch, like all times here."""
    wait_until: float = 0.0
    """Its model service is waited for; 0: it is not."""
    tokens: int = 0
    cost_usd: float | None = 0.0
    """None: unknown."""


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag=True):
    """tag: it goes through the door beside other words."""

    run_id: str
    began_at: float
    """This start of it."""
    tasks: int
    done_before: int = 0
    """By earlier starts; not among those that have ended."""
    at_work: tuple[AtWork, ...] = ()
    ended: dict[str, int] = {}
    """How many, by reason."""
    left: int = 0
    """Not begun."""
    workers: int = 1
    used: Usage = NOTHING_USED
    """Of all that have ended, and of those at work so far."""
    limit_usd: float | None = None
    mean_s: float = 0.0
    """Of the tasks that ended since this start; 0: none has."""
    state: Literal["running", "pausing"] = "running"


def seconds_left(standing: Standing, now: float) -> float | None:
    """About: as if what is left took as long as what has ended. None: nobody can tell."""
    if not standing.mean_s:
        return None
    under_way = sum(max(standing.mean_s - (now - task.since), 0.0) for task in standing.at_work)
    return (under_way + standing.left * standing.mean_s) / max(min(standing.workers, standing.left + 1), 1)
