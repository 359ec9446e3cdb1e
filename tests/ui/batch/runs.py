"""A batch's front in one process: with a real store, services that are there, and agents of the test's own."""

from functools import partial
from pathlib import Path

import msgspec

from actors.mailbox import Mailbox
from actors.messages.model import ServiceSaid, TryService
from actors.settings.config import Settings
from actors.store import actor as store
from tests.fakes.network import Network
from ui.batch import front
from ui.batch.task import BatchFront, Task
from ui.start.fronts import encoded

RUN = "run1"
AGENT_A, AGENT_B = f"agent:{b'a'.hex()}", f"agent:{b'b'.hex()}"


def two_tasks(out: Path, workers: int = 1) -> BatchFront:
    tasks = (Task(id="a", prompt="x", cwd="/w"), Task(id="b", prompt="y", cwd="/w"))
    return BatchFront(run_id=RUN, tasks=tasks, workers=workers, out=str(out), max_turns=9)


def settings(home: Path, words: BatchFront) -> Settings:
    return Settings(home=str(home), cwd="/w", session_id="s", run_id="start1", model="local/m", front=encoded(words))


def start(network: Network, home: Path, words: BatchFront) -> None:
    """The front and those it asks, but for the supervisor and the agents."""
    (home / "run").mkdir(exist_ok=True)
    given = settings(home, words)
    network.start("store", partial(store.run, settings=given))
    network.start("providers", services)
    network.start("ui", lambda mailbox: front.run(mailbox, given))


async def services(mailbox: Mailbox) -> None:
    """All are there."""
    async for request in mailbox:
        if isinstance(request.message, TryService):
            request.reply(ServiceSaid(state="ok", text="it lists 1 model"))


def done_line(task_id: str) -> str:
    return msgspec.json.encode({"id": task_id, "answer": "yes", "reason": "done", "session": f"old-{task_id}"}).decode()
