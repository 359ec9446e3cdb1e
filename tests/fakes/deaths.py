"""Scenes of the troupe in which an actor dies by its own fault, again and again."""

import contextlib
import json
import os

import trio

from actors.errors import Failed
from actors.messages.base import Done
from actors.messages.system import ActorGivenUp
from actors.messages.turn import Notice
from tests.fakes.front import Front


def say(**facts: object) -> None:
    os.write(1, json.dumps(facts).encode() + b"\n")


async def deadly(front: Front) -> None:
    """What kills whoever serves it is given up after two lives; what is asked beside it is answered all the same."""

    async def ask(text: str) -> None:
        try:
            answered[text] = type(await front.mailbox.insist("echo", Notice(text=text), Done)).__name__
        except Failed as failure:
            answered[text] = failure.problem.code

    answered: dict[str, str] = {}
    async with trio.open_nursery() as reading:
        reading.start_soon(read, front)
        for text in ("crash", "hang", "grow"):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(ask, text)
                nursery.start_soon(ask, f"harmless {text}")
            await front.echo()
        reading.cancel_scope.cancel()
    restarts = next(actor.restarts for actor in (await front.tree()).actors if actor.name == "echo")
    say(**answered, restarts=restarts)


async def read(front: Front) -> None:
    """Who reads nothing while it waits for others is hung itself."""
    async for _ in front.mailbox:
        pass


async def slow_deaths(front: Front) -> None:
    """Killed as hung again and again, with a pause between: it is given up, and the session ends."""

    async def ask_on() -> None:
        for number in range(20):
            front.mailbox.tell("echo", Notice(text="hang"))
            with contextlib.suppress(Failed):
                await front.mailbox.ask("echo", Notice(text=f"{number}"), Done)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(ask_on)
        async for request in front.mailbox:
            if isinstance(request.message, ActorGivenUp):
                say(given_up=request.message.name)
