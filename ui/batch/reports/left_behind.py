"""What is left behind of a batch beside its results: written when a task ends, and when the program does."""

import time
from collections.abc import Iterable
from pathlib import Path

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.batch import ReadRun, RunOpened, TaskRow
from ui.batch.reports import artifacts, writer
from ui.batch.reports.outcomes import outcome, outcomes
from ui.batch.task import Reports
from ui.common.harmless import one_line


async def of_tasks(mailbox: Mailbox, wanted: Reports, rows: Iterable[TaskRow]) -> list[str]:
    """Their folders, where they are wanted and not there yet. What could not be written, for people."""
    problems = []
    folder = Path(wanted.artifacts)
    for task in map(outcome, rows) if wanted.artifacts else ():
        if artifacts.is_written(folder, task):
            continue
        try:
            await artifacts.write(mailbox, folder, task)
        except (Failed, OSError, UnicodeDecodeError) as error:
            problems.append(f"cannot write what {task.id} has left behind to {folder}: {_why(error)}")
    return problems


async def of_agents(mailbox: Mailbox, wanted: Reports, row: TaskRow) -> list[str]:
    """What a task's agents have changed, before their worktrees go. What could not be written, for people."""
    if not wanted.artifacts:
        return []
    folder = Path(wanted.artifacts)
    try:
        await artifacts.write_patches_of_agents(mailbox, folder, row)
    except (Failed, OSError) as error:
        return [f"cannot write what agents of {one_line(row.id)} have left behind to {folder}: {_why(error)}"]
    return []


async def of_run(mailbox: Mailbox, wanted: Reports, run_id: str) -> list[str]:
    """Reports and predictions, where they are wanted. What could not be written, for people."""
    if not wanted.files and not wanted.predictions:
        return []
    try:
        opened = await mailbox.insist("store", ReadRun(said=run_id), RunOpened)
    except Failed as failure:
        return [f"cannot write the reports: {failure}"]
    return await trio.to_thread.run_sync(writer.write, wanted, outcomes(opened, time.time()))


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
