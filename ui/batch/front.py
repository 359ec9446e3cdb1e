"""The front of a batch: N tasks at a time, what stops all of them, and how it leaves."""

import errno
import math
import os
from collections import Counter
from functools import partial

import msgspec
import trio

from actors.common.budget import dollars, in_words, over
from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.batch import TaskRow
from actors.messages.budget import Budget, Budgets, ReadBudgets
from actors.messages.model import Retrying
from actors.messages.system import Exit, Signalled
from actors.messages.turn import Event, Notice, SessionInfo
from actors.messages.usage import NOTHING_USED
from actors.settings.config import Settings
from ui.batch import outlook, run_lock
from ui.batch.journal import Journal
from ui.batch.live.onlookers import Onlookers
from ui.batch.reports import left_behind
from ui.batch.results import Result
from ui.batch.sweep import Sweep
from ui.batch.task import BatchFront, Task
from ui.batch.task_run import OutOfBudget, TaskRun, Told
from ui.common.exit_codes import DONE, FAILED, IN_USE, INTERRUPTED, OF_TURN
from ui.common.harmless import exposed_line
from ui.common.usage_errors import OF_A_SESSION, Usage

LONGEST_NAME = 80
"""Characters of a task's id in what is said."""
PATIENCE_S = 3.0
"""For the journal, when all else has ended."""


async def run(mailbox: Mailbox, settings: Settings) -> None:
    front = msgspec.msgpack.decode(settings.front, type=BatchFront)
    progress = Onlookers(settings.home, os.environ)
    batch = Batch(mailbox, settings, front, progress)
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(progress.run)
            nursery.start_soon(batch.pause_when_asked)
            nursery.start_soon(batch.drive)
            async for request in mailbox:
                match request.message:
                    case Signalled():
                        nursery.start_soon(batch.interrupt)
                    case Notice(text=text):
                        batch.say(text)
                    case _:
                        continue
            nursery.cancel_scope.cancel()
    finally:
        batch.give_back()  # not before: until then something may be written


