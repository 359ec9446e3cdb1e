"""A workspace in a temporary folder and a worker over it, in this process and without a sandbox."""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest
import trio

from actors.confinement.processes.process_trees import Processes
from actors.messages.conversation import ToolCall
from actors.tools.actor import execute
from actors.tools.base import Outcome, Worker
from actors.tools.workspace.folder import open_workspace

Call = Callable[..., Awaitable[Outcome]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "work"
    made.mkdir()
    return made.resolve()


@pytest.fixture
async def worker(folder: Path) -> AsyncIterator[Worker]:
    async with trio.open_nursery() as nursery:
        yield Worker(open_workspace(str(folder), str(folder / ".home")), Processes(), nursery)
        nursery.cancel_scope.cancel()


@pytest.fixture
def call(worker: Worker) -> Call:
    return calling(worker)


def calling(worker: Worker) -> Call:
    """Runs a tool as the actor does for a user who calls it, with arguments by name."""

    async def run(name: str, /, **arguments: object) -> Outcome:
        async def report(_text: str) -> None: ...

        return await execute(ToolCall(call_id="c", name=name, arguments=json.dumps(arguments)), worker, report)

    return run
