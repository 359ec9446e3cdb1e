"""Many agents that are answered at once, as a process: `python -m tests.bench.crowd URL COUNT PER_S HOME`.

A real supervisor with all its actors, an agent each, and a front that prompts all of them and looks at the clock. It
prints a Crowd as JSON.
"""

import os
import sys
import time
from pathlib import Path

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.model import TextDelta
from actors.messages.system import DescribeTree, Exit, StartActor, Tree
from actors.messages.turn import Accepted, Prompt, Subscribe
from actors.settings.config import ProviderSettings, Settings
from supervisor import tree
from supervisor.router import SUPERVISOR
from tests.bench import plan, processes
from tests.bench.place import LAUNCHER
from tests.fakes import led_tree

SETTLED_S = 3.0
"""After the first delta of the last one."""
WATCHED_S = 5.0
STREAM_S = 180
"""Longer than it takes until all are open."""


class Wanted(msgspec.Struct):
    count: int
    per_s: int


class Crowd(msgspec.Struct):
    delays_ms: list[float]
    """From the service's send to the front's receive, of each delta."""
    cpu_percent: float
    """Of one core, of all processes."""
    pss_mb: float
    """Of all processes, the front included."""
    processes: int
    received_percent: float
    """Of the deltas that the rate promises; less where the machine could not keep up."""


class Watcher:
    def __init__(self, mailbox: Mailbox, settings: Settings, wanted: Wanted) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._wanted = wanted
        self._watching = False
        self._delays_ms: list[float] = []
        self._open = 0
        self._first_open, self._all_open = trio.Event(), trio.Event()

    async def measure(self) -> Crowd:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._follow, 0)
            await self._first_open.wait()  # its worker has told the tools: the others need none before their first call
            for number in range(1, self._wanted.count):
                nursery.start_soon(self._follow, number)
            await self._all_open.wait()
            await trio.sleep(SETTLED_S)
            tree = await self._mailbox.ask(SUPERVISOR, DescribeTree(), Tree)
            pids = processes.tree(tree.pid)
            before, began = processes.cpu(pids), time.monotonic()
            self._watching = True
            await trio.sleep(WATCHED_S)
            self._watching = False
            watched_s = time.monotonic() - began
            cpu_s = processes.cpu_s(before, processes.cpu(pids))
            nursery.cancel_scope.cancel()
        promised = self._wanted.count * self._wanted.per_s * watched_s
        return Crowd(
            delays_ms=self._delays_ms,
            cpu_percent=cpu_s / watched_s * 100,
            pss_mb=processes.pss_mb(pids),
            processes=len(pids),
            received_percent=len(self._delays_ms) / promised * 100,
        )

    async def _follow(self, number: int) -> None:
        agent, per_s = f"agent:c{number}", self._wanted.per_s
        settings = msgspec.structs.replace(self._settings, session_id=f"crowd{number}", front=msgspec.Raw(b"\xc0"))
        encoded = msgspec.Raw(msgspec.msgpack.encode(settings))
        for name in (f"tools:c{number}", agent):
            await self._mailbox.insist(SUPERVISOR, StartActor(name=name, settings=encoded), Done)
        text = plan.Plan(stamped=True, per_s=per_s, deltas=STREAM_S * per_s).prompt
        await self._mailbox.insist(agent, Prompt(prompt_id=f"p{number}", text=text), Accepted)
        heard = False
        async with self._mailbox.stream(agent, Subscribe(prompt_id=f"p{number}")) as stream:
            async for event in stream:
                if not isinstance(event, TextDelta):
                    continue
                if not heard:
                    heard = True
                    self._open += 1
                    self._first_open.set()
                    if self._open == self._wanted.count:
                        self._all_open.set()
                if self._watching:
                    now = time.monotonic()
                    self._delays_ms += [(now - float(sent)) * 1000 for sent in event.text.split()]


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """settings.front: a Wanted."""
    wanted = msgspec.msgpack.decode(settings.front, type=Wanted)
    async with trio.open_nursery() as nursery:

        async def drive() -> None:
            os.write(1, msgspec.json.encode(await Watcher(mailbox, settings, wanted).measure()))
            mailbox.tell(SUPERVISOR, Exit(code=0))

        nursery.start_soon(drive)
        async for _ in mailbox:
            continue


def main(url: str, wanted: Wanted, home: Path) -> int:
    settings = Settings(
        home=str(home),
        cwd=str(home),
        session_id="bench",
        run_id="bench",
        model="bench/instant",
        providers={"bench": ProviderSettings(api="openai-chat", base_url=url)},
        front=msgspec.Raw(msgspec.msgpack.encode(wanted)),
    )
    specs = tree.session(tree.front("tests.bench.crowd:run", terminal=False), main_agent=False)
    return led_tree.run(specs, settings, launcher=LAUNCHER, preload=tree.MODULES)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Wanted(int(sys.argv[2]), int(sys.argv[3])), Path(sys.argv[4])))
