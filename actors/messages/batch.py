"""Between the front of a batch and the store: the journal of a run, in which each task has one row that counts."""

from typing import Literal

import msgspec

from actors.messages.base import Message

TaskState = Literal["pending", "leased", "running", "done", "failed"]
"""pending: not begun, or it goes on; leased: it is prepared; running: its agent has the prompt; the others: ends."""
RunState = Literal["running", "done", "failed", "paused"]
"""done: all tasks are; failed: all have ended, and some failed; paused: some have not ended."""


class TaskRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A task as it is run: of a changed task, base or configuration there is another one."""

    key: str
    """Hash of those three. Without dots: with the run's id it names the session."""
    id: str
    """As the user calls the task."""
    state: TaskState = "pending"
    attempts: int = 0
    """Begun so often, this time included; to go on after the program ended is none."""
    session_id: str = ""
    prompts: int = 0
    """Said in this session, the one that is being answered included."""
    base: str = ""
    """Whole id of the commit its worktree was made of; "" for none."""
    spec: str = ""
    """The task with all its fields, JSON text."""
    result: str = ""
    """Its line in the file of results, without the end of the line; "" where there is none."""
    changed_at: float = 0.0
    """Seconds since the epoch."""

    @property
    def has_ended(self) -> bool:
        return self.state in ("done", "failed")


class RunRow(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A batch: one file of results, whatever was started for it and when."""

    run_id: str
    """Without dots."""
    tasks: str
    """Absolute path of what the tasks were read from; "-" for standard input."""
    out: str
    """Absolute path of the file of results."""
    cwd: str
    workers: int
    state: RunState = "running"
    """As it was said last: one that was killed still runs by this."""
    began_at: float = 0.0
    """Of the first start. Seconds since the epoch."""
    changed_at: float = 0.0


class OpenRun(Message, frozen=True, kw_only=True):
    """Made, or gone on with. Answered by RunOpened.

    Tasks that are not known are added as they are given. A row with the same id and another key counts no more, until
    that key is given again.
    """

    run: RunRow
    tasks: tuple[TaskRow, ...]


class RunOpened(Message, frozen=True, kw_only=True):
    """Answer to OpenRun and ReadRun: all that counts, in the order it was given first."""

    run: RunRow
    tasks: tuple[TaskRow, ...]


class RecordTask(Message, frozen=True, kw_only=True):
    """From now on the task's row is this: its state and its result together. Answered by Done when it is on disk."""

    run_id: str
    task: TaskRow


class RecordRun(Message, frozen=True, kw_only=True):
    """Answered by Done when it is on disk."""

    run_id: str
    state: RunState


class ReadRun(Message, frozen=True, kw_only=True):
    """Answered by RunOpened. Fails with unknown_run where none, or more than one, is meant."""

    said: str
    """The beginning of a run's id, the end of its tasks' or results' path, or "latest"."""


class ListRuns(Message, frozen=True, kw_only=True):
    """Answered by Runs: the latest first."""

    limit: int = 50


class Runs(Message, frozen=True, kw_only=True):
    runs: tuple[RunRow, ...]
