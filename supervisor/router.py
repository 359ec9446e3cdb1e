"""Who gets which envelope: a pure table of names and requests under way. Bodies are never read.

A request is named by (asker, id). The router knows who serves it, so a cancel finds whoever has it now, an answer can
only come from there, and a death is told to everyone it concerns.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import msgspec

from actors import messages
from actors.messages.base import Envelope, Problem, ProblemCode

SUPERVISOR = "supervisor"


@dataclass(frozen=True)
class Cancelled:
    """A cancel was handed to `server`: it has its grace to answer for this request."""

    server: str
    asker: str
    id: int


class Router:
    def __init__(self, may_send: Callable[[str, str], bool], known: Callable[[str], bool]) -> None:
        """may_send(sender, to): is this way open? known(name): is there such an actor, up or being restarted?"""
        self._may_send = may_send
        self._known = known
        self._serving: dict[tuple[str, int], str] = {}
        self._taken_back: set[tuple[str, int]] = set()
        """Requests under way that were cancelled: nobody may hand them on any more."""
        self.cancelled: list[Cancelled] = []
        """Cancels handed out since the list was last emptied; for the kill ladder."""

    def open_requests(self, server: str) -> int:
        return sum(1 for serving in self._serving.values() if serving == server)

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

    def died(self, name: str) -> list[Envelope]:
        """Its askers learn of it; what it had asked is cancelled, for nobody waits for it any more."""
        deliveries = []
        for (asker, number), server in list(self._serving.items()):
            if asker == name:
                self._taken_back.add((asker, number))
                self.cancelled.append(Cancelled(server, asker, number))
                deliveries.append(Envelope(kind="cancel", to=server, sender=asker, id=number))
            elif server == name:
                self._over((asker, number))
                deliveries.append(_problem(asker, number, name, "actor_died", f"{name} died while serving this."))
        return deliveries

    def _request(self, envelope: Envelope) -> Iterable[Envelope]:
        refusal: tuple[ProblemCode, str] | None = None
        if not self._may_send(envelope.sender, envelope.to):
            refusal = ("not_allowed", f"{envelope.sender} may not send to {envelope.to}.")
        elif not self._known(envelope.to):
            refusal = ("gone", f"There is no {envelope.to}.")
        if refusal is None:
            if envelope.kind != "tell":
                self._serving[envelope.sender, envelope.id] = envelope.to
            return (envelope,)
        return () if envelope.kind == "tell" else (_problem(envelope.sender, envelope.id, envelope.to, *refusal),)

    def _forward(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        key = (envelope.asker, envelope.id)
        if self._serving.get(key) != source:
            return ()  # the asker died or took it back meanwhile
        if key in self._taken_back:
            self._over(key)
            return (Envelope(kind="cancelled", to=envelope.asker, sender=envelope.to, id=envelope.id),)
        if not self._may_send(source, envelope.to) or not self._known(envelope.to):
            self._over(key)
            return (_problem(envelope.asker, envelope.id, envelope.to, "gone", f"{source} has no {envelope.to}."),)
        self._serving[key] = envelope.to
        return (Envelope(kind="stream", to=envelope.to, sender=envelope.asker, id=envelope.id, body=envelope.body),)

    def _answer(self, envelope: Envelope, source: str) -> Iterable[Envelope]:
        key = (envelope.to, envelope.id)
        if self._serving.get(key) != source:
            return ()
        if envelope.kind != "item":
            self._over(key)
        return (_stamp(envelope, source),)

    def _over(self, key: tuple[str, int]) -> None:
        del self._serving[key]
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
