"""Actors in one process: the real mailbox and the real router over memory channels, for MockClock tests."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import trio

from actors.mailbox import Mailbox
from actors.messages.base import Envelope
from supervisor import child_spec, tree
from supervisor.router import Router

TREE = tree.session(tree.front("", terminal=False), main_agent=True)


def may_send(sender: str, to: str) -> bool:
    """As in a session; whom the tree does not know is a player of the test's own."""
    return child_spec.spec_of(TREE, sender) is None or child_spec.may_send(TREE, sender, to)


class _Link:
    def __init__(self, deliver: Callable[[Envelope], None]) -> None:
        self._deliver = deliver
        self.arrived_send, self._arrived = trio.open_memory_channel[Envelope](float("inf"))

    def send(self, envelope: Envelope) -> None:
        self._deliver(envelope)

    async def receive(self) -> list[Envelope]:
        try:
            return [await self._arrived.receive()]
        except trio.EndOfChannel:
            return []


class Network:
    """Names actors, connects them, and can kill them as a SIGKILL would."""

    def __init__(self, nursery: trio.Nursery) -> None:
        self._nursery = nursery
        self._links: dict[str, _Link] = {}
        self._scopes: dict[str, trio.CancelScope] = {}
        self._lives = 0
        self.router = Router(may_send=may_send, known=lambda name: name in self._links)
        self.carried: list[Envelope] = []
        self._held_back: dict[str, tuple[Callable[[Envelope], bool], list[Envelope]]] = {}

    def mailbox(self, name: str) -> Mailbox:
        """A mailbox whose reader runs: for a test that plays an actor itself."""
        mailbox = self._connect(name)
        self._nursery.start_soon(mailbox.pump)
        return mailbox

    def start(self, name: str, run: Callable[[Mailbox], Awaitable[None]]) -> None:
        mailbox = self._connect(name)
        scope = self._scopes[name] = trio.CancelScope()

        async def live() -> None:
            with scope:
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(mailbox.pump)
                    await run(mailbox)
                    nursery.cancel_scope.cancel()

        self._nursery.start_soon(live)

    def kill(self, name: str) -> None:
        """It stops at once and hears nothing more; what it was serving fails with actor_died."""
        self._scopes.pop(name).cancel()
        del self._links[name]
        for envelope in self.router.died(name):
            self.deliver(envelope)

    def cut_off(self, name: str) -> None:
        """As when the supervisor is gone: it hears nothing more, and still lives for a moment."""
        self._links.pop(name).arrived_send.close()

    def hold_back(self, name: str, fits: Callable[[Envelope], bool] = lambda _envelope: True) -> None:
        """What is sent to it and fits waits, as when it is slow, until `let_go`."""
        self._held_back[name] = fits, []

    def let_go(self, name: str) -> None:
        for envelope in self._held_back.pop(name)[1]:
            self.deliver(envelope)

    def _connect(self, name: str) -> Mailbox:
        self._lives += 1
        link = self._links[name] = _Link(lambda envelope: self._carry(envelope, name, link))
        return Mailbox(name, link, first_id=(self._lives << 32) + 1)

    def _carry(self, envelope: Envelope, source: str, link: _Link) -> None:
        if self._links.get(source) is not link:
            return  # the dead do not speak
        self.carried.append(envelope)
        for delivery in self.router.route(envelope, source):
            self.deliver(delivery)

    def deliver(self, envelope: Envelope) -> None:
        fits, held = self._held_back.get(envelope.to, (lambda _envelope: False, []))
        if fits(envelope):
            held.append(envelope)
        elif link := self._links.get(envelope.to):
            link.arrived_send.send_nowait(envelope)


@asynccontextmanager
async def open_network() -> AsyncIterator[Network]:
    async with trio.open_nursery() as nursery:
        yield Network(nursery)
        nursery.cancel_scope.cancel()
