"""Small actors for the supervisor's own tests, and a front that plays a scene with them and prints what it saw.

`python -m tests.fakes.troupe SCENE HOME` runs one scene under a real supervisor; the front prints JSON lines.
"""

import os
import resource
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import psutil
import trio

from actors.errors import ActorDied, Failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.model import TextDelta
from actors.messages.system import ActorGivenUp, Exit, StartActor, StopActor
from actors.messages.turn import CancelTurn, Notice
from actors.settings import config
from actors.settings.config import ProviderSettings, Settings
from supervisor.child_spec import ChildSpec
from supervisor.log import Log
from supervisor.process.spawner import Spawner
from supervisor.session_plan import Plan
from supervisor.supervise import Supervisor
from tests import ROOT
from tests.fakes.deaths import deadly, say, slow_deaths
from tests.fakes.front import QUESTION, Front
from tests.fakes.frozen import at_the_disk, stand_still, stopped_at_work, stopped_while_idle
from tests.fakes.heavy import HEAVY, of_a_kind
from tests.fakes.spawning import SPAWNING, spawning

BALLAST: list[bytearray] = []


class Strange(Message, frozen=True):
    """A word that nobody knows."""


async def echo(mailbox: Mailbox, _settings: Settings) -> None:
    """Answers everything; a Notice makes it crash, hang, grow or leave a daemon behind."""
    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            match request.message:
                case Notice(text="crash"):
                    raise ValueError("secret text that belongs in no log")
                case Notice(text="hang" | "disk" as how):
                    stand_still(how)
                case Notice(text="grow"):
                    for _ in range(300):
                        BALLAST.append(bytearray(b"x" * 1024 * 1024))
                        await trio.lowlevel.checkpoint()  # pings are answered: it is large, it does not hang
                case Notice(text="daemon"):
                    leave_daemon()
                case CancelTurn(reason="stubborn"):
                    nursery.start_soon(request.serve, stubborn)
                case CancelTurn(reason="nap"):
                    nursery.start_soon(request.serve, nap)
                case CancelTurn(reason="stream"):
                    nursery.start_soon(request.serve, endless)
                case _:
                    request.reply(Done())


async def stubborn(_request: Request) -> None:
    with trio.CancelScope(shield=True):
        await trio.sleep(1000)


async def nap(_request: Request) -> None:
    """Hangs while it is at work, long after it was given the work."""
    await trio.sleep(1.5)
    time.sleep(1000)  # noqa: ASYNC251  # this is the point


async def endless(request: Request) -> None:
    while True:
        await request.send(TextDelta(text="x" * 1000))


def leave_daemon() -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            time.sleep(1000)
        os._exit(0)


async def kill(front: Front) -> None:
    await front.echo()
    first = await front.pid("echo")
    os.kill(first, signal.SIGKILL)
    await front.echo()
    say(other_pid=await front.pid("echo") != first, why=(await front.restarted()).why)


async def crash(front: Front) -> None:
    front.mailbox.tell("echo", Notice(text="crash"))
    say(why=(await front.restarted()).why)
    await front.echo()


async def hang(front: Front) -> None:
    front.mailbox.tell("echo", Notice(text="hang"))
    try:
        await front.mailbox.ask("echo", QUESTION, Done)
    except ActorDied:
        say(why=(await front.restarted()).why)
    await front.echo()


async def hang_at_work(front: Front) -> None:
    try:
        await front.mailbox.ask("echo", CancelTurn(reason="nap"), Done)
    except ActorDied:
        say(why=(await front.restarted()).why)


async def stopped_zygote(front: Front) -> None:
    """It neither dies nor answers: the next life is started without it."""
    os.kill(await front.zygote(), signal.SIGSTOP)
    os.kill(await front.pid("echo"), signal.SIGKILL)
    await front.echo()
    say(why=(await front.restarted()).why)


async def asked_as_it_died(front: Front) -> None:
    """A request that comes before its death is told to anybody fails, and its next life never sees it."""
    zygote, echo = await front.zygote(), await front.pid("echo")
    os.kill(zygote, signal.SIGSTOP)  # whoever is being started now keeps the supervisor from clearing up
    async with trio.open_nursery() as nursery:
        nursery.start_soon(front.mailbox.ask, "supervisor", StartActor(name="extra:1", settings=front_settings), Done)
        await front.until(lambda tree: any(actor.name == "extra:1" for actor in tree.actors))
        for _ in range(10):
            await front.tree()  # so that it is not only known, but being started
        os.kill(echo, signal.SIGKILL)
        await front.until(lambda _tree: not psutil.pid_exists(echo))
        for _ in range(10):
            await front.tree()  # so that it has read to the end what echo said
        nursery.start_soon(crash_it, front)
        await front.tree()
        os.kill(zygote, signal.SIGCONT)
    await front.echo()
    say(restarts=[actor.restarts for actor in (await front.tree()).actors if actor.name == "echo"])


