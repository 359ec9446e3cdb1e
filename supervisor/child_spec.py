"""What a child is, as data: what it runs, whom it may speak to, what it may use. Pure."""

from collections.abc import Sequence
from typing import Literal

import msgspec

Restart = Literal["permanent", "transient", "temporary"]


class Limit(msgspec.Struct, frozen=True):
    """More than so many restarts in so many seconds is giving up."""

    restarts: int
    seconds: float


class ChildSpec(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    """`store`, or a template `agent:*` for those that are started by name."""
    entry: str
    """MODULE:FUNCTION of `async def run(mailbox, settings)`."""
    talks_to: tuple[str, ...] = ()
    """Whom it may send requests to; answers always find their way."""
    leads: bool = False
    """It may have any actor started and stopped, and ask the supervisor whatever else there is."""
    starts: tuple[str, ...] = ()
    """Whom else it may have started and stopped, and nothing more."""
    spawns: tuple[str, ...] = ()
    """The same, but only those that are its own: nobody else has started them. They end with it."""
    at_once: int | None = None
    """Of a template: so many of them may be there at one time."""
    in_all: int | None = None
    """Of a template: so many names may be started by each of those that do, in one run of the program."""
    restart: Restart = "permanent"
    """permanent: lives again, and the session ends when it is given up; transient: lives again after a crash, and
    giving it up costs only itself; temporary: dies once."""
    prepare: str = ""
    """MODULE:FUNCTION called in the new process before its event loop: `def prepare(settings, socket_fd)`."""
    grace_s: float = 0.1
    """A cancelled request that is not answered by then costs the actor its process."""
    stop_s: float = 0.0
    """How long it may finish when the session ends; 0: it has nothing to finish."""
    memory_mb: int = 2048
    heartbeat_s: float = 10.0
    """Silence after a ping that counts as hung."""
    notes: bool = False
    """What it tells of failed requests is written to the log."""
    lazy: bool = False
    """Its process is started when it is first sent something."""
    late: bool = False
    """Its process is started after those of the others: what it is asked it is asked by them, some time later."""
    secrets: bool = False
    """It sees API keys in its environment, and all that the settings say of the providers."""
    terminal: bool = False
    """It owns the terminal."""
    template: tuple[str, ...] = ()
    """Modules that are too large for the template of all: it is forked from one that has imported these, which is
    started with the first of them."""
    heals: bool = False
    """What it is asked is written down first and found there by its next life: not to be asked again saves nobody."""
    subscribers: bool = False
    """What it is asked is to tell what happens, all the time: such a request alone is no work."""
    failures: Limit = Limit(restarts=7, seconds=300.0)
    """More deaths by its own fault than this, however slow, are too many. One that hangs dies every 11 s."""

    @property
    def modules(self) -> tuple[str, ...]:
        """That it runs."""
        return tuple(entry.partition(":")[0] for entry in (self.entry, self.prepare) if entry)


def matches(pattern: str, name: str) -> bool:
    return pattern == name or (pattern.endswith(":*") and name.startswith(pattern[:-1]))


def spec_of(tree: Sequence[ChildSpec], name: str) -> ChildSpec | None:
    return next((spec for spec in tree if matches(spec.name, name)), None)


def may_send(tree: Sequence[ChildSpec], sender: str, to: str) -> bool:
    spec = spec_of(tree, sender)
    return spec is not None and any(matches(pattern, to) for pattern in spec.talks_to)
