"""The real store in a process of its own that is killed again and again while several writers append to it.

    python -m tests.fakes.killed_store HOME KILLS

appends until the store has been killed so often, and prints a JSON object: for each session the ids that were
acknowledged, in their order, and how often the store was killed. Each writer insists as an agent does: what was not
acknowledged is sent again to the store's next life.
"""

import os
import random
import sys
import uuid
from pathlib import Path

import msgspec
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Envelope
from actors.messages.conversation import Entry, ToolResult, UserMessage
from actors.messages.store import Append, OpenSession, SessionOpened
from actors.settings.config import Settings
from supervisor.process.host import Boot
from supervisor.process.spawner import Spawner
from supervisor.process.wire import Connection
from tests import ROOT

WRITERS = 4
IDLE_LIVES = 0.3
"""So many of them are killed wherever they are, which may be before anything is written; the others in their work."""
LONGEST_IDLE_S, LONGEST_S = 0.05, 0.005
MOST_WRITTEN = 4
LARGE = "x" * 20_000


class Load:
    def __init__(self, home: Path, kills: int) -> None:
        self._home = home
        self._kills = kills
        self._settings = Settings(home=str(home), cwd=str(home), session_id="", run_id="r")
        self._spawner = Spawner("fork", str(ROOT / "tests" / "fakes" / "launch.py"), ["actors.store.actor"])
        self._spawner.fork_zygote()
        self._waiting: dict[str, Entry] = {}
        """For each session what was sent and not acknowledged."""
        self._written = trio.lowlevel.ParkingLot()
        self.acknowledged: dict[str, list[str]] = {f"s{number}": [] for number in range(WRITERS)}
        self.killed = 0

    async def run(self) -> None:
        while self.killed < self._kills:
            await self._live()
        self._spawner.close()

    async def _live(self) -> None:
        process, end = await self._spawner.start("store", ["actors.store.actor"], secrets=False)
        connection = Connection(end)
        boot = Boot(
            name="store",
            entry="actors.store.actor:run",
            prepare="",
            settings=msgspec.Raw(msgspec.msgpack.encode(self._settings)),
            life=self.killed + 1,
            supervisor=os.getpid(),
            secrets=False,
            terminal=False,
            fault=None,
        )
        body = msgspec.Raw(msgspec.msgpack.encode(boot))
        connection.send(Envelope(kind="tell", to="store", sender="", id=0, body=body))
        mailbox = Mailbox("agent:main", connection, first_id=((self.killed + 1) << 32) + 1)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.write)
            nursery.start_soon(mailbox.pump)
            for session_id in self.acknowledged:
                nursery.start_soon(self._write_until_death, mailbox, session_id)
            await self._moment()
            process.kill()
            self.killed += 1
            await process.wait()
            nursery.cancel_scope.cancel()
        end.close()

    async def _moment(self) -> None:
        """To kill it at, however slow the machine is."""
        if random.random() < IDLE_LIVES:
            await trio.sleep(random.random() * LONGEST_IDLE_S)
            return
        session = random.choice(list(self.acknowledged.values()))
        enough = len(session) + random.randint(1, MOST_WRITTEN)
        while len(session) < enough:
            await self._written.park()
        await trio.sleep(random.random() * LONGEST_S)

    async def _write_until_death(self, mailbox: Mailbox, session_id: str) -> None:
        try:
            await self._write(mailbox, session_id)
        except Failed as failure:
            if failure.problem.code != "gone":
                raise

    async def _write(self, mailbox: Mailbox, session_id: str) -> None:
        async with mailbox.stream("store", OpenSession(session_id=session_id, cwd="/w", at="")) as stream:
            await stream.result(SessionOpened)
        done = self.acknowledged[session_id]
        while True:
            entry = self._waiting.get(session_id) or self._next(session_id)
            await mailbox.ask("store", Append(entries=(entry,)), Done)
            done.append(entry.id)
            self._written.unpark_all()
            del self._waiting[session_id]

    def _next(self, session_id: str) -> Entry:
        done = self.acknowledged[session_id]
        number = len(done)
        body = UserMessage(text=f"{session_id} {number}", turn_id="t", prompt_id=str(number))
        large = ToolResult(call_id=str(number), name="bash", output=f"{LARGE}{number}")
        entry = Entry(
            id=uuid.uuid4().hex,
            session_id=session_id,
            parent=done[-1] if done else "",
            at=float(number),
            body=large if number % 5 == 0 else body,
        )
        self._waiting[session_id] = entry
        return entry


if __name__ == "__main__":
    load = Load(Path(sys.argv[1]), int(sys.argv[2]))
    trio.run(load.run)
    sys.stdout.buffer.write(msgspec.json.encode({"acknowledged": load.acknowledged, "killed": load.killed}))