async def crash_it(front: Front) -> None:
    try:
        await front.mailbox.ask("echo", Notice(text="crash"), Done)
    except ActorDied as death:
        say(died=death.problem.code)


async def no_descriptors(front: Front) -> None:
    """What cannot be started for want of descriptors counts as dead, and lives again when there are some."""
    supervisor = os.getppid()
    usual = resource.prlimit(supervisor, resource.RLIMIT_NOFILE)
    resource.prlimit(supervisor, resource.RLIMIT_NOFILE, (3, usual[1]))
    os.kill(await front.pid("echo"), signal.SIGKILL)
    await front.until(lambda tree: any("could not be started" in actor.last_error for actor in tree.actors))
    resource.prlimit(supervisor, resource.RLIMIT_NOFILE, usual)
    await front.echo()
    say(why=(await front.restarted()).why)


async def grow(front: Front) -> None:
    front.mailbox.tell("echo", Notice(text="grow"))
    say(why=(await front.restarted()).why.split(":")[0])
    await front.echo()


async def stubborn_cancel(front: Front) -> None:
    await front.echo()
    with trio.move_on_after(0.2):
        await front.mailbox.ask("echo", CancelTurn(reason="stubborn"), Done)
    say(why=(await front.restarted()).why)
    await front.echo()


async def cancel_under_load(front: Front) -> None:
    """A cancel does not wait behind data, and a stream goes no further than its credits."""
    async with front.mailbox.stream("echo", CancelTurn(reason="stream")) as stream:
        for _ in range(1000):
            await anext(stream)
    await front.echo()
    say(restarts=[actor.restarts for actor in (await front.tree()).actors if actor.name == "echo"])


async def daemon(front: Front) -> None:
    """What an actor leaves behind ends with it."""
    front.mailbox.tell("echo", Notice(text="daemon"))
    await front.echo()
    os.kill(await front.pid("echo"), signal.SIGKILL)
    await front.echo()
    children = Path(f"/proc/{os.getppid()}/task/{os.getppid()}/children").read_text().split()
    known = {str(actor.pid) for actor in (await front.tree()).actors}
    names = [Path(f"/proc/{pid}/comm").read_text().strip() for pid in children if pid not in known]
    say(unknown=[name for name in names if name.startswith("tr:")])


async def wrong_way(front: Front) -> None:
    codes = []
    for to in ("closed", "nobody"):
        try:
            await front.mailbox.ask(to, QUESTION, Done)
        except Failed as failure:
            codes.append(failure.problem.code)
    say(codes=codes)


async def by_name(front: Front) -> None:
    """Actors started from a template."""
    order = StartActor(name="extra:1", settings=front_settings)
    await front.mailbox.ask("supervisor", order, Done)
    await front.mailbox.insist("extra:1", QUESTION, Done)
    await front.mailbox.ask("supervisor", StopActor(name="extra:1"), Done)
    say(left=[actor.name for actor in (await front.tree()).actors])


async def wanted_again(front: Front) -> None:
    """One that left by itself is started again for who asks for it."""
    order = StartActor(name="passing:1", settings=front_settings)
    answered = []
    for _ in range(2):
        await front.mailbox.ask("supervisor", order, Done)
        answered.append(await front.mailbox.ask("passing:1", QUESTION, Done))
        await front.until(lambda tree: any((it.name, it.state) == ("passing:1", "stopped") for it in tree.actors))
    say(answered=len(answered))


async def told(front: Front) -> None:
    """Who may know the secrets of the settings does, also in its next life; who is started by name does not."""
    names = ("trusted", "knowing:1")
    await front.mailbox.ask("supervisor", StartActor(name="knowing:1", settings=front_settings), Done)
    for _ in range(2):
        answers = {name: (await front.mailbox.insist(name, QUESTION, Notice)).text for name in names}
        say(knows={name: "planted" in text for name, text in answers.items()})
        say(variables=sum("VARIABLE" in text for text in answers.values()), front=b"planted" in bytes(front_settings))
        for name in names:
            os.kill(await front.pid(name), signal.SIGKILL)


async def nonsense(front: Front) -> None:
    """An order that cannot be read is refused, and nothing else happens."""
    front.mailbox.tell("supervisor", Strange())
    try:
        await front.mailbox.ask("supervisor", Strange(), Done)
    except Failed as failure:
        say(code=failure.problem.code)
    await front.echo()


async def given_up(front: Front) -> None:
    """The session ends by itself and says who kept dying; the front only listens."""
    async for request in front.mailbox:
        if isinstance(request.message, ActorGivenUp):
            say(given_up=request.message.name)


