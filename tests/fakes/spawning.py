"""A scene for the supervisor's own tests: actors that may have others started, and what they get for what they ask."""

import os
import signal

import msgspec

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.system import Exit, StartActor, StopActor, Tree
from actors.messages.turn import Notice
from actors.settings.config import Settings
from supervisor.child_spec import ChildSpec
from tests.fakes.deaths import say
from tests.fakes.front import Front

SPAWNING = (
    ChildSpec(name="kid:sub:*", entry="tests.fakes.troupe:echo", at_once=2, in_all=4),
    ChildSpec(
        name="boss:*",
        entry="tests.fakes.spawning:boss",
        talks_to=("supervisor",),
        spawns=("kid:sub:*", "extra:sub:*"),
    ),
)


async def boss(mailbox: Mailbox, settings: Settings) -> None:
    """Passes on what it is told to ask the supervisor, and answers with how that went."""
    own = msgspec.Raw(msgspec.msgpack.encode(settings))
    async for request in mailbox:
        assert isinstance(request.message, Notice)
        verb, _, name = request.message.text.partition(" ")
        orders: dict[str, Message] = {
            "start": StartActor(name=name, settings=own),
            "stop": StopActor(name=name),
            "exit": Exit(code=3),
        }
        try:
            await mailbox.ask("supervisor", orders[verb], Done)
            request.reply(Notice(text="Done"))
        except Failed as failure:
            request.reply(Notice(text=failure.problem.code))


async def spawning(front: Front) -> None:
    async def told(who: str, *orders: str) -> list[str]:
        return [(await front.mailbox.insist(who, Notice(text=order), Notice)).text for order in orders]

    async def names() -> list[str]:
        return [actor.name for actor in (await front.tree()).actors if ":sub:" in actor.name]

    settings = msgspec.Raw(msgspec.msgpack.encode(Settings(run_id="r", session_id="s", cwd="/", home="/")))
    for name in ("boss:a", "boss:b"):
        await front.mailbox.ask("supervisor", StartActor(name=name, settings=settings), Done)
    say(its_own=await told("boss:a", "start kid:sub:1", "start extra:sub:1", "start extra:sub:1~none"))
    say(nobodys=await told("boss:a", "stop echo", "start boss:c", "stop ui", "exit", "stop kid:sub:9"))
    say(anothers=await told("boss:b", "stop kid:sub:1", "stop extra:sub:1~none", "start extra:sub:1~network"))
    say(too_many=await told("boss:a", "start kid:sub:2", "start kid:sub:3", "start kid:sub:2"))
    say(for_all=await told("boss:b", "start kid:sub:4"))
    pid = await front.pid("kid:sub:1")
    await _kill(front, "boss:a")
    say(after_its_death=await told("boss:a", "start kid:sub:1"), same=pid == await front.pid("kid:sub:1"))
    say(room_again=await told("boss:a", "stop kid:sub:2", "start kid:sub:3", "stop kid:sub:3", "start kid:sub:4"))
    say(in_all=await told("boss:a", "stop kid:sub:4", "start kid:sub:5", "start kid:sub:2"))
    say(before=await names())
    await front.mailbox.ask("supervisor", StopActor(name="boss:a"), Done)
    say(after_its_end=await names())


async def _kill(front: Front, name: str) -> None:
    pid = await front.pid(name)
    os.kill(pid, signal.SIGKILL)

    def lives_again(tree: Tree) -> bool:
        return any(actor.name == name and actor.pid not in (0, pid) for actor in tree.actors)

    await front.until(lives_again)
