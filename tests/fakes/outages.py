"""A model service that is down now and then: each request fails, or nobody listens, for so many seconds."""

import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio

from actors.providers.scripted import Script
from tests.fakes.model_server import ModelServer

LOOK_S = 0.02
REFUSED = "refused"


@dataclass(frozen=True)
class Outage:
    fault: str
    """One of `model_faults.FAULTS`, or REFUSED: nobody listens, and what is under way is cut."""
    after: int
    """It begins when so many requests have been answered."""
    seconds: float
    refuses: int = 0
    """It goes on until so many requests have met it; not of REFUSED, which none can."""


@dataclass
class UnsteadyServer:
    server: ModelServer
    over: int = 0
    """Outages that have been."""
    asked: list[tuple[float, bytes]] = field(default_factory=list)
    """Every request: when, in seconds since the epoch, and its body."""

    async def _listen(self, port: int, task_status: trio.TaskStatus[trio.CancelScope]) -> None:
        with trio.CancelScope() as scope:
            async with trio.open_nursery() as nursery:
                await nursery.start(self.server.serve, port)
                task_status.started(scope)

    async def run(self, outages: Iterable[Outage], task_status: trio.TaskStatus[None]) -> None:
        async with trio.open_nursery() as nursery:
            listening = await nursery.start(self._listen, 0)
            port = int(self.server.url.rpartition(":")[2])
            nursery.start_soon(self._note)
            task_status.started()
            for outage in outages:
                while self.server.answered < outage.after:  # noqa: ASYNC110  # the server knows of no outages
                    await trio.sleep(LOOK_S)
                if outage.fault == REFUSED:
                    listening.cancel()
                    await trio.sleep(outage.seconds)
                    listening = await nursery.start(self._listen, port)
                else:
                    until = len(self.server.asked) + outage.refuses
                    self.server.down = outage.fault
                    await trio.sleep(outage.seconds)
                    while len(self.server.asked) < until:  # noqa: ASYNC110  # the server knows of no outages
                        await trio.sleep(LOOK_S)
                    self.server.down = ""
                self.over += 1

    async def _note(self) -> None:
        began = time.time() - trio.current_time()
        while True:
            new = self.server.asked[len(self.asked) :]
            self.asked += [(began + got.at, got.body) for got in new]
            await trio.sleep(LOOK_S)


@asynccontextmanager
async def open_unsteady_server(script: Script, outages: Iterable[Outage]) -> AsyncIterator[UnsteadyServer]:
    unsteady = UnsteadyServer(ModelServer(script))
    async with trio.open_nursery() as nursery:
        await nursery.start(unsteady.run, outages)
        yield unsteady
        nursery.cancel_scope.cancel()