class Batch:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: BatchFront, progress: Onlookers) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self._front = front
        self._progress = progress
        self.say = progress.say
        self._journal = Journal(mailbox, settings, front)
        self._waiting: list[Task] = []
        self._held_up: dict[str, str] = {}
        """Tasks whose model service is waited for, and which service that is."""
        self._changed = trio.lowlevel.ParkingLot()
        self._at_work: set[str] = set()
        """Ids of tasks."""
        self._ended = self._to_do = 0
        """Tasks of this start."""
        self._out_of_budget = ""
        """Why no more is begun."""
        self._missing = False
        """Something of what was to be left behind could not be written."""
        self._lock: int | None = None
        self._stopped = trio.CancelScope()
        """Cancelled: no task is begun and none goes on."""
        self._doing = "its lock could not be looked at"
        """At the start, for who has to wait for it."""
        self._missing = False
        """Something of what was to be left behind could not be written."""
        self._gave_up: int | None = None
        """With which code."""

    def give_back(self) -> None:
        """The lock: from now on another program may work on it."""
        if self._lock is not None:
            run_lock.give_back(self._settings, self._front.run_id, self._lock)

    async def drive(self) -> None:
        """From the lock to Exit."""
        with self._stopped:
            try:
                with trio.fail_after(self._front.start_s or math.inf):
                    await self._open()
            except trio.TooSlowError:
                late = f"it could not begin within {self._front.start_s:g} s (--start-timeout)"
                self._give_up(f"{late}: {self._doing}", OF_TURN["timeout"])
            except Failed as failure:
                self._give_up(str(failure), IN_USE if failure.problem.code == "session_in_use" else FAILED)
            except Usage as error:
                self._give_up(str(error))
            except OSError as error:
                self._give_up(_unwritten(error, self._front.out))
            else:
                await self._work_all()
        if self._gave_up is not None:
            await self._depart(self._gave_up)
        elif not self._stopped.cancel_called:
            await self._leave(self._code())

    async def _open(self) -> None:
        """Raises Failed, Usage, OSError."""
        self._lock = await run_lock.take(self._settings, self._front.run_id)
        self._doing = "store did not open its journal"
        await self._journal.open()
        self._progress.opens(self._journal.rows.values(), self._front, _limit(self._settings))

    async def _work_all(self) -> None:
        """Raises nothing that a task could be the cause of."""
        given = self._journal.given()
        self._waiting = [task for task, row in given if not row.has_ended]
        self._to_do = len(self._waiting)
        rows, workers = [row for _, row in given], self._front.workers
        if ids := self._journal.changed:
            self.say(f"changed since, and so run anew: {', '.join(ids)}")
        self.say(outlook.plan(rows, len(self._waiting), workers, self._front.out))
        if told := outlook.estimate(rows, len(self._waiting), workers):
            self.say(told)
        if self._waiting:
            self.say(f"to go on with it after an end: trouper batch --resume {self._front.run_id}")
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._sweep)
            nursery.start_soon(self._leave_behind, rows)
            await self._work_on(workers)
        await self._sweep()

    async def _work_on(self, workers: int) -> None:
        """Once the model services are there."""
        models = dict.fromkeys(task.model or self._settings.model for task in self._waiting)
        if why := await outlook.wait_for_services(self._mailbox, models, self._settings.patience_s, self.say):
            self._give_up(why)
            return
        async with trio.open_nursery() as nursery:
            for _ in range(min(workers, len(self._waiting))):
                nursery.start_soon(self._work)

    async def _sweep(self) -> None:
        if not any(task.isolation == "worktree" for task in self._front.tasks):
            return
        try:
            await Sweep(self._mailbox, self._journal, self._in_use, self.say).run()
        except (Failed, Usage) as failure:
            self._give_up(str(failure))
        except OSError as error:
            self._give_up(_unwritten(error, self._front.out))

    def _in_use(self) -> set[str]:
        """Sessions of the tasks at work."""
        return {self._journal.rows[task_id].session_id for task_id in self._at_work}

    async def _leave_behind(self, rows: list[TaskRow]) -> None:
        for problem in await left_behind.of_tasks(self._mailbox, self._front.reports, rows):
            self._misses(problem)

    def _misses(self, problem: str) -> None:
        """Of what was to be left behind."""
        self._missing = True
        self.say(f"{problem}; the same command tries again")

    def _code(self) -> int:
        states = Counter(row.state for _, row in self._journal.given())
        if self._out_of_budget:
            return OF_TURN["budget"]
        return DONE if states["done"] == states.total() and not self._missing else FAILED

    async def interrupt(self) -> None:
        """Pause all of them and leave: their turns stay open, and go on where they were at the next start."""
        if not self._stopped.cancel_called:
            self._progress.pauses()
            self._stopped.cancel()
            await self._leave(INTERRUPTED)

    async def pause_when_asked(self) -> None:
        """By another program."""
        await self._progress.asked.wait()
        await self.interrupt()

    async def _leave(self, code: int) -> None:
        """With all agents there are: the program ends."""
        rows = [row for _, row in self._journal.given()] if self._journal.rows else []
        self.say(_summary(rows, len(self._waiting)))
        if self._out_of_budget:
            self.say(f"paused: {self._out_of_budget}")
        if code == INTERRUPTED:
            self.say("interrupted; the same command goes on with what is not done")
        ended = all(row.has_ended for row in rows)
        try:
            with trio.move_on_after(PATIENCE_S):
                done = all(row.state == "done" for row in rows)
                await self._journal.close(("done" if done else "failed") if ended else "paused")
        except Failed:
            pass  # it still runs by what is written, and its lock says that nobody is there
        self._settle()  # not before: by now nobody adds to the file any more
        with trio.move_on_after(PATIENCE_S) as reporting:
            for problem in await left_behind.of_run(self._mailbox, self._front.reports, self._front.run_id):
                self._misses(problem)
        if reporting.cancelled_caught:
            self._misses("the reports took too long to be written")
        await self._depart(FAILED if self._missing and code == DONE else code)

    def _settle(self) -> None:
        if self._journal.rows:
            try:
                self._journal.settle()
            except (Usage, OSError) as error:
                self._misses(f"{self._front.out} may not have all results: {error}")

    async def _depart(self, code: int) -> None:
        await self._progress.close(code)
        self._mailbox.tell("supervisor", Exit(code=code))

    def _give_up(self, why: str, code: int = FAILED) -> None:
        """Once: several tasks may end at the same moment."""
        if not self._stopped.cancel_called:
            why = why.replace(OF_A_SESSION, "")
            end = "" if why.endswith((".", "?")) else "."
            self.say(f"trouper: {why}{end}{'' if code == IN_USE else ' The same command goes on once it can.'}")
            self._gave_up = code
            self._stopped.cancel()

    async def _work(self) -> None:
        while (task := await self._next()) is not None:
            if refusal := await self._over_budget():
                self._pause(refusal)
                self._waiting.insert(0, task)
                return
            await self._run(task)

    async def _next(self) -> Task | None:
        """The next whose model service is not waited for: to begin one of those would only be one more that waits."""
        while self._waiting and not self._out_of_budget:
            held_up = self._held_up.values()
            task = next((task for task in self._waiting if self._service(task) not in held_up), None)
            if task is not None:
                self._waiting.remove(task)
                return task
            await self._changed.park()
        return None

    def _pause(self, why: str) -> None:
        self._out_of_budget = self._out_of_budget or why
        self._changed.unpark_all()

    async def _over_budget(self) -> str:
        """Why no more can be begun; "" when something is left. The agents ask the same before each request."""
        hard, soft = self._settings.budgets, self._front.soft_cost_usd
        if not hard and soft is None:
            return ""
        asked = (*hard, Budget(session_id=self._front.run_id, what="this batch"))
        try:
            *stand, now = (await self._mailbox.insist("store", ReadBudgets(budgets=asked), Budgets)).budgets
        except Failed:
            return ""  # the agent will say it
        if problem := next(filter(None, map(over, stand)), None):
            return f"{problem.text} {problem.hint}"
        if soft is not None and now.usd is None:
            return "what this batch has cost so far is unknown, so --soft-cost cannot be kept."
        if soft is not None and now.usd is not None and now.usd >= soft:
            return f"this batch has cost {dollars(now.usd)}, and --soft-cost is {dollars(soft)}."
        return ""

    async def _run(self, task: Task) -> None:
        """One task, as often as it is worth it."""
        does = partial(self._progress.does, task.id)
        told = Told(hear=partial(self._hear, task), does=does, say=self.say, misses=self._misses)
        task_run = TaskRun(self._mailbox, self._settings, self._journal, task, told)
        self._at_work.add(task.id)
        self._progress.begun(self._journal.rows[task.id])
        try:
            await task_run.run()
        except OutOfBudget as why:
            self._pause(str(why))
            self._progress.paused(self._journal.rows[task.id])
        except (Failed, Usage) as failure:  # the journal cannot be written, or the file is no longer ours
            self._give_up(str(failure))
        except OSError as error:
            self._give_up(_unwritten(error, self._front.out))
        else:
            self._tell_end(self._journal.rows[task.id])
            if task_run.left:
                self.say(f"the worktree of {_called(task)} is still there: {task_run.left}")
            await self._leave_behind([self._journal.rows[task.id]])
        finally:
            self._at_work.discard(task.id)
            self._goes_on(task)

    def _tell_end(self, row: TaskRow) -> None:
        result = msgspec.json.decode(row.result, type=Result)
        self._ended += 1
        cost = in_words(result.usage) if result.usage is not None else ""
        why = f" ({result.error})" if result.error else ""
        text = f"[{self._ended}/{self._to_do}] {_called(row)}: {result.reason}{f', {cost}' * bool(cost)}{why}"
        self._progress.ended(row, text)

    def _hear(self, task: Task, event: Event) -> None:
        """The result is all that a batch shows of a task; but an outage holds up those that have not begun."""
        self._progress.heard(self._journal.rows[task.id], event)
        match event:
            case Retrying(wait_s=wait_s, why=why) if wait_s:
                if task.id not in self._held_up:
                    self.say(f"{_called(task)} waits for its model service: {why}")
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