async def asked_before_it_was(front: Front) -> None:
    async for request in front.mailbox:
        request.reply(Done())
        say(restarts=[actor.restarts for actor in (await front.tree()).actors if actor.name == "early"])
        return


async def wait(front: Front) -> None:
    """Until the test ends it from outside."""
    await front.echo()
    say(pids=[actor.pid for actor in (await front.tree()).actors])
    await trio.sleep_forever()


SCENES: dict[str, Callable[[Front], Awaitable[None]]] = {
    scene.__name__: scene
    for scene in (
        kill,
        deadly,
        slow_deaths,
        hang_at_work,
        stopped_at_work,
        stopped_while_idle,
        at_the_disk,
        stopped_zygote,
        asked_as_it_died,
        no_descriptors,
        crash,
        hang,
        grow,
        stubborn_cancel,
        cancel_under_load,
        daemon,
        wrong_way,
        by_name,
        wanted_again,
        given_up,
        told,
        nonsense,
        asked_before_it_was,
        spawning,
        of_a_kind,
        wait,
    )
}
QUICK = {"hang", "hang_at_work", "slow_deaths"}
"""Nothing but hanging happens there; elsewhere who is only slow on a busy machine must not be taken for hung."""
SLOW_S = 5.0
"""For whoever is only slow there: to a ping, or to a cancel."""
front_settings = msgspec.Raw(b"")


async def front(mailbox: Mailbox, settings: Settings) -> None:
    global front_settings  # a process has one front
    front_settings = msgspec.Raw(msgspec.msgpack.encode(settings))
    scene = SCENES[settings.session_id]
    await scene(Front(mailbox))
    mailbox.tell("supervisor", Exit(code=7))
    async for _ in mailbox:
        continue


def tree_of(scene: str) -> tuple[ChildSpec, ...]:
    """Two that echo, kinds of further ones, the front; and what this scene alone has."""
    here, players = "tests.fakes.troupe", "tests.fakes.players"
    known = ChildSpec(name="trusted", entry=f"{players}:knowing", secrets=True)
    of_scene: dict[str, tuple[ChildSpec, ...]] = {
        "told": (known, ChildSpec(name="knowing:*", entry=f"{players}:knowing")),
        "given_up": (ChildSpec(name="fragile", entry=f"{players}:fragile"),),
        "spawning": SPAWNING,
        "of_a_kind": HEAVY,
        "asked_before_it_was": (ChildSpec(name="early", entry=f"{players}:early", talks_to=("ui",)),),
    }
    heartbeat_s, grace_s = 0.5 if scene in QUICK else SLOW_S, 0.1 if scene == "stubborn_cancel" else SLOW_S
    to = ("echo", "trusted", "extra:*", "passing:*", "knowing:*", "boss:*", "heavy:*", "nobody", "supervisor")
    return (
        *of_scene.get(scene, ()),
        ChildSpec(name="echo", entry=f"{here}:echo", heartbeat_s=heartbeat_s, grace_s=grace_s, memory_mb=200, stop_s=5),
        ChildSpec(name="closed", entry=f"{here}:echo", stop_s=5),
        ChildSpec(name="extra:*", entry=f"{here}:echo"),
        ChildSpec(name="passing:*", entry=f"{players}:passing", restart="transient"),
        ChildSpec(name="ui", entry=f"{here}:front", talks_to=to, leads=True, stop_s=5),
    )


def main(scene: str, home: Path) -> int:
    (home / "logs").mkdir(exist_ok=True)
    (home / "run").mkdir(exist_ok=True)
    tree = tree_of(scene)
    settings = Settings(home=str(home), cwd=str(home), session_id=scene, run_id="r1")
    secret = ProviderSettings(headers={"x-auth": "planted"}, base_url="http://u:planted@h", api_key_env="VARIABLE")
    settings = msgspec.structs.replace(settings, providers={"own": secret})
    way = os.environ.get("TROUPER_SPAWN", "fork")
    spawner = Spawner("exec" if way == "exec" else "fork", str(ROOT / "tests" / "fakes" / "launch.py"), [])
    spawner.fork_zygote()
    plan = Plan(
        tree=tree,
        start=[spec.name for spec in tree if not spec.name.endswith(":*")],
        settings=msgspec.Raw(msgspec.msgpack.encode(settings)),
        without_secrets=msgspec.Raw(msgspec.msgpack.encode(config.without_secrets(settings))),
        session_id=scene,
        run_id="r1",
        go_on="Go on." if scene == "given_up" else "",
        cwd=str(home),
        home=home,
    )
    supervisor = Supervisor(plan, spawner, Log(home, "r1"))
    code = trio.run(supervisor.run)
    sys.stderr.write(supervisor.farewell)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
