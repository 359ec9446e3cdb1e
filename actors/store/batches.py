"""The journal of batches: a row for each run and for each of its tasks, as they are now."""

import sqlite3
import time
from functools import partial

import msgspec

from actors.errors import Failed, failed
from actors.messages.batch import ListRuns, OpenRun, ReadRun, RecordRun, RecordTask, RunOpened, RunRow, Runs, TaskRow
from actors.store.schema import in_one_transaction

_RUN = "run_id, tasks, out, cwd, workers, state, began_at, changed_at"
_TASK = "key, id, state, attempts, session_id, prompts, base, spec, result, changed_at"


def answer(database: sqlite3.Connection, asked: OpenRun | ReadRun | ListRuns) -> RunOpened | Runs:
    """Raises Failed(unknown_run)."""
    match asked:
        case OpenRun():
            in_one_transaction(database, partial(open_run, database, asked))
            return read_run(database, asked.run.run_id)
        case ReadRun(said=said):
            return read_run(database, said)
        case ListRuns(limit=limit):
            return Runs(runs=tuple(list_runs(database, limit)))


def open_run(database: sqlite3.Connection, wanted: OpenRun) -> None:
    """Inside the caller's transaction."""
    run, now = wanted.run, time.time()
    database.execute(
        f"INSERT INTO batch_runs({_RUN}) VALUES (?, ?, ?, ?, ?, 'running', ?, ?) ON CONFLICT(run_id) DO UPDATE SET"  # noqa: S608  # names of ours
        " tasks = excluded.tasks, cwd = excluded.cwd, workers = excluded.workers, state = 'running',"
        " changed_at = excluded.changed_at",
        (run.run_id, run.tasks, run.out, run.cwd, run.workers, now, now),
    )
    for task in wanted.tasks:
        _add(database, run.run_id, task)
        database.execute(
            "UPDATE batch_tasks SET counts = (key = ?) WHERE run_id = ? AND id = ?", (task.key, run.run_id, task.id)
        )


def _add(database: sqlite3.Connection, run_id: str, task: TaskRow) -> None:
    """Where it is not there yet."""
    marks = ", ".join("?" * len(TaskRow.__struct_fields__))
    database.execute(
        f"INSERT INTO batch_tasks(run_id, counts, {_TASK}) VALUES (?, 1, {marks})"  # noqa: S608  # names of ours
        " ON CONFLICT(run_id, key) DO NOTHING",
        (run_id, *msgspec.structs.astuple(task)),
    )


def record(database: sqlite3.Connection, wanted: RecordTask | RecordRun) -> None:
    """Inside the caller's transaction."""
    if isinstance(wanted, RecordRun):
        changes = (wanted.state, time.time(), wanted.run_id)
        database.execute("UPDATE batch_runs SET state = ?, changed_at = ? WHERE run_id = ?", changes)
        return
    task = msgspec.structs.replace(wanted.task, changed_at=time.time())
    _add(database, wanted.run_id, task)
    columns = ", ".join(f"{name} = ?" for name in TaskRow.__struct_fields__)
    database.execute(
        f"UPDATE batch_tasks SET {columns} WHERE run_id = ? AND key = ?",  # noqa: S608  # names of ours
        (*msgspec.structs.astuple(task), wanted.run_id, task.key),
    )


def read_run(database: sqlite3.Connection, said: str) -> RunOpened:
    """As of ReadRun. Raises Failed(unknown_run)."""
    runs = list_runs(database, -1)
    if said == "latest" and runs:
        return _read(database, runs[0].run_id)
    meant = [run for run in runs if run.run_id.startswith(said)] if said else []
    meant = meant or [run for run in runs if said and (run.tasks.endswith(said) or run.out.endswith(said))]
    if len(meant) != 1:
        raise _unknown(said, runs, meant)
    return _read(database, meant[0].run_id)


def _unknown(said: str, runs: list[RunRow], meant: list[RunRow]) -> Failed:
    if not runs:
        return failed("unknown_run", "there is no batch yet.", "Begin one with: trouper batch TASKS")
    some = ", ".join(f"{run.run_id} ({run.tasks})" for run in (meant or runs)[:5])
    how = "more than one batch is" if meant else "no batch is"
    return failed("unknown_run", f'{how} "{said}".', f"There are: {some}")


def list_runs(database: sqlite3.Connection, limit: int) -> list[RunRow]:
    """The latest first; limit: -1 for all."""
    rows = database.execute(f"SELECT {_RUN} FROM batch_runs ORDER BY changed_at DESC, rowid DESC LIMIT ?", (limit,))  # noqa: S608  # names of ours
    return [RunRow(**dict(zip(RunRow.__struct_fields__, row, strict=True))) for row in rows]


def _read(database: sqlite3.Connection, run_id: str) -> RunOpened:
    (run,) = [run for run in list_runs(database, -1) if run.run_id == run_id]
    rows = database.execute(
        f"SELECT {_TASK} FROM batch_tasks WHERE run_id = ? AND counts ORDER BY number",  # noqa: S608  # names of ours
        (run_id,),
    )
    tasks = tuple(TaskRow(**dict(zip(TaskRow.__struct_fields__, row, strict=True))) for row in rows)
    return RunOpened(run=run, tasks=tasks)
