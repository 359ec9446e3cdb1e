"""A batch while a model service is waited for: what runs goes on waiting, and nothing new is begun there."""

from functools import partial
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from actors.mailbox import Mailbox, Request
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Entry, Text, TurnEnded, UserMessage
from actors.messages.model import Retrying, TextDelta
from actors.messages.system import Exit, StartActor, StopActor
from actors.messages.turn import Accepted, EntryAdded, Event, Prompt, SessionInfo, Subscribe
from tests.fakes.network import Network, open_network
from tests.ui.batch.runs import start
from ui.batch.task import BatchFront, Task

DOWN = Retrying(why="local: HTTP 529.", wait_s=30.0, failed=True)
TASKS = (
    Task(id="a", prompt="a"),
    Task(id="b", prompt="b"),
    Task(id="c", prompt="c"),
    Task(id="d", prompt="d", model="other/model"),
)


class Agents:
    """Those that are started: each does its task when it is let, and says before that what it is told to."""

    def __init__(self, network: Network) -> None:
        self.begun: list[str] = []
        self.let = {task.id: trio.Event() for task in TASKS}
        self.says: dict[str, Event] = {}
        self.left = trio.Event()
        self._network = network
        self._begins = trio.Condition()

    async def busy(self, count: int) -> None:
        """So many have begun."""
        async with self._begins:
            while len(self.begun) < count:
                await self._begins.wait()

    async def supervise(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            match request.message:
                case StartActor(name=name) if name.startswith("agent:"):
                    task = bytes.fromhex(name.partition(":")[2]).decode()
                    async with self._begins:
                        self.begun.append(task)
                        self._begins.notify_all()
                    self._network.start(name, partial(self._serve, task))
                    request.reply(Done())
                case StartActor() | StopActor():
                    request.reply(Done())
                case Exit():
                    self.left.set()
                case other:
                    raise TypeError(other)

    async def _serve(self, task: str, mailbox: Mailbox) -> None:
        prompt = Prompt(prompt_id="", text="")
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                if isinstance(request.message, Prompt):
                    prompt = request.message
                    request.reply(Accepted(turn_id=prompt.prompt_id))
                elif isinstance(request.message, Subscribe):
                    nursery.start_soon(request.serve, partial(self._tell, task, prompt))

    async def _tell(self, task: str, prompt: Prompt, request: Request) -> None:
        turn = prompt.prompt_id
        await request.send(SessionInfo(session_id=task, model="", cwd="/", mode="auto", busy=True))
        await request.send(_entry(UserMessage(text=task, turn_id=turn, prompt_id=turn)))
        if task in self.says:
            await request.send(self.says[task])
        await self.let[task].wait()
        await request.send(TextDelta(text="so"))
        await request.send(_entry(AssistantMessage(blocks=(Text(text="so"),), stop_reason="end_turn", model="m")))
        await request.send(_entry(TurnEnded(turn_id=turn, reason="done")))
        await trio.sleep_forever()


def _entry(body: UserMessage | AssistantMessage | TurnEnded) -> EntryAdded:
    return EntryAdded(entry=Entry(id=type(body).__name__, session_id="s", parent="", body=body, at=1.0))


@pytest.mark.parametrize(
    ("says", "begun"),
    [(DOWN, ["a", "b", "d"]), (Retrying(why="others go first", wait_s=0.0), ["a", "b", "c"])],
    ids=["an outage", "only busy"],
)
async def test_a_task_that_waits_for_its_service_holds_up_those_that_would(
    tmp_path: Path, says: Event, begun: list[str]
) -> None:
    tasks = tuple(msgspec.structs.replace(task, cwd="/w") for task in TASKS)
    words = BatchFront(run_id="r", tasks=tasks, workers=2, out=str(tmp_path / "out"), max_turns=9)
    async with open_network() as network:
        agents = Agents(network)
        agents.says["a"] = says
        agents.let["b"].set()
        network.start("supervisor", agents.supervise)
        start(network, tmp_path, words)
        await agents.busy(len(begun))
        await wait_all_tasks_blocked(0.05)
        then = list(agents.begun)
        for let in agents.let.values():
            let.set()
        await agents.left.wait()

    assert then == begun
    assert sorted(agents.begun) == ["a", "b", "c", "d"]
    assert len((tmp_path / "out").read_text().splitlines()) == 4
