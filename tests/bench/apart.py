"""Supervisors of their own, each a process: `python -m tests.bench.apart fork|exec|replace|freeze COUNT HOME`.

It prints a JSON list of milliseconds: an actor's start until its first answer, or a killed or stopped one's way back.
"""

import os
import signal
import sys
import time
from pathlib import Path

import msgspec
import trio

from actors import messages
from actors.messages.base import Envelope
from actors.messages.system import DescribeTree
from actors.settings.config import Settings, make_home
from supervisor import tree
from supervisor.child_spec import ChildSpec
from supervisor.log import Log
from supervisor.process.host import Boot
from supervisor.process.spawner import Spawner, become_subreaper
from supervisor.process.wire import Connection
from supervisor.router import SUPERVISOR
from supervisor.session_plan import Plan
from supervisor.supervise import Supervisor
from tests.bench.place import LAUNCHER

ECHO = ChildSpec(name="echo:*", entry="tests.bench.echo:run")
KILLER = ChildSpec(name="ui", entry="tests.bench.killer:run", talks_to=("echo:*", SUPERVISOR), leads=True)
PRELOAD = sorted({spec.entry.partition(":")[0] for spec in (*tree.session(KILLER, main_agent=True), ECHO)})
ENDED_BY = {"replace": signal.SIGKILL, "freeze": signal.SIGSTOP}
NOBODY = msgspec.Raw(b"\xc0")


def main(what: str, count: int, home: Path) -> None:
    become_subreaper()
    spawner = Spawner("exec" if what == "exec" else "fork", str(LAUNCHER), PRELOAD)
    spawner.fork_zygote()
    if what in ENDED_BY:
        _supervise(spawner, msgspec.msgpack.encode((count, ENDED_BY[what])), home)
    else:
        os.write(1, msgspec.json.encode(trio.run(_start_ms, spawner, count, home)))
        spawner.close()


def _settings(home: Path, front: msgspec.Raw = NOBODY) -> Settings:
    return Settings(home=str(home), cwd=str(home), session_id="bench", run_id="bench", front=front)


def _supervise(spawner: Spawner, front: bytes, home: Path) -> None:
    make_home(home)
    settings = msgspec.Raw(msgspec.msgpack.encode(_settings(home, msgspec.Raw(front))))
    plan = Plan(
        tree=(ECHO, KILLER),
        start=("ui",),
        settings=settings,
        without_secrets=settings,
        session_id="bench",
        run_id="bench",
        cwd=str(home),
        home=home,
    )
    sys.exit(trio.run(Supervisor(plan, spawner, Log(home, "bench")).run))


async def _start_ms(spawner: Spawner, count: int, home: Path) -> list[float]:
    await _first_answer_ms(spawner, home)  # waits for the zygote to be warm
    return [await _first_answer_ms(spawner, home) for _ in range(count)]


async def _first_answer_ms(spawner: Spawner, home: Path) -> float:
    began = time.monotonic()
    process, end = await spawner.start("echo", (), secrets=False)
    connection = Connection(end)
    connection.send(_boot(home))
    question = messages.encode(DescribeTree())
    connection.send(Envelope(kind="ask", to="echo:1", sender=SUPERVISOR, id=1, body=question))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        await connection.receive()
        took = (time.monotonic() - began) * 1000
        nursery.cancel_scope.cancel()
    process.kill()
    await process.wait()
    connection.close()
    return took


def _boot(home: Path) -> Envelope:
    boot = Boot(
        name="echo:1",
        entry=ECHO.entry,
        prepare="",
        settings=msgspec.Raw(msgspec.msgpack.encode(_settings(home))),
        life=1,
        supervisor=os.getpid(),
        secrets=False,
        terminal=False,
        fault=None,
    )
    return Envelope(kind="tell", to="echo:1", sender=SUPERVISOR, id=0, body=msgspec.Raw(msgspec.msgpack.encode(boot)))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
