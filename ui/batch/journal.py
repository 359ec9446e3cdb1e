"""What a batch must not forget: its rows in the store, and the file of results, which says the same a moment later."""

from collections.abc import Collection, Iterable
from pathlib import Path

import msgspec
from msgspec.structs import replace

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.batch import OpenRun, ReadRun, RecordRun, RecordTask, RunOpened, RunRow, RunState, TaskRow
from actors.messages.store import Recall, Recalled, Remember
from actors.settings.config import Settings
from ui.batch.places import key_of
from ui.batch.results import Result
from ui.batch.results_file import agree, append, lines
from ui.batch.task import BatchFront, Task
from ui.common.json_text import line


class Journal:
    def __init__(self, mailbox: Mailbox, settings: Settings, front: BatchFront) -> None:
        self._mailbox = mailbox
        self._settings = settings
        self.front = front
        self._out = Path(front.out)
        self.rows: dict[str, TaskRow] = {}
        """By id: of all tasks of the run, in their order. Once it is open."""
        self._told: dict[str, str] = {}
        """By id: the line that the file of results has."""
        self.changed: tuple[str, ...] = ()
        """Ids of tasks that were another task until now."""

    async def open(self) -> None:
        """The file is made to agree with it. Raises Failed, Usage and OSError."""
        front = self.front
        before = await self._before()
        run = RunRow(
            run_id=front.run_id, tasks=front.tasks_from, out=front.out, cwd=self._settings.cwd, workers=front.workers
        )
        wanted = OpenRun(run=run, tasks=tuple(self._first_rows(before)))
        opened = await self._mailbox.insist("store", wanted, RunOpened)
        self.rows = {row.id: row for row in opened.tasks}
        known = {row.id: row.key for row in before}
        self.changed = tuple(
            task.id for task in front.tasks if known.get(task.id, self.rows[task.id].key) != self.rows[task.id].key
        )
        for task in front.tasks:
            await self._go_on_with_more(task)
        if front.again:
            await self._begin_failed_anew()
        self.settle()

    async def _before(self) -> tuple[TaskRow, ...]:
        try:
            return (await self._mailbox.insist("store", ReadRun(said=self.front.run_id), RunOpened)).tasks
        except Failed as failure:
            if failure.problem.code != "unknown_run":
                raise
            return ()

    def _first_rows(self, before: Iterable[TaskRow]) -> Iterable[TaskRow]:
        """Of the tasks given. What an older version has done, of which only the file knows, is done."""
        known = {row.id for row in before}
        done = {result.id: text for text, result in lines(self._out) if result.reason == "done"}
        for task in self.front.tasks:
            key = key_of(task, self._settings, self.front)
            row = TaskRow(key=key, id=task.id, session_id=f"{self.front.run_id}.{key}", spec=line(task).strip())
            if task.id in done and task.id not in known:
                row = replace(row, state="done", attempts=1, result=done[task.id])
            yield row

    async def _go_on_with_more(self, task: Task) -> None:
        """One that had spent its own budget, and has more now, has not ended."""
        row = self.rows[task.id]
        if row.state != "failed" or msgspec.json.decode(row.result, type=Result).reason != "budget":
            return
        before = msgspec.json.decode(row.spec, type=_Spec)
        if _is_more(task.max_cost, before.max_cost) or _is_more(task.max_tokens, before.max_tokens):
            await self.record(replace(row, state="pending", result="", spec=line(task).strip()))

    async def _begin_failed_anew(self) -> None:
        """Once in a start of the program: a front that came back must not begin them a second time."""
        key = f"batch again/{self._settings.run_id}"
        if (await self._mailbox.insist("store", Recall(key=key), Recalled)).value is None:
            given = set(self.front.again_only) or {task.id for task in self.front.tasks}
            for row in [row for row in self.rows.values() if row.state == "failed" and row.id in given]:
                await self.begin_anew(row)
            await self._mailbox.insist("store", Remember(key=key, value="done"), Done)

    async def begin_anew(self, row: TaskRow) -> None:
        """In a session of its own. Raises Failed."""
        await self.record(TaskRow(key=row.key, id=row.id, session_id=_next_session(row), spec=row.spec))

    async def record(self, row: TaskRow) -> None:
        """Raises Failed."""
        await self._mailbox.insist("store", RecordTask(run_id=self.front.run_id, task=row), Done)
        self.rows[row.id] = row

    def left_behind(self, worktrees: Iterable[str], in_use: Collection[str]) -> dict[str, str]:
        """Those of this batch that nobody goes on with, and those of which it is not known that they are gone.

        By key, and the folder that each was made of; "" where no task has it any more. in_use: keys that are neither.
        """
        goes_on = {row.session_id for row in self.rows.values() if not row.has_ended}
        goes_on.update(in_use)
        ours = [key for key in worktrees if key.startswith(f"{self.front.run_id}.") and key not in goes_on]
        ended = [row for row in self.rows.values() if row.result and row.base and row.session_id not in in_use]
        unsure = [row for row in ended if not _has_ref(row)]
        return dict.fromkeys(ours, "") | {row.session_id: _folder(row) for row in unsure}

    async def keep_ref(self, session_id: str, ref: str) -> None:
        """In the result of its task, if it has one; in the file once that is settled. Raises Failed."""
        row = next((row for row in self.rows.values() if row.session_id == session_id and row.result), None)
        if row is not None and (ref or not _has_ref(row)):
            await self.record(with_ref(row, ref))

    def publish(self, row: TaskRow) -> None:
        """What is recorded, in the file: also where it was settled a moment ago. Raises Usage and OSError."""
        if row.id not in self._told:
            append(self._out, f"{row.result}\n")
            self._told[row.id] = row.result
        elif self._told[row.id] != row.result:
            self.settle()

    async def close(self, state: RunState) -> None:
        """Raises Failed."""
        await self._mailbox.insist("store", RecordRun(run_id=self.front.run_id, state=state), Done)

    def settle(self) -> None:
        """The file may have been changed or removed meanwhile. Raises Usage and OSError."""
        agree(self._out, tuple(self.rows.values()))
        self._told = {row.id: row.result for row in self.rows.values() if row.result}

    def given(self) -> list[tuple[Task, TaskRow]]:
        """The tasks of this start."""
        return [(task, self.rows[task.id]) for task in self.front.tasks]


class _Ref(msgspec.Struct):
    kept: str | None = None


class _Spec(msgspec.Struct):
    cwd: str = ""
    max_cost: float | None = None
    max_tokens: int | None = None


def _is_more(now: float | None, before: float | None) -> bool:
    """None: as much as it takes."""
    return before is not None and (now is None or now > before)


def _folder(row: TaskRow) -> str:
    """That its worktree was made of."""
    return msgspec.json.decode(row.spec, type=_Spec).cwd


def _has_ref(row: TaskRow) -> bool:
    """Its worktree is gone: there is a ref, or nothing was to be kept."""
    return msgspec.json.decode(row.result, type=_Ref).kept is not None


def with_ref(row: TaskRow, ref: str) -> TaskRow:
    """Of one that has its result and no worktree any more: the ref that keeps what was in it, or ""."""
    told = msgspec.json.decode(row.result, type=dict[str, object])
    return replace(row, result=line({**told, "kept": ref}).strip())


def _next_session(row: TaskRow) -> str:
    """RUN.KEY, RUN.KEY-2, RUN.KEY-3."""
    number = row.session_id.removeprefix(row.session_id.partition(".")[0]).partition("-")[2]
    first = row.session_id.removesuffix(f"-{number}") if number else row.session_id
    return f"{first}-{int(number or 1) + 1}"
