"""Who gets which envelope: a pure table of names and requests under way. Bodies are never read.

A request is named by (asker, id). The router knows who serves it, so a cancel finds whoever has it now, an answer can
only come from there, and a death is told to everyone it concerns.
"""

import time
from collections.abc import Callable, Iterable

import msgspec

from actors import messages
from actors.common.plurals import how_many
from actors.messages.base import Envelope, Problem, ProblemCode
from supervisor import restarts
from supervisor.suspects import Key, Suspects, fingerprint

SUPERVISOR = "supervisor"


class Cancelled(msgspec.Struct, frozen=True):
    """A cancel was handed to `server`: it has its grace to answer for this request."""

    server: str
    asker: str
    id: int


class Router:
    def __init__(
        self,
        may_send: Callable[[str, str], bool],
        known: Callable[[str], bool],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """may_send(sender, to): is this way open? known(name): is there such an actor, up or being restarted?"""
        self._may_send = may_send
        self._known = known
        self._suspects = Suspects(clock)
        self._serving: dict[Key, str] = {}
        self._bodies: dict[Key, int] = {}
        """Their fingerprints."""
        self._taken_back: set[Key] = set()
        """Requests under way that were cancelled: nobody may hand them on any more."""
        self.cancelled: list[Cancelled] = []
        """Cancels handed out since the list was last emptied; for the kill ladder."""

    def open_requests(self, server: str) -> int:
        return sum(1 for serving in self._serving.values() if serving == server)

    def waits_for(self, asker: str) -> tuple[str, ...]:
        """Who serves its requests that are under way, each once."""
        return tuple(sorted({server for (who, _), server in self._serving.items() if who == asker}))

    def at_work(self, subscribed: Callable[[str], bool]) -> set[str]:
        """Those that serve a request, and those that wait for one.

        subscribed(server): is what it is asked only to tell what happens? That alone is no work.
        """
        asked = ((asker, server) for (asker, _), server in self._serving.items())
        return {name for pair in asked if not subscribed(pair[1]) for name in pair}

    def is_open(self, asker: str, number: int, server: str) -> bool:
        return self._serving.get((asker, number)) == server

    def route(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        """What to deliver for an envelope that came from `source`; each goes to its own `to`."""
        match envelope.kind:
            case "tell" | "ask" | "stream":
                return self._request(_stamp(envelope, source))
            case "forward":
                return self._forward(envelope, source)
            case "item" | "reply" | "error" | "cancelled":
                return self._answer(envelope, source)
            case "cancel" | "credit":
                return self._about(envelope, source)
            case _:
                return ()

    def died(self, name: str, *, blamed: bool = False) -> list[Envelope]:
        """Its askers learn of it; what it had asked is cancelled, for nobody waits for it any more.

        blamed: it died by its own fault, and each request that it was serving may be why.
        """
        deliveries = []
        served: set[int] = set()  # the same from two askers is still one death
        for (asker, number), server in list(self._serving.items()):
            if asker == name:
                self._taken_back.add((asker, number))
                self.cancelled.append(Cancelled(server, asker, number))
                deliveries.append(Envelope(kind="cancel", to=server, sender=asker, id=number))
            elif server == name:
                tried = (asker, number) not in self._taken_back and not self._suspects.is_waiting(name, (asker, number))
                if blamed and tried:
                    served.add(self._bodies[asker, number])
                self._forget((asker, number))
                deliveries.append(_problem(asker, number, name, "actor_died", f"{name} died while serving this."))
        for body in served:
            self._suspects.blame(name, body)
        self._suspects.died(name)
        return deliveries

    def _request(self, envelope: Envelope) -> Iterable[Envelope]:
        refusal: tuple[ProblemCode, str] | None = None
        if not self._may_send(envelope.sender, envelope.to):
            refusal = ("not_allowed", f"{envelope.sender} may not send to {envelope.to}.")
        elif not self._known(envelope.to):
            refusal = ("gone", f"There is no {envelope.to}.")
        if refusal is not None:
            return () if envelope.kind == "tell" else (_problem(envelope.sender, envelope.id, envelope.to, *refusal),)
        return (envelope,) if envelope.kind == "tell" else self._hand_out((envelope.sender, envelope.id), envelope)

    def _forward(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        key = (envelope.asker, envelope.id)
        if self._serving.get(key) != source:
            return ()  # the asker died or took it back meanwhile
        if key in self._taken_back:
            cancelled = Envelope(kind="cancelled", to=envelope.asker, sender=envelope.to, id=envelope.id)
            return (cancelled, *self._over(key, well=True))
        following = self._over(key, well=True)
        if not self._may_send(source, envelope.to) or not self._known(envelope.to):
            problem = _problem(envelope.asker, envelope.id, envelope.to, "gone", f"{source} has no {envelope.to}.")
            return (problem, *following)
        handed = Envelope(kind="stream", to=envelope.to, sender=envelope.asker, id=envelope.id, body=envelope.body)
        return (*self._hand_out(key, handed), *following)

    def _hand_out(self, key: Key, envelope: Envelope) -> Iterable[Envelope]:
        """What has cost two lives is not given to the next; what has cost one is tried with no other such beside it."""
        server, body = envelope.to, fingerprint(envelope)
        deaths = self._suspects.deaths(server, body)
        if deaths > restarts.DEADLY.restarts:
            text = f"{server} died {how_many(deaths, 'time')} while it was serving just this, so it is not tried again."
            return (_problem(*key, server, "deadly", text),)
        self._serving[key], self._bodies[key] = server, body
        return () if deaths and self._suspects.must_wait(server, key, envelope) else (envelope,)

    def _answer(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        key = (envelope.to, envelope.id)
        if self._serving.get(key) != source:
            return ()
        if envelope.kind == "item":
            return (_stamp(envelope, source),)
        return (_stamp(envelope, source), *self._over(key, well=envelope.kind != "cancelled"))

    def _over(self, key: Key, *, well: bool) -> list[Envelope]:
        """Returns what its server is given in its place."""
        server, body = self._serving[key], self._bodies[key]
        self._forget(key)
        return self._suspects.over(server, key, body, well=well)

    def _forget(self, key: Key) -> None:
        del self._serving[key], self._bodies[key]
        self._taken_back.discard(key)

    def _about(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        server = self._serving.get((source, envelope.id))
        if server is None:
            if envelope.kind == "cancel":
                return (Envelope(kind="cancelled", to=source, sender=envelope.to, id=envelope.id),)
            return ()
        if envelope.kind == "cancel":
            self._taken_back.add((source, envelope.id))
            self.cancelled.append(Cancelled(server, source, envelope.id))
        return (Envelope(kind=envelope.kind, to=server, sender=source, id=envelope.id, body=envelope.body),)


def _stamp(envelope: Envelope, source: str) -> Envelope:
    """Nobody speaks in another's name."""
    return envelope if envelope.sender == source else msgspec.structs.replace(envelope, sender=source)


def _problem(asker: str, number: int, server: str, code: ProblemCode, text: str) -> Envelope:
    body = messages.encode(Problem(code=code, text=text))
    return Envelope(kind="error", to=asker, sender=server, id=number, body=body)
