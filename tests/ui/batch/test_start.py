"""A batch whose store or checkpoints never answer: it ends, or the task does, and says what it waited for."""

from functools import partial
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from actors.errors import Failed
from actors.mailbox import Mailbox, Request
from tests.fakes.network import open_network
from tests.ui.batch.runs import settings, two_tasks
from tests.ui.headless.fronts import exit_code
from ui.batch import front
from ui.batch.task import BatchFront, Task
from ui.batch.workplace import Workplace

TASK = Task(id="a", prompt="x", cwd="/w", isolation="worktree")


async def never(_request: Request) -> None:
    await trio.sleep_forever()


async def silent(mailbox: Mailbox) -> None:
    """It takes everything, answers nothing, and hears when it is taken back."""
    async with trio.open_nursery() as nursery:
        async for request in mailbox:
            nursery.start_soon(request.serve, never)


async def test_a_batch_whose_journal_is_never_opened_ends_and_says_so(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    (tmp_path / "run").mkdir()
    words: BatchFront = two_tasks(tmp_path / "out.jsonl")
    async with open_network() as network:
        supervisor = network.mailbox("supervisor")
        network.start("store", silent)
        network.start("ui", partial(front.run, settings=settings(tmp_path, words)))
        code = await exit_code(supervisor, within_s=10_000)

    late = "trouper: it could not begin within 900 s (--start-timeout): store did not open its journal."
    assert (code, late in capfd.readouterr().err) == (124, True)
    assert list((tmp_path / "run").iterdir()) == []


@pytest.mark.parametrize(
    ("step", "said"),
    [
        (Workplace.open, "checkpoints had not made its worktree after 900 s (--start-timeout)"),
        (Workplace.patch, "checkpoints had not told what it has changed after 900 s (--start-timeout)"),
        (Workplace.remove, "checkpoints had not removed its worktree after 900 s (--start-timeout)"),
    ],
)
async def test_no_step_of_a_task_waits_for_ever_for_checkpoints(
    tmp_path: Path,
    step: object,
    said: str,
    autojump_clock: MockClock,  # noqa: ARG001 - by being a parameter it is the test's clock
) -> None:
    async with open_network() as network:
        network.start("checkpoints", silent)
        given = settings(tmp_path, two_tasks(tmp_path / "out.jsonl"))
        place = Workplace(network.mailbox("ui"), given, TASK, "run1.a", patience_s=900.0)
        with pytest.raises(Failed, match=r"it may wait for the disk") as failure:
            await step(place)  # type: ignore[operator]  # a method without arguments

    assert failure.value.problem.code == "stalled"
    assert str(failure.value).startswith(said)
