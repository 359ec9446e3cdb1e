"""What actors may ask of the supervisor itself; the only messages it reads."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Protocol

import msgspec
import trio

from actors import messages
from actors.common.plurals import how_many
from actors.messages.base import Done, Envelope, Message, Problem
from actors.messages.system import DescribeTree, RequestFailed, StartActor, StopActor, Suspend, TerminalLent, Tree
from supervisor import signals
from supervisor.child import Child
from supervisor.child_spec import ChildSpec, matches, spec_of
from supervisor.log import Log
from supervisor.router import SUPERVISOR
from supervisor.session_plan import Plan

SESSIONS_OWN = msgspec.msgpack.encode(None)
"""In place of settings."""
Spawned = Mapping[str, str]
"""Every name that was started by one who may only start its own -> who that was. Also of those that are gone."""


class Supervisor(Protocol):
    """What an order is carried out on; it is the supervisor that reads them."""

    plan: Plan
    children: dict[str, Child]
    spawned: dict[str, str]

    def describe(self) -> Tree: ...

    def start(self, name: str, settings: msgspec.Raw | None = None) -> Child: ...

    async def stop(self, child: Child) -> None: ...

    def hand_over(self, envelope: Envelope) -> None: ...


async def obey(supervisor: Supervisor, asker: str, envelope: Envelope, order: Message) -> None:
    _answer(supervisor, asker, envelope, await _carry_out(supervisor, asker, order))


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


def leads(supervisor: Supervisor, asker: str) -> bool:
    spec = spec_of(supervisor.plan.tree, asker)
    return spec is not None and spec.leads


async def _carry_out(supervisor: Supervisor, asker: str, order: Message) -> Message:
    match order:
        case StartActor(name=name) | StopActor(name=name) if not may(
            supervisor.plan.tree, supervisor.spawned, asker, name
        ):
            return Problem(code="not_allowed", text=f"{asker} may neither start nor stop {name}.")
        case StartActor(name=name, settings=settings):
            return await _start(supervisor, asker, name, settings)
        case StopActor(name=name):
            if child := supervisor.children.get(name):
                await end(supervisor, child)
            await end_spawned_by(supervisor, name)
        case _ if not leads(supervisor, asker):
            return Problem(code="not_allowed", text=f"{asker} may not ask the supervisor for this.")
        case DescribeTree():
            return supervisor.describe()
        case Suspend():
            signals.stop_job()
        case TerminalLent(lent=lent):
            supervisor.children[asker].lends_terminal = lent
        case _:
            return Problem(code="bad_request", text=f"the supervisor does not know {type(order).__name__}.")
    return Done()


async def end(supervisor: Supervisor, child: Child) -> None:
    await supervisor.stop(child)
    if supervisor.children.get(child.name) is child:
        del supervisor.children[child.name]


async def end_spawned_by(supervisor: Supervisor, owner: str) -> None:
    """Nobody else knows of them."""
    async with trio.open_nursery() as nursery:
        for child in spawned_by(owner, supervisor.spawned, supervisor.children):
            nursery.start_soon(end, supervisor, child)


async def _start(supervisor: Supervisor, asker: str, name: str, settings: msgspec.Raw) -> Message:
    child = supervisor.children.get(name)
    if child is not None and child.stop_asked.is_set():
        await child.ended.wait()
        child = None
    if child is not None and child.state == "failed":
        return Problem(code="gone", text=f"{name} died too often and stays down: {child.last_error}.")
    if child is not None and child.ended.is_set():
        child = None  # it left by itself, and is wanted again
    spec = spec_of(supervisor.plan.tree, name)
    if child is None and spec is not None:
        if problem := no_room(spec, supervisor.spawned, supervisor.children, (asker, name)):
            return problem
        if spawns(supervisor.plan.tree, asker):
            supervisor.spawned[name] = asker
        supervisor.start(name, None if bytes(settings) == SESSIONS_OWN else settings)
    elif child is None or bytes(settings) not in (SESSIONS_OWN, bytes(child.settings)):
        return Problem(code="bad_request", text=f"cannot start {name}: no such template, or it is there already.")
    return Done()


def may(tree: Iterable[ChildSpec], spawned: Spawned, asker: str, name: str) -> bool:
    spec = spec_of(tuple(tree), asker)
    if spec is None:
        return False
    if spec.leads or any(matches(pattern, name) for pattern in spec.starts):
        return True
    owners = {owner for each, owner in spawned.items() if family(each) == family(name)}
    return any(matches(pattern, name) for pattern in spec.spawns) and owners <= {asker}


def spawns(tree: Iterable[ChildSpec], asker: str) -> bool:
    """What it starts is its own, and ends with it."""
    spec = spec_of(tuple(tree), asker)
    return spec is not None and bool(spec.spawns)


def family(name: str) -> str:
    """An actor and its workers, which are named after it: agent:sub:x, tools:sub:x, tools:sub:x~none."""
    return name.partition(":")[2].partition("~")[0]


def spawned_by(owner: str, spawned: Spawned, children: Mapping[str, Child]) -> tuple[Child, ...]:
    """All that has to end with it, what others have started for them included."""
    families = {family(name) for name, who in spawned.items() if who == owner}
    return tuple(child for name, child in children.items() if family(name) in families)


def no_room(
    spec: ChildSpec, spawned: Spawned, children: Mapping[str, Child], wanted: tuple[str, str]
) -> Problem | None:
    """Why one more may not be started now; no_room where waiting helps. wanted: by whom, and its name."""
    asker, name = wanted
    living = [child for child in children.values() if child.spec is spec and not child.ended.is_set()]
    if spec.at_once is not None and len(living) >= spec.at_once:
        text = f"{how_many(len(living), 'agent')} of this kind run already, which is the most at once."
        return Problem(code="no_room", text=text, hint="It can start when one of them has ended.")
    earlier = [each for each, owner in spawned.items() if owner == asker and matches(spec.name, each) and each != name]
    if spec.in_all is not None and len(earlier) >= spec.in_all:
        text = f"this agent has started {how_many(len(earlier), 'other')} in this run, which is the most."
        return Problem(code="bad_request", text=text, hint="Go on with those that there are, or do the work itself.")
    return None
