"""Fault injection, in any mode: TROUPER_CHAOS="providers:kill@message:3,store:hang@message:5,agent:kill@time:0.2".

A rule is ACTOR:WHAT@message:NUMBER, ACTOR:WHAT@time:NUMBER or ACTOR:WHAT@text:TEXT, separated by commas.

ACTOR   the name of an actor, or the first part of it: `agent` is every agent, `agent:main` one of them
WHAT    kill: SIGKILL to itself; hang: it stops answering and burns no CPU; crash: an error of its own
message when its n-th message arrives (requests, replies and items count, pings do not)
time    so many seconds after its start
text    when a message arrives that holds this text (without commas): whatever else it serves, and in which order

A rule works in one life of an actor: the first rule that fits in its first, the second in its second, and so on; so
"store:kill@message:5,store:kill@message:5" kills the store twice. A rule that cannot be read is an error (exit 2).
"""

import os
import signal
import threading
import time
from typing import Literal

import msgspec

from actors.common.lean.late_patterns import late_pattern
from actors.mailbox import Link
from actors.messages.base import Envelope

_RULE = late_pattern(
    r"(?P<actor>[\w.:-]+):(?P<what>kill|hang|crash)@"
    r"(?:(?P<when>message|time):(?P<number>\d+(?:\.\d+)?)|text:(?P<text>.+))"
)


class BadChaos(Exception):
    """A rule that cannot be read."""


class Struck(Exception):
    """By a rule, in the middle of its work."""


class Fault(msgspec.Struct, frozen=True):
    actor: str
    what: Literal["kill", "hang", "crash"]
    when: Literal["message", "time", "text"]
    number: float = 0.0
    text: str = ""


def parse(text: str) -> tuple[Fault, ...]:
    """Raises BadChaos."""
    faults = []
    for rule in filter(None, (part.strip() for part in text.split(","))):
        match = _RULE.fullmatch(rule)
        if match is None:
            raise BadChaos(
                f'TROUPER_CHAOS: cannot read "{rule}". Write ACTOR:kill|hang|crash@message|time:NUMBER '
                'or @text:TEXT, for example "store:kill@message:5".'
            )
        what, when = match["what"], match["when"]
        faults.append(
            Fault(
                actor=match["actor"],
                what="kill" if what == "kill" else "hang" if what == "hang" else "crash",
                when="message" if when == "message" else "time" if when == "time" else "text",
                number=float(match["number"] or 0),
                text=match["text"] or "",
            )
        )
    return tuple(faults)


def fault_of(faults: tuple[Fault, ...], name: str, life: int) -> Fault | None:
    """The fault of an actor's life, counted from 0."""
    fitting = [fault for fault in faults if name == fault.actor or name.startswith(f"{fault.actor}:")]
    return fitting[life] if life < len(fitting) else None


def strike(fault: Fault) -> None:
    if fault.what == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if fault.what == "crash":
        raise Struck(fault)
    while True:
        time.sleep(3600)  # in the event loop's own thread: nothing of this process moves any more


def arm_timer(fault: Fault | None) -> None:
    """For time faults: a kill needs only a thread; a hang stops the loop's thread by a signal handler."""
    if fault is None or fault.when != "time":
        return
    signal.signal(signal.SIGUSR1, lambda _number, _frame: strike(fault))
    timer = threading.Timer(fault.number, lambda: os.kill(os.getpid(), signal.SIGUSR1))
    timer.daemon = True
    timer.start()


class FaultyLink:
    """A link whose reader strikes when the n-th message arrives, or one that holds the text."""

    def __init__(self, link: Link, fault: Fault) -> None:
        self._link = link
        self._fault = fault
        self._arrived = 0

    def send(self, envelope: Envelope) -> None:
        self._link.send(envelope)

    async def receive(self) -> list[Envelope]:
        envelopes = await self._link.receive()
        if self._is_met(envelopes):
            strike(self._fault)
        return envelopes

    def _is_met(self, envelopes: list[Envelope]) -> bool:
        if self._fault.when == "text":
            return any(self._fault.text.encode() in bytes(memoryview(envelope.body)) for envelope in envelopes)
        self._arrived += sum(1 for envelope in envelopes if envelope.kind not in {"ping", "credit"})
        return self._arrived >= self._fault.number
