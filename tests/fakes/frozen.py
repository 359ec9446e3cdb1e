"""Scenes of the troupe in which an actor stands still without any fault of its own."""

import ctypes
import os
import signal
import time

from actors.messages.system import ActorRestarted
from actors.messages.turn import CancelTurn, Notice
from tests.fakes.deaths import say
from tests.fakes.front import Front


def stand_still(how: str) -> None:
    """Asleep, or as in a wait for the disk: so the kernel holds a process up until a child of `vfork` has gone its own
    way, and this one never does."""
    if how == "hang" or ctypes.CDLL(None).vfork() == 0:
        time.sleep(1000)


async def stopped_at_work(front: Front) -> None:
    """After its pings were answered, and with nothing new to do."""
    echo = await front.pid("echo")
    async with front.mailbox.stream("echo", CancelTurn(reason="stream")) as stream:
        await anext(stream)
        os.kill(echo, signal.SIGSTOP)
        say(why=(await front.restarted()).why)
    await front.echo()


async def stopped_while_idle(front: Front) -> None:
    """It is replaced when it is needed."""
    await front.echo()
    os.kill(await front.pid("echo"), signal.SIGSTOP)
    await front.echo()
    say(why=(await front.restarted()).why)


async def at_the_disk(front: Front) -> None:
    """The user is told; nobody knows whether it is slow or stuck, so it has as long as any other."""
    front.mailbox.tell("echo", Notice(text="disk"))
    async for request in front.mailbox:
        match request.message:
            case Notice(text=text):
                say(text=text)
            case ActorRestarted(why=why):
                say(why=why)
                break
    await front.echo()
