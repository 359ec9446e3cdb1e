"""Who may ask a service when: one line for each credential, fair between agents, slowed down by what the service says.

Nobody waits until a service fails for the first time. Then everybody on that key waits as long as it asked for, one
request tries it out, and once it is taken the others follow; after a refusal at most half as many at once as before.
Nobody waits longer than its patience lasts. See DECISIONS.
"""

import math
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import msgspec
import trio

from actors.providers.endpoint import Endpoint
from actors.providers.faults.backoff import Patience
from actors.providers.faults.fault import Fault, ServiceFailed

QUIET_S = 30.0
"""So long without a refusal: one more may be tried than the limit says."""
SAME_S = 0.05
"""A wait that ends so much later than the one that was shown is the same to a reader."""
IN_TURN = "other requests with this key go first."

Show = Callable[[str, float], Awaitable[None]]
"""Why, and for how many seconds (0: nobody knows)."""


class Turn:
    """One request under way, until its context is left."""

    def __init__(self, line: "Line") -> None:
        self._line = line
        self._accepted_before = line.accepted
        self.epoch = line.epoch
        self.starting = True

    def accepted(self) -> None:
        """The service has begun to answer."""
        if self.starting:
            self.starting = False
            self._line.went_well(self)

    def failed(self, fault: Fault, wait_s: float) -> float | None:
        """After how many seconds somebody may ask again; None: the others go on, this one waits by itself.

        Who was answered itself, or saw others answered, has no news for them; but that the service is too busy.
        """
        if not fault.slow_down and self._line.accepted > self._accepted_before:
            return None
        return self._line.slow_down(self, fault, wait_s)


class _Waiter(msgspec.Struct, eq=False):
    agent: str
    patience: Patience


class Line:
    def __init__(self) -> None:
        self.accepted = 0
        self.running = 0
        self.epoch = 0
        """Grows with each slow-down: what was sent before it does not count as another one."""
        self.in_a_row = 0
        """Slow-downs since one was accepted."""
        self._starting = 0
        self._most = math.inf
        self._trying_out = False
        self._not_before = -math.inf
        self._why = ""
        self._fault: Fault | None = None
        """The latest, until one is accepted."""
        self._ease_at = math.inf
        self._waiting: dict[str, deque[_Waiter]] = {}
        self._changed = trio.lowlevel.ParkingLot()

    @property
    def is_busy(self) -> bool:
        """Whoever asks now has to wait, or is the one that tries it out."""
        return bool(self._waiting) or self._trying_out or not self._is_open()

    @asynccontextmanager
    async def turn(self, agent: str, show: Show, patience: Patience, shown_s: float = 0.0) -> AsyncIterator[Turn]:
        """shown_s: so much of the wait is known to the asker. Raises ServiceFailed: its patience is at an end."""
        await self._wait(_Waiter(agent, patience), show, trio.current_time() + shown_s if shown_s else -math.inf)
        turn = Turn(self)
        self.running += 1
        self._starting += 1
        if self._trying_out:
            self._ease_at = trio.current_time() + QUIET_S
        try:
            yield turn
        finally:
            self.running -= 1
            self._starting -= turn.starting
            self._changed.unpark_all()

    def hold(self, why: str, wait_s: float) -> None:
        """Nobody asks for so long, because the service has said that it would refuse."""
        self._trying_out = True
        self._postpone(why, wait_s)

    def slow_down(self, turn: Turn, fault: Fault, wait_s: float) -> float:
        if turn.epoch == self.epoch:
            self.epoch += 1
            self.in_a_row += 1
            if fault.slow_down:
                self._most = max(1, self.running // 2)
        self._trying_out = True
        self._fault = fault
        self._postpone(fault.text, wait_s)
        return max(wait_s, self._not_before - trio.current_time())

    def went_well(self, turn: Turn) -> None:
        self.accepted += 1
        self._starting -= 1
        if turn.epoch == self.epoch:
            self._trying_out, self._fault, self.in_a_row = False, None, 0
            self._most += 1 / self._most
        self._changed.unpark_all()

    def _postpone(self, why: str, wait_s: float) -> None:
        until = trio.current_time() + wait_s
        if until > self._not_before:
            self._not_before, self._why = until, why
        self._ease_at = self._not_before + QUIET_S
        self._changed.unpark_all()

    async def _wait(self, waiter: _Waiter, show: Show, shown: float) -> None:
        if not self._waiting and self._is_open():
            return
        self._waiting.setdefault(waiter.agent, deque()).append(waiter)
        served = False
        try:
            while not (self._first() is waiter and self._is_open()):
                now = trio.current_time()
                self._have_patience(waiter.patience, now)
                if max(now, shown + SAME_S) < self._not_before:
                    shown = self._not_before
                    await show(self._why, self._not_before - now)
                elif shown == -math.inf:
                    shown = now
                    await show(IN_TURN, 0.0)
                else:
                    with trio.move_on_at(self._look_again(waiter)):
                        await self._changed.park()
            served = True
        finally:
            self._leave(waiter, served)
            self._changed.unpark_all()

    def _have_patience(self, patience: Patience, now: float) -> None:
        """Raises ServiceFailed."""
        if self._fault is None:
            patience.no_trouble()
            return
        patience.trouble(now)
        if patience.until <= max(now, self._not_before - SAME_S):
            raise ServiceFailed(self._fault)

    def _is_open(self) -> bool:
        now = trio.current_time()
        if now < self._not_before:
            return False
        if now >= self._ease_at:
            self._ease_at = now + QUIET_S
            self._trying_out = False
            self._most = max(self._most, self.running + 1)
        return self.running + 1 <= self._most and not (self._trying_out and self._starting)

    def _look_again(self, waiter: _Waiter) -> float:
        """When time alone may let the first one go; the others are woken by it. Or when its patience ends."""
        gives_up = waiter.patience.until if self._fault else math.inf
        if self._first() is not waiter:
            return gives_up
        opens = self._not_before if trio.current_time() < self._not_before else self._ease_at
        return min(opens, gives_up)

    def _first(self) -> _Waiter:
        return next(iter(self._waiting.values()))[0]

    def _leave(self, waiter: _Waiter, served: bool) -> None:
        """An agent that was served comes after all the others."""
        own = self._waiting[waiter.agent]
        own.remove(waiter)
        if served or not own:
            del self._waiting[waiter.agent]
            if own:
                self._waiting[waiter.agent] = own


class Limiter:
    def __init__(self) -> None:
        self._lines: dict[tuple[str, str], Line] = {}

    def line(self, endpoint: Endpoint) -> Line:
        """Of the endpoint's host and its key or sign-in, whatever the provider is called."""
        credential = (urlsplit(endpoint.base_url).netloc, endpoint.sign_in or endpoint.key)
        return self._lines.setdefault(credential, Line())
