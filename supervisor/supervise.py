"""The supervisor: starts the tree, carries envelopes, restarts what dies, ends what must end."""

import os
import random
import socket
import time

import msgspec
import trio

from actors import messages
from actors.common.plurals import how_many
from actors.messages.base import Envelope, Message
from actors.messages.system import ActorGivenUp, ActorRestarted, Exit, Tree
from actors.messages.turn import Notice
from supervisor import child_spec, health, orders, restarts, signals, tree_socket
from supervisor.child import Child
from supervisor.log import Log
from supervisor.process import chaos
from supervisor.process.host import Boot
from supervisor.process.spawner import Process, Spawner, end_strays
from supervisor.process.templates import Templates
from supervisor.process.wire import BrokenFrame, Connection
from supervisor.router import SUPERVISOR, Cancelled, Router
from supervisor.session_plan import Plan

LAST_READ_S = 0.05
"""After a process has ended: how long to read what it still said."""
SETTLED_S = 2.0
"""After the start: until then there is better to do than to look for what others left."""
SWEEP_S = 2.0
"""For that: who waits for a disk cannot be ended, and must not keep us. The next program tries again."""
FAREWELL_S = 2.0
"""When the session is given up: how long the ui may say so and leave by itself."""
FAILED = 1


class Supervisor:
    def __init__(self, plan: Plan, spawner: Spawner, log: Log) -> None:
        self.plan = plan
        self.children: dict[str, Child] = {}
        self.spawned: dict[str, str] = {}
        """Name -> who has started it, of those that end with whoever that was."""
        self.exit_code: int | None = None
        self.farewell = ""
        """What to say when the session was given up."""
        self.log = log
        self._templates = Templates(spawner, spawner.of_kind)
        self._router = Router(self._may_send, self._is_known)
        self._lives = 0
        self._leaving = trio.Event()
        self._work = trio.lowlevel.ParkingLot()
        self._started_at = time.time()

    async def run(self) -> int:
        """Until the ui says Exit, or too much died. Returns the exit code; nothing of the session is left then."""
        self.log.event("session started", session=self.plan.session_id, pid=os.getpid())
        async with trio.open_nursery() as self._nursery:
            # all of them before the first begins: what one asks a later one waits
            known = [self._known_as(name) for name in self.plan.start]
            for child in sorted(known, key=lambda child: child.spec.late):
                self._nursery.start_soon(self._keep, child)
                if not child.spec.lazy:
                    await child.begun.wait()
            self._nursery.start_soon(health.watch, self.children.values(), self._router.open_requests, self._work)
            self._nursery.start_soon(
                health.watch_for_frozen, self.children.values(), self._at_work, self._work, self._tell_of_disk
            )
            self._nursery.start_soon(
                signals.listen, lambda signalled: self.tell("ui", signalled), self.leave, self._terminal_is_lent
            )
            window = self.plan.home / "run" / f"{self.plan.run_id}{tree_socket.SUFFIX}"
            self._nursery.start_soon(tree_socket.serve, window, self.describe)
            self._nursery.start_soon(self._sweep_later)
            await self._leaving.wait()
            with trio.CancelScope(shield=True):
                await self._stop_all()
            self._nursery.cancel_scope.cancel()
        self._templates.close()
        self.log.event("session ended", code=self.exit_code or 0)
        return self.exit_code or 0

    async def _sweep_later(self) -> None:
        """When the start is over, or the session: a short one sweeps, too."""
        try:
            await trio.sleep(SETTLED_S)
        finally:
            with trio.move_on_after(SWEEP_S, shield=True):
                from supervisor.process import leftovers  # mostly there is nothing, and nobody waits for its import

                await leftovers.sweep(self.plan.home, self._tell_of_leftovers)

    def _tell_of_leftovers(self, worker: str, processes: int) -> None:
        self.log.event("ended what a killed program had left", worker=worker, processes=processes)

    def _terminal_is_lent(self) -> bool:
        return any(child.lends_terminal for child in self.children.values())

    def leave(self, code: int) -> None:
        if self.exit_code is None:
            self.exit_code = code
        self._leaving.set()

    def start(self, name: str, settings: msgspec.Raw | None = None) -> Child:
        """settings: its own instead of the session's."""
        child = self._known_as(name, settings)
        self._nursery.start_soon(self._keep, child)
        return child

    def _known_as(self, name: str, settings: msgspec.Raw | None = None) -> Child:
        """From now on what is sent to it is held until it is there."""
        spec = child_spec.spec_of(self.plan.tree, name)
        if spec is None:
            raise KeyError(name)
        if settings is None:
            settings = self.plan.settings_of(spec)
        child = self.children[name] = Child(name, spec, settings)
        return child

    async def stop(self, child: Child) -> None:
        """Close its inbox, give it the time its spec allows, then end it."""
        child.ask_to_stop()
        if child.connection is not None and child.spec.stop_s > 0:
            child.connection.end()
            with trio.move_on_after(child.spec.stop_s):
                await child.ended.wait()
        if child.process is not None:
            child.process.kill()
        await child.ended.wait()

    def tell(self, name: str, message: Message) -> None:
        self.hand_over(Envelope(kind="tell", to=name, sender=SUPERVISOR, id=0, body=messages.encode(message)))

    def describe(self) -> Tree:
        asked, waits = self._router.open_requests, self._router.waits_for
        actors = tuple(child.describe(asked(name), waits(name)) for name, child in self.children.items())
        return Tree(
            pid=os.getpid(),
            session_id=self.plan.session_id,
            cwd=self.plan.cwd,
            started_at=self._started_at,
            actors=actors,
        )

    def hand_over(self, envelope: Envelope) -> None:
        child = self.children.get(envelope.to)
        if child is not None and child.up:
            child.deliver(envelope)
            self._work.unpark_all()

    def _is_known(self, name: str) -> bool:
        """In the end also who has ended: who asks would take it for a failure, and may write that down."""
        child = self.children.get(name)
        return child is not None and (child.up or self._leaving.is_set())

    def _at_work(self) -> set[str]:
        return self._router.at_work(lambda name: name in self.children and self.children[name].spec.subscribers)

    def _tell_of_disk(self, name: str) -> None:
        self.log.event("waits for the disk", name)
        text = f"{name} has been waiting for the disk for more than a second; it goes on when the disk answers."
        self.tell("ui", Notice(text=text, level="warning"))

    async def _keep(self, child: Child) -> None:
        """One life after another, until one is the last."""
        await child.wanted.wait()
        while not child.stop_asked.is_set():
            if not await self._is_warm(child):
                break
            try:
                status = await self._live(child)
            except OSError as error:  # no descriptor or process to be had: as good as dead, with the same patience
                status, child.cause = FAILED, f"it could not be started: {error.strerror}"
            self._report_death(child, status)
            if child.stop_asked.is_set() or self._leaving.is_set() or not restarts.should_restart(child.spec, status):
                break
            if self._is_dying_too_often(child):
                self._give_up(child)
                return
            now = trio.current_time()
            child.state = "restarting"
            with trio.move_on_after(restarts.restart_delay(child.deaths, now, random.random())):  # noqa: S311  # jitter
                await child.stop_asked.wait()
            if child.stop_asked.is_set():
                break
        child.state = "stopped"
        self._settle(child)
        child.ended.set()
        self._end_spawned_by(child)

    async def _is_warm(self, child: Child) -> bool:
        """False: it was asked to stop meanwhile."""
        async with trio.open_nursery() as nursery:

            async def until_stop() -> None:
                await child.stop_asked.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(until_stop)
            await self._templates.warm(child.spec.template)
            nursery.cancel_scope.cancel()
        return not child.stop_asked.is_set()

    def _is_dying_too_often(self, child: Child) -> bool:
        now, limit = trio.current_time(), child.spec.failures
        child.deaths = [*restarts.recent(child.deaths, now), now]
        child.failures = [*restarts.recent(child.failures, now, limit), *[now] * child.own_fault]
        return restarts.too_many(child.deaths, now) or restarts.too_many(child.failures, now, limit)

    async def _live(self, child: Child) -> int:
        process, end = await self._open(child)
        connection = Connection(end)
        self._lives += 1
        connection.send(self._boot(child))
        child.begin(process, connection)
        if child.stop_asked.is_set():
            process.kill()  # it was asked while this one was being forked
        self.log.event("started", child.name, pid=process.pid, life=child.lives)
        if child.restarts:
            self.tell("ui", ActorRestarted(name=child.name, why=child.last_error, restarts=child.restarts))
        async with trio.open_nursery() as nursery:
            finished = trio.Event()
            nursery.start_soon(self._read, child, connection, finished)
            nursery.start_soon(connection.write)
            status = await process.wait()
            with trio.move_on_after(LAST_READ_S):
                await finished.wait()
            nursery.cancel_scope.cancel()
        child.connection = None
        connection.close()
        child.own_fault = child.own_fault or restarts.by_own_fault(status)
        await self._clean_up(child)
        return status

    async def _open(self, child: Child) -> tuple[Process, socket.socket]:
        spec = child.spec
        return await self._templates.start(spec.template, child.name, spec.modules, secrets=spec.secrets)

    def _boot(self, child: Child) -> Envelope:
        boot = Boot(
            name=child.name,
            entry=child.spec.entry,
            prepare=child.spec.prepare,
            settings=child.settings,
            life=self._lives,
            supervisor=os.getpid(),
            secrets=child.spec.secrets,
            terminal=child.spec.terminal,
            fault=chaos.fault_of(self.plan.faults, child.name, child.lives),
            failures=len(restarts.recent(child.failures, trio.current_time(), child.spec.failures)),
        )
        body = msgspec.Raw(msgspec.msgpack.encode(boot))
        return Envelope(kind="tell", to=child.name, sender=SUPERVISOR, id=0, body=body)

    async def _read(self, child: Child, connection: Connection, finished: trio.Event) -> None:
        """Never waits for another actor: what it hands over is queued."""
        try:
            while envelopes := await connection.receive():
                for envelope in envelopes:
                    self._carry(child, envelope)
        except BrokenFrame as error:
            child.fail(f"it sent {error}")
        finished.set()

    def _carry(self, child: Child, envelope: Envelope) -> None:
        match envelope.kind:
            case "pong":
                child.pinged_at = None
            case "crashed":
                child.cause, child.own_fault = _last_words(envelope), True
            case "tell" | "ask" | "stream" if envelope.to == SUPERVISOR:
                if self._may_send(child.name, SUPERVISOR):
                    self._obey(child.name, envelope)
                elif child.spec.notes:
                    orders.note(self.log, child.name, envelope)
            case _:
                for delivery in self._router.route(envelope, child.name):
                    self.hand_over(delivery)
                self._after_routing()

    def _obey(self, asker: str, envelope: Envelope) -> None:
        """Exit at once, so that the first counts; the rest may have to wait for an actor's end."""
        try:
            order = messages.decode(envelope.body)
        except msgspec.DecodeError:
            self.log.event("order not understood", asker)
            orders.refuse(self, asker, envelope, "the supervisor cannot read this order.")
            return
        if isinstance(order, Exit) and orders.leads(self, asker):
            self.leave(order.code)
        else:
            self._nursery.start_soon(orders.obey, self, asker, envelope, order)

    def _after_routing(self) -> None:
        while self._router.cancelled:
            self._nursery.start_soon(self._ladder, self._router.cancelled.pop())

    async def _ladder(self, cancelled: Cancelled) -> None:
        """Who does not answer a cancel within its grace is killed, and replaced like anyone who dies."""
        server = self.children.get(cancelled.server)
        if server is None:
            return
        life = server.lives
        await trio.sleep(server.spec.grace_s)
        if server.lives == life and self._router.is_open(cancelled.asker, cancelled.id, cancelled.server):
            server.kill(f"it did not answer a cancel within {server.spec.grace_s:g} s")

    def _may_send(self, sender: str, to: str) -> bool:
        return child_spec.may_send(self.plan.tree, sender, to)

    async def _clean_up(self, child: Child) -> None:
        """What the dead left: processes, and the terminal."""
        async with self._templates.nobody_unknown() as known:
            while end_strays(known | self._living_pids()):
                await trio.lowlevel.checkpoint()  # ending one may hand us its children
        child.life_is_over()
        if child.spec.terminal and not child.stop_asked.is_set() and not self._leaving.is_set():
            self.plan.on_terminal_death()
        self._settle(child, blamed=child.own_fault and not child.spec.heals)

    def _living_pids(self) -> set[int]:
        return {child.process.pid for child in self.children.values() if child.process and child.connection}

    def _settle(self, child: Child, *, blamed: bool = False) -> None:
        """Everybody who waits for it learns of its death; what it had asked for is cancelled.

        blamed: what it was serving may be why it died.

        Requests that came since it died are answered here too, so its next life must not be handed them again.
        """
        child.forget_requests()
        for delivery in self._router.died(child.name, blamed=blamed):
            self.hand_over(delivery)
        self._after_routing()

    def _report_death(self, child: Child, status: int) -> None:
        by_status = f"killed by signal {-status}" if status < 0 else f"left with code {status}"
        if status or child.cause:
            child.last_error = child.cause or by_status
        self.log.event("ended", child.name, status=status, why=child.last_error, life=child.lives)

    def _give_up(self, child: Child) -> None:
        child.state = "failed"
        self._settle(child)
        child.begun.set()
        child.ended.set()
        self._end_spawned_by(child)
        times = max(len(child.deaths), len(child.failures))
        why = f"{child.name} died {how_many(times, 'time')}; the last time: {child.last_error}"
        self.log.event("given up", child.name, why=child.last_error)
        self.tell("ui", ActorGivenUp(name=child.name, why=why))
        if child.spec.restart == "permanent":
            self.farewell = f"{why}. {self.plan.go_on}".rstrip()
            self._nursery.start_soon(self._leave_soon)

    def _end_spawned_by(self, child: Child) -> None:
        if not self._leaving.is_set() and not child.stop_asked.is_set():  # else whoever stops it sees to them
            self._nursery.start_soon(orders.end_spawned_by, self, child.name)

    async def _leave_soon(self) -> None:
        await trio.sleep(FAREWELL_S)
        self.leave(FAILED)

    async def _stop_all(self) -> None:
        """In reverse order; those with nothing to finish are not waited for in between."""
        children = list(reversed(self.children.values()))
        for child in children:
            if child.spec.stop_s > 0:
                await self.stop(child)
            else:
                child.ask_to_stop()
                child.kill("")
        for child in children:
            await self.stop(child)


def _last_words(envelope: Envelope) -> str:
    try:
        return msgspec.msgpack.decode(envelope.body, type=str)
    except msgspec.DecodeError:
        return "it crashed and could not say why"
