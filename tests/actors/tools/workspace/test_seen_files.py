"""A file that is not what the model has read is left alone, whichever worker read it, and by whatever name."""

import json
import os
from collections.abc import AsyncIterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from actors.mailbox import Mailbox
from actors.messages.conversation import Seen, ToolCall, ToolResult
from actors.messages.tool import Grant, Preview, PreviewTool, RunGranted
from actors.settings.config import Settings
from actors.tools.actor import run
from tests.fakes.network import open_network

WORKERS = ("tools:main", "tools:main~none")


class Model:
    """Calls tools and remembers what it saw, as the agent does for it; any worker may run its calls."""

    def __init__(self, mailbox: Mailbox, folder: Path) -> None:
        self._mailbox = mailbox
        self._grant = Grant(paths=(str(folder),))
        self._seen: dict[str, Seen] = {}

    async def call(self, name: str, worker: str = WORKERS[0], **arguments: object) -> ToolResult:
        return await self._result(worker, RunGranted(call=_call(name, arguments), grant=self._grant, seen=self.seen))

    async def call_as_user(self, name: str, **arguments: object) -> ToolResult:
        return await self._result(WORKERS[0], RunGranted(call=_call(name, arguments), grant=self._grant))

    async def preview(self, name: str, **arguments: object) -> Preview:
        wanted = PreviewTool(call=_call(name, arguments), grant=self._grant, seen=self.seen)
        return await self._mailbox.ask(WORKERS[1], wanted, Preview)

    async def _result(self, worker: str, order: RunGranted) -> ToolResult:
        async with self._mailbox.stream(worker, order) as stream:
            result = await stream.result(ToolResult)
        self._seen |= {one.path: one for one in result.seen}
        return result

    @property
    def seen(self) -> tuple[Seen, ...]:
        return tuple(self._seen.values())


def _call(name: str, arguments: dict[str, object]) -> ToolCall:
    return ToolCall(call_id="c", name=name, arguments=json.dumps(arguments))


@pytest.fixture
async def model(folder: Path) -> AsyncIterator[Model]:
    settings = Settings(home=str(folder / ".home"), cwd=str(folder), session_id="s", run_id="r")
    async with open_network() as network:
        for worker in WORKERS:
            network.start(worker, partial(run, settings=settings))
        yield Model(network.mailbox("me"), folder)


EDITS: Sequence[tuple[str, dict[str, object]]] = (
    ("edit", {"path": "a.txt", "old": "one", "new": "two"}),
    ("multi_edit", {"edits": [{"path": "a.txt", "old": "one", "new": "two"}]}),
    ("apply_patch", {"input": "*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+two\n*** End Patch"}),
    ("write", {"path": "a.txt", "content": "two\n"}),
)


@pytest.mark.parametrize(("name", "arguments"), EDITS)
async def test_what_another_worker_read_and_somebody_changed_is_left_alone(
    model: Model, folder: Path, name: str, arguments: dict[str, object]
) -> None:
    (folder / "a.txt").write_text("one\n")
    await model.call("read", path="a.txt")
    (folder / "a.txt").write_text("one\nand somebody's own\n")

    shown = await model.preview(name, **arguments)
    refused = await model.call(name, WORKERS[1], **arguments)
    await model.call("read", path="a.txt")
    accepted = await model.call(name, WORKERS[1], **arguments)

    assert "a.txt changed on disk since you read it. Read it again, then" in refused.output
    assert "changed on disk" in shown.detail
    assert (refused.failed, accepted.failed) == (True, False)


async def test_what_is_there_and_was_never_read_is_not_written_over(model: Model, folder: Path) -> None:
    (folder / "a.txt").write_text("somebody's\n")

    refused = await model.call("write", path="a.txt", content="mine\n")
    left = (folder / "a.txt").read_text()
    await model.call("read", path="a.txt")
    accepted = await model.call("write", path="a.txt", content="mine\n")

    assert refused.output == "a.txt exists and you have not read it. Read it first, then write; or use edit."
    assert left == "somebody's\n"
    assert not accepted.failed


async def test_what_the_model_has_written_it_knows(model: Model) -> None:
    first = await model.call("write", path="a.txt", content="one\n")
    edited = await model.call("edit", WORKERS[1], path="a.txt", old="one", new="two")
    second = await model.call("write", path="a.txt", content="three\n")

    assert [result.failed for result in (first, edited, second)] == [False, False, False]


async def test_a_file_that_was_moved_is_still_what_was_read(model: Model, folder: Path) -> None:
    (folder / "a.txt").write_text("one\n")
    await model.call("read", path="a.txt")
    await model.call("move", source="a.txt", destination="b.txt")

    assert not (await model.call("write", path="b.txt", content="two\n")).failed


async def test_an_empty_file_has_nothing_to_be_read(model: Model, folder: Path) -> None:
    (folder / "a.txt").touch()

    assert not (await model.call("write", path="a.txt", content="mine\n")).failed


async def test_a_user_who_calls_a_tool_need_not_have_read_the_file(model: Model, folder: Path) -> None:
    (folder / "a.txt").write_text("one\n")

    assert not (await model.call_as_user("write", path="a.txt", content="two\n")).failed


async def test_a_name_that_is_no_text_can_be_remembered(model: Model, folder: Path) -> None:
    name = os.fsdecode(b"\xff.txt")
    (folder / name).write_text("one\n")
    (folder / "link").symlink_to(name)

    await model.call("read", path="link")
    written = await model.call("write", path="link", content="two\n")

    assert not written.failed
    assert (folder / name).read_text() == "two\n"