def _called(task: Task | TaskRow) -> str:
    """In a line, of which it leaves the rest to be read."""
    name = exposed_line(task.id)
    return name if len(name) <= LONGEST_NAME else f"{name[: LONGEST_NAME - 1]}…"


def _unwritten(error: OSError, out: str) -> str:
    """out: the file that it is where the error names none."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return f"cannot write {error.filename or out}: {error.strerror}.{' Free some space.' * full}"


def _limit(settings: Settings) -> float | None:
    """US dollars for all of it."""
    return min((budget.usd for budget in settings.budgets if budget.usd is not None), default=None)


def _summary(rows: list[TaskRow], waiting: int) -> str:
    """How all of it stands, for people."""
    results = [msgspec.json.decode(row.result, type=Result) for row in rows if row.result]
    done = sum(row.state == "done" for row in rows)
    refused = sum(result.reason == "refused" for result in results)
    counts = [f"{done} done", f"{sum(row.state == 'failed' for row in rows) - refused} failed"]
    begun = sum(not row.has_ended for row in rows) - waiting
    others = ((refused, "refused"), (begun, "cut short"))
    counts += [f"{waiting} not begun", *(f"{count} {how}" for count, how in others if count)]
    used = sum((result.usage or NOTHING_USED for result in results), start=NOTHING_USED)
    return ", ".join(filter(None, [*counts, in_words(used)]))
