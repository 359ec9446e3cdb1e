"""What actors may ask of the supervisor itself; the only messages it reads."""

from contextlib import suppress
from typing import Protocol

import msgspec

from actors import messages
from actors.messages.base import Done, Envelope, Message, Problem
from actors.messages.system import DescribeTree, RequestFailed, StartActor, StopActor, Suspend, Tree
from supervisor import child_spec, signals
from supervisor.child import Child
from supervisor.log import Log
from supervisor.router import SUPERVISOR
from supervisor.session_plan import Plan


class Supervisor(Protocol):
    """What an order is carried out on; it is the supervisor that reads them."""

    plan: Plan
    children: dict[str, Child]

    def describe(self) -> Tree: ...

    def start(self, name: str, settings: msgspec.Raw | None = None) -> Child: ...

    async def stop(self, child: Child) -> None: ...

    def hand_over(self, envelope: Envelope) -> None: ...


async def obey(supervisor: Supervisor, asker: str, envelope: Envelope, order: Message) -> None:
    _answer(supervisor, asker, envelope, await _carry_out(supervisor, order))


def note(log: Log, teller: str, envelope: Envelope) -> None:
    """From whoever may tell of failed requests and may ask for nothing."""
    with suppress(msgspec.DecodeError):
        told = messages.decode(envelope.body)
        if isinstance(told, RequestFailed):
            model, code, status, request = told.model, told.code, told.status, told.request_id
            log.event("request failed", teller, model=model, code=code, status=status, request=request)


def refuse(supervisor: Supervisor, asker: str, envelope: Envelope, why: str) -> None:
    _answer(supervisor, asker, envelope, Problem(code="bad_request", text=why))


def _answer(supervisor: Supervisor, asker: str, envelope: Envelope, answer: Message) -> None:
    if envelope.kind != "tell":
        kind: messages.base.Kind = "error" if isinstance(answer, Problem) else "reply"
        body = messages.encode(answer)
        supervisor.hand_over(Envelope(kind=kind, to=asker, sender=SUPERVISOR, id=envelope.id, body=body))


async def _carry_out(supervisor: Supervisor, order: Message) -> Message:
    match order:
        case DescribeTree():
            return supervisor.describe()
        case StartActor(name=name, settings=settings):
            return await _start(supervisor, name, settings)
        case StopActor(name=name):
            if child := supervisor.children.get(name):
                await supervisor.stop(child)
                if supervisor.children.get(name) is child:
                    del supervisor.children[name]
        case Suspend():
            signals.stop_job()
        case _:
            return Problem(code="bad_request", text=f"the supervisor does not know {type(order).__name__}.")
    return Done()


async def _start(supervisor: Supervisor, name: str, settings: msgspec.Raw) -> Message:
    child = supervisor.children.get(name)
    if child is not None and child.stop_asked.is_set():
        await child.ended.wait()
        child = None
    if child is not None and child.state == "failed":
        return Problem(code="gone", text=f"{name} died too often and stays down: {child.last_error}.")
    if child is not None and child.ended.is_set():
        child = None  # it left by itself, and is wanted again
    if child is None and child_spec.spec_of(supervisor.plan.tree, name) is not None:
        supervisor.start(name, settings)
    elif child is None or bytes(child.settings) != bytes(settings):
        return Problem(code="bad_request", text=f"cannot start {name}: no such template, or it is there already.")
    return Done()
