"""One actor across its lives: state, connection, what waits for it while it is down."""

import time
from collections import deque

import msgspec
import trio

from actors.messages.base import Envelope
from actors.messages.system import ActorState
from supervisor.child_spec import ChildSpec
from supervisor.process.spawner import Process
from supervisor.process.stillness import Still
from supervisor.process.wire import Connection


class Child:
    def __init__(self, name: str, spec: ChildSpec, settings: msgspec.Raw) -> None:
        self.name = name
        self.spec = spec
        self.settings = settings
        self.state = "waiting" if spec.lazy else "starting"
        self.process: Process | None = None
        self.connection: Connection | None = None
        self.held: deque[Envelope] = deque()
        """For its next life; as many as there are askers who wait."""
        self.deaths: list[float] = []
        self.failures: list[float] = []
        """Deaths by its own fault: it crashed, hung, grew too large."""
        self.own_fault = False
        """This life ends so."""
        self.lives = 0
        self.messages = 0
        self.cause = ""
        """Why this life ends, where it is known before it has."""
        self.last_error = ""
        """Why the last one did."""
        self.started_at = 0.0
        self.wanted = trio.Event()
        """Somebody needs its process."""
        if not spec.lazy:
            self.wanted.set()
        self.stop_asked = trio.Event()
        self.begun = trio.Event()
        """Its first life has begun."""
        self.ended = trio.Event()
        """It is down for good."""
        self.looked_at = 0.0
        """When it was last pinged."""
        self.pinged_at: float | None = None
        """When the ping that is still unanswered was sent, on the supervisor's clock."""
        self.moved = 0
        """Of its connection, when it was last looked at."""
        self.still: dict[int, Still] = {}
        """Of its processes, those that stand still."""
        self.told_of_disk = False
        """The user knows that it waits, in this life."""
        self.lends_terminal = False
        """To another program, in this life."""
        self.busy = False
        """It was handed something since its last pong."""
        self.memory_mb = 0
        """When it was last looked at."""
        self.grows = False
        """It had more than the time before: what it was handed is not over by its pong."""

    @property
    def up(self) -> bool:
        """It can be handed envelopes, now or after its restart."""
        return self.state in {"waiting", "starting", "running", "restarting"}

    @property
    def restarts(self) -> int:
        return max(0, self.lives - 1)

    def deliver(self, envelope: Envelope) -> None:
        self.messages += 1
        self.busy = True
        self.wanted.set()
        if self.connection is None:
            self.held.append(envelope)
        else:
            self.connection.send(envelope)

    def begin(self, process: Process, connection: Connection) -> None:
        """A new life: it gets its Boot first, then what was held for it."""
        self.lives += 1
        self.process = process
        self.connection = connection
        self.state = "running"
        self.started_at = time.time()
        self.pinged_at, self.moved = None, 0
        self.memory_mb, self.grows = 0, False
        self.still, self.told_of_disk = {}, False
        self.cause, self.own_fault = "", False
        self.begun.set()
        while self.held:
            connection.send(self.held.popleft())

    def ask_to_stop(self) -> None:
        self.stop_asked.set()
        self.wanted.set()  # whoever waits to start it sees that it is not to be

    def life_is_over(self) -> None:
        self.connection = None
        self.process = None
        self.lends_terminal = False

    def forget_requests(self) -> None:
        """Of what is held, only what nobody waits for is kept."""
        self.held = deque(envelope for envelope in self.held if envelope.kind == "tell")

    def fail(self, why: str) -> None:
        """It ends by its own fault."""
        self.own_fault = True
        self.kill(why)

    def kill(self, why: str) -> None:
        self.cause = why or self.cause
        if self.process is not None:
            self.process.kill()

    def describe(self, open_requests: int, waits_for: tuple[str, ...]) -> ActorState:
        return ActorState(
            name=self.name,
            pid=self.process.pid if self.process else 0,
            state=self.state,
            started_at=self.started_at,
            messages=self.messages,
            queue=open_requests,
            restarts=self.restarts,
            last_error=self.last_error,
            waits_for=waits_for,
        )
