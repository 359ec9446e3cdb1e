"""Requests that were being served when an actor died by its own fault: tried again one at a time, and not for ever.

Pure. A request is known by a fingerprint of its bytes, so it is the same whoever sends it again.
"""

from collections.abc import Callable

from actors.messages.base import Envelope
from supervisor import restarts

TRIAL_S = 15.0
"""Who has served a suspect for so long gets the next one beside it; longer than a hang takes to be seen."""

Key = tuple[str, int]
"""Of a request: who asked, and the id it was given."""


def fingerprint(envelope: Envelope) -> int:
    return hash(bytes(memoryview(envelope.body)))


class Suspects:
    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._deaths: dict[tuple[str, int], list[float]] = {}
        """Of a server, by fingerprint."""
        self._trials: dict[str, tuple[Key, float]] = {}
        """The suspect that a server has now, and since when."""
        self._waiting: dict[str, dict[Key, Envelope]] = {}

    def blame(self, server: str, body: int) -> None:
        now = self._clock()
        recent = {one: restarts.recent(times, now, restarts.DEADLY) for one, times in self._deaths.items()}
        self._deaths = {one: times for one, times in recent.items() if times}
        self._deaths[server, body] = [*self._deaths.get((server, body), []), now]

    def deaths(self, server: str, body: int) -> int:
        """How many it has cost not long ago."""
        times = self._deaths.get((server, body))
        return len(restarts.recent(times, self._clock(), restarts.DEADLY)) if times else 0

    def must_wait(self, server: str, key: Key, envelope: Envelope) -> bool:
        """Of a suspect: another one is being tried, so this one is kept until that is over."""
        _, since = self._trials.get(server, (key, float("-inf")))
        if self._clock() < since + TRIAL_S:
            self._waiting.setdefault(server, {})[key] = envelope
            return True
        self._trials[server] = key, self._clock()
        return False

    def is_waiting(self, server: str, key: Key) -> bool:
        return key in self._waiting.get(server, {})

    def over(self, server: str, key: Key, body: int, *, well: bool) -> list[Envelope]:
        """A request has ended there; well: it was answered. Returns the suspect that is tried next, if any."""
        if well:
            self._deaths.pop((server, body), None)
        waiting = self._waiting.get(server, {})
        waiting.pop(key, None)
        if self._trials.get(server, (None, 0.0))[0] == key:
            del self._trials[server]
        if server in self._trials or not waiting:
            return []
        following = next(iter(waiting))
        self._trials[server] = following, self._clock()
        return [waiting.pop(following)]

    def died(self, server: str) -> None:
        """Whoever waited for it asks again."""
        self._trials.pop(server, None)
        self._waiting.pop(server, None)
