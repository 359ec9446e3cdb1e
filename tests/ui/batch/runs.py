"""A batch's front in one process, with a real store; the services are there, and agents are those of the test."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import msgspec

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.model import ServiceSaid, TryService
from actors.messages.system import StartActor, StopActor
from actors.settings.config import Settings
from actors.store import actor as store
from tests.fakes.network import Network
from ui.batch import front
from ui.batch.task import BatchFront, Task
from ui.start.fronts import encoded

RUN = "run1"
Serve = Callable[[Mailbox], object]


def words(out: Path, *tasks: Task, **more: object) -> BatchFront:
    placed = tuple(msgspec.structs.replace(task, cwd=task.cwd or str(out.parent), isolation="none") for task in tasks)
    given: dict[str, object] = {"run_id": RUN, "workers": 1, "max_turns": 9, "tasks_from": "/w/tasks.jsonl", **more}
    return msgspec.convert({**given, "out": str(out)}, BatchFront).__class__(
        **{**given, "out": str(out), "tasks": placed}  # type: ignore[arg-type]
    )


def settings(home: Path, said: BatchFront, **more: object) -> Settings:
    base = Settings(home=str(home), cwd=str(home), session_id="s", run_id="start1", front=encoded(said))
    return msgspec.structs.replace(base, **more)  # type: ignore[arg-type]
