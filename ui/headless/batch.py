"""The front of a batch: an agent and a tool worker for each task, N at a time, and a line on how it ended."""

from collections import Counter
from pathlib import Path

import msgspec
import trio

from actors.common.budget import in_words, over
from actors.common.plurals import how_many
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import EndReason
from actors.messages.model import Retrying
from actors.messages.store import Cost, CostOf
from actors.messages.system import Exit, Signalled, StartActor, StopActor
from actors.messages.tool import FURTHER_WORKERS
from actors.messages.turn import CancelTurn, Event, Notice, Prompt, SessionInfo
from actors.messages.usage import NOTHING_USED
from actors.settings.config import Settings
from ui.common.exit_codes import DONE, FAILED, INTERRUPTED, OF_TURN
from ui.common.harmless import one_line
from ui.headless.batch_results import append_line, results
from ui.headless.report import Tally, cause, reason_of, result
from ui.headless.stdout import say
from ui.headless.watch import Watch
from ui.start.fronts import BatchFront, Task

PATIENCE_S = 3.0
"""For the agents to end their turns."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    front = msgspec.msgpack.decode(settings.front, type=BatchFront)
    batch = Batch(mailbox, settings, front)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(batch.drive)
        async for request in mailbox:
            match request.message:
                case Signalled():
                    nursery.start_soon(batch.interrupt)
                case Notice(text=text):
                    _say(text)
                case _:
                    continue
        nursery.cancel_scope.cancel()


class Batch:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: BatchFront) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._front = front
        written = results(Path(front.out))  # more than the launcher saw when this front has died and come back
        ended = {result.id: result.reason for result in written if result.is_of(settings.run_id)}
        self._waiting = [task for task in front.tasks if task.id not in ended]
        self._running: dict[str, str] = {}
        self._held_up: dict[str, str] = {}
        """Tasks whose model service is waited for, and which service that is."""
        self._changed = trio.lowlevel.ParkingLot()
        self._ended = Counter(ended.values())
        """How many tasks, by reason."""
        self._used = sum((result.used for result in written), start=NOTHING_USED)
        self._working = trio.CancelScope()
        """Cancelled: no task is begun and none goes on."""

    async def drive(self) -> None:
        _say(self._plan())
        with self._working:
            async with trio.open_nursery() as nursery:
                for _ in range(min(self._front.workers, len(self._waiting))):
                    nursery.start_soon(self._work)
        if not self._working.cancel_called:
            self._leave(FAILED if self._failed else OF_TURN["budget"] if self._ended["budget"] else DONE)

    def _plan(self) -> str:
        front = self._front
        results = f"results: {front.out}"
        if not front.done_before:
            return f"{how_many(len(front.tasks), 'task')}, {front.workers} at a time; {results}"
        to_do = f"{len(front.tasks)} to do, {front.workers} at a time" if front.tasks else "nothing is left to do"
        return f"{how_many(front.done_before, 'task')} done before, {to_do}; {results}"

    @property
    def _failed(self) -> int:
        return self._ended.total() - self._ended["done"] - self._ended["budget"]

    async def interrupt(self) -> None:
        """End all of them and leave, in bounded time whoever does not answer; what is written stays."""
        if self._working.cancel_called:
            return
        self._working.cancel()  # first: whoever is about to send a prompt must not send it after our CancelTurn
        async with trio.open_nursery() as nursery:
            ended = trio.Event()
            nursery.start_soon(self._end_turns, ended)
            with trio.move_on_after(PATIENCE_S):
                await ended.wait()
            self._leave(INTERRUPTED)  # the nursery may wait for an agent that does not even answer a cancel

    async def _end_turns(self, ended: trio.Event) -> None:
        async with trio.open_nursery() as nursery:
            for agent in self._running.values():
                nursery.start_soon(self._cancel, agent)
        ended.set()

    async def _cancel(self, agent: str) -> None:
        try:
            await self._mailbox.insist(agent, CancelTurn(scope="tree"), Done)
        except Failed:
            return  # it ended by itself

    def _leave(self, code: int) -> None:
        """With all agents there are: the session ends."""
        ended = self._ended
        others = {
            "refused": ended["refused"],
            "cut short": len(self._running),
            "stopped by --max-cost": ended["budget"],
            "done before": self._front.done_before,
        }
        failed = self._failed - ended["refused"]
        counts = [f"{ended['done']} done", f"{failed} failed", f"{len(self._waiting)} not begun"]
        counts += [f"{count} {how}" for how, count in others.items() if count]
        _say(", ".join(filter(None, [*counts, in_words(self._used)])))
        if code == INTERRUPTED:
            _say("interrupted; the same command goes on with what is not done")
        self._mailbox.tell("supervisor", Exit(code=code))

    async def _work(self) -> None:
        while (task := await self._next()) is not None:
            if refusal := await self._over_budget():
                self._write(task, Tally(), "budget", refusal)
            else:
                await self._run(task)

    async def _next(self) -> Task | None:
        """The next whose model service is not waited for: to begin one of those would only be one more that waits."""
        while self._waiting:
            held_up = self._held_up.values()
            task = next((task for task in self._waiting if self._service(task) not in held_up), None)
            if task is not None:
                self._waiting.remove(task)
                return task
            await self._changed.park()
        return None

    async def _over_budget(self) -> str:
        """Why no more can be begun; "" when something is left. The agents ask the same before each request."""
        limit = self._settings.max_cost_usd
        if limit is None:
            return ""
        try:
            spent = (await self._mailbox.insist("store", CostOf(beginning=self._settings.shared_cost), Cost)).cost_usd
        except Failed:
            return ""  # the agent will say it
        total = None if spent is None else spent + self._settings.earlier_cost_usd
        problem = over(total, limit, "this batch", "the same command and")
        return f"{problem.text} {problem.hint}" if problem else ""

    async def _run(self, task: Task) -> None:
        """One task, one agent, one line."""
        key = task.id.encode().hex()  # any id makes a name
        agent, worker = f"agent:{key}", f"tools:{key}"
        self._running[task.id] = agent

        async def hear(event: Event) -> None:
            self._hear(task, event)

        watch = Watch(self._mailbox, agent, self._prompt(task), hear, self._front.files.get(task.id, ()))
        try:
            for name in (worker, agent):
                await self._start(name, task)
            reason, text = await watch.follow()
        except Failed as failure:
            reason, text = reason_of(failure), str(failure)
        self._goes_on(task)
        self._write(task, watch.tally, reason, text)
        del self._running[task.id]
        for name in (agent, worker, *(f"{worker}{further}" for further in FURTHER_WORKERS)):
            await self._mailbox.ask("supervisor", StopActor(name=name), Done)

    def _hear(self, task: Task, event: Event) -> None:
        """The result is all that a batch shows of a task; but an outage holds up those that have not begun."""
        match event:
            case Retrying(wait_s=wait_s) if wait_s:
                self._held_up[task.id] = self._service(task)
            case Retrying() | SessionInfo():
                pass  # the wait is over, and not yet whether it was worth it
            case _:
                self._goes_on(task)

    def _goes_on(self, task: Task) -> None:
        if self._held_up.pop(task.id, None) is not None:
            self._changed.unpark_all()

    def _service(self, task: Task) -> str:
        return (task.model or self._settings.model).partition("/")[0]

    async def _start(self, name: str, task: Task) -> None:
        settings = msgspec.structs.replace(
            self._settings,
            cwd=task.cwd,
            session_id=self._session_of(task),
            model=task.model or self._settings.model,
            max_turns=self._front.max_turns,
            front=msgspec.Raw(b"\xc0"),
        )
        order = StartActor(name=name, settings=msgspec.Raw(msgspec.msgpack.encode(settings)))
        await self._mailbox.insist("supervisor", order, Done)

    def _session_of(self, task: Task) -> str:
        """The same for a front that came back: the agent goes on where it was."""
        return f"{self._settings.run_id}-{task.id.encode().hex()}"

    def _prompt(self, task: Task) -> Prompt:
        return Prompt(prompt_id=f"{self._session_of(task)}/prompt", text=task.prompt)

    def _write(self, task: Task, tally: Tally, reason: EndReason, text: str) -> None:
        line = {"id": task.id, **result(tally, reason, text), "session": self._session_of(task)}
        try:
            append_line(Path(self._front.out), line)
        except OSError as error:
            self._give_up(f"cannot write {self._front.out}: {error.strerror}")
            return
        self._ended[reason] += 1
        self._used += tally.usage
        ended = f"{self._ended.total()}/{len(self._front.tasks)}"
        cost = in_words(tally.usage)
        why = f" ({text})" if (text := cause(tally, reason, text)) else ""
        _say(f"[{ended}] {task.id}: {reason}{f', {cost}' * bool(cost)}{why}")

    def _give_up(self, why: str) -> None:
        """Once: several tasks may end at the same moment."""
        if not self._working.cancel_called:
            _say(f"trouper: {why}. The same command goes on once it can.")
            self._working.cancel()
            self._leave(FAILED)


def _say(text: str) -> None:
    say(one_line(text))
