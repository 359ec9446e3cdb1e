"""A front that kills or stops echo actors and prints how long each took to serve again, a JSON list of milliseconds."""

import os
import time

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.system import DescribeTree, Exit, StartActor, StopActor, Tree
from actors.settings.config import Settings
from supervisor.restarts import FREE_RESTARTS


async def run(mailbox: Mailbox, settings: Settings) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_drive, mailbox, settings)
        async for _ in mailbox:
            continue  # "it was restarted": we know
        nursery.cancel_scope.cancel()


async def _drive(mailbox: Mailbox, settings: Settings) -> None:
    """settings.front: how many times, and by which signal."""
    wanted, number = msgspec.msgpack.decode(settings.front, type=tuple[int, int])
    took: list[float] = []
    while len(took) < wanted:
        name = f"echo:{len(took)}"
        order = StartActor(name=name, settings=msgspec.Raw(msgspec.msgpack.encode(settings)))
        await mailbox.ask("supervisor", order, Done)
        await mailbox.ask(name, DescribeTree(), Done)
        took += [
            await _replaced_ms(mailbox, name, number) for _ in range(FREE_RESTARTS)
        ]  # after one more it would wait
        await mailbox.ask("supervisor", StopActor(name=name), Done)
    os.write(1, msgspec.json.encode(took[:wanted]))
    mailbox.tell("supervisor", Exit(code=0))


async def _replaced_ms(mailbox: Mailbox, name: str, number: int) -> float:
    tree = await mailbox.ask("supervisor", DescribeTree(), Tree)
    pid = next(actor.pid for actor in tree.actors if actor.name == name)
    began = time.monotonic()
    os.kill(pid, number)
    await mailbox.insist(name, DescribeTree(), Done)
    return (time.monotonic() - began) * 1000
