"""Many streams through one providers actor, as a process: `python -m tests.bench.streams URL COUNT HOME`.

A real supervisor, a real providers process, and a front that asks so many times at once and looks at the clock. It
prints a Streamed as JSON.
"""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import msgspec
import trio

from actors.mailbox import Mailbox
from actors.messages.conversation import UserMessage
from actors.messages.model import AskModel, TextDelta
from actors.messages.system import DescribeTree, Exit, Tree
from actors.settings.config import ProviderSettings, Settings
from supervisor import tree
from supervisor.child_spec import ChildSpec
from supervisor.router import SUPERVISOR
from tests.bench import plan, processes
from tests.bench.place import LAUNCHER
from tests.fakes import led_tree

ASKER = ChildSpec(name="ui", entry="tests.bench.streams:run", talks_to=("providers", SUPERVISOR), leads=True)
SETTLED_S = 2.0
"""After the first delta: all streams are open."""
WATCHED_S = 5.0


class Streamed(msgspec.Struct):
    PER_S: ClassVar[int] = 60

    delays_ms: list[float]
    """From the service's send to the asker's receive, of each delta."""
    cpu_percent: float
    """Of one core."""
    pss_mb: float
    received_percent: float
    """Of the deltas that the rate promises; less where the machine could not keep up."""


class Asker:
    def __init__(self, mailbox: Mailbox, count: int) -> None:
        self._mailbox = mailbox
        self._count = count
        self._watching = False
        self._delays_ms: list[float] = []
        self._open = 0
        self._all_open = trio.Event()

    async def measure(self) -> Streamed:
        async with trio.open_nursery() as nursery:
            for number in range(self._count):
                nursery.start_soon(self._listen, number)
            await self._all_open.wait()
            await trio.sleep(SETTLED_S)
            tree = await self._mailbox.ask(SUPERVISOR, DescribeTree(), Tree)
            pid = next(actor.pid for actor in tree.actors if actor.name == "providers")
            before, began = processes.cpu([pid]), time.monotonic()
            self._watching = True
            await trio.sleep(WATCHED_S)
            self._watching = False
            watched_s = time.monotonic() - began
            cpu_s = processes.cpu_s(before, processes.cpu([pid]))
            nursery.cancel_scope.cancel()
        return Streamed(
            delays_ms=self._delays_ms,
            cpu_percent=cpu_s / watched_s * 100,
            pss_mb=processes.pss_mb([pid]),
            received_percent=len(self._delays_ms) / (self._count * Streamed.PER_S * watched_s) * 100,
        )

    async def _listen(self, number: int) -> None:
        prompt = plan.Plan(stamped=True, per_s=Streamed.PER_S, deltas=60 * Streamed.PER_S).prompt
        asked = UserMessage(text=prompt, turn_id="t")
        question = AskModel(model="bench/instant", session_id=f"s{number}", system="", history=(asked,))
        async with self._mailbox.stream("providers", question) as stream:
            await anext(stream)
            self._open += 1
            if self._open == self._count:
                self._all_open.set()
            async for item in stream:
                if self._watching and isinstance(item, TextDelta):
                    now = time.monotonic()
                    self._delays_ms += [(now - sent) * 1000 for sent in _sent(item.text)]


def _sent(text: str) -> Iterator[float]:
    """When the deltas in it were; several may have been joined on their way."""
    return map(float, text.split())


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """settings.front: how many streams."""
    count = msgspec.msgpack.decode(settings.front, type=int)
    async with trio.open_nursery() as nursery:

        async def drive() -> None:
            os.write(1, msgspec.json.encode(await Asker(mailbox, count).measure()))
            mailbox.tell(SUPERVISOR, Exit(code=0))

        nursery.start_soon(drive)
        async for _ in mailbox:
            continue


def main(url: str, count: int, home: Path) -> int:
    settings = Settings(
        home=str(home),
        cwd=str(home),
        session_id="bench",
        run_id="bench",
        model="bench/instant",
        providers={"bench": ProviderSettings(api="openai-chat", base_url=url)},
        front=msgspec.Raw(msgspec.msgpack.encode(count)),
    )
    return led_tree.run((tree.PROVIDERS, ASKER), settings, launcher=LAUNCHER)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])))
