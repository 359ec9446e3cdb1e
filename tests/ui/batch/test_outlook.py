"""What is said of a batch before it begins: what is known, and no more than that."""

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.mailbox import Mailbox
from actors.messages.batch import TaskRow
from actors.messages.model import ServiceSaid, TryService
from tests.fakes.network import open_network
from ui.batch.outlook import estimate, plan, wait_for_services


def row(task_id: str, ms: int = 0, cost: float | None = None) -> TaskRow:
    """With a time it is done."""
    usage = {"input_tokens": 10, "cost_usd": cost}
    line = msgspec.json.encode({"id": task_id, "reason": "done", "ms": ms, "usage": usage}).decode()
    return TaskRow(key=task_id, id=task_id, state="done" if ms else "pending", result=line if ms else "")


DONE = [row("a", 60_000, 0.5), row("b", 120_000, 0.25), row("c", 600_000, 0.75)]


@pytest.mark.parametrize(
    ("rows", "to_do", "workers", "said"),
    [
        (DONE, 4, 2, "about 4 minutes and $2.00, if they are like the 3 tasks done"),
        (DONE, 1, 8, "about 2 minutes and $0.50, if they are like the 3 tasks done"),
        ([row("a", 1000)], 3, 1, "about 3 seconds; its cost is not known, if they are like the 1 task done"),
        ([row("a")], 1, 1, "what it will take is not known: no task of it is done yet"),
        (DONE, 0, 1, ""),
    ],
)
def test_what_it_may_take_is_told_by_what_is_done(rows: list[TaskRow], to_do: int, workers: int, said: str) -> None:
    assert estimate(rows, to_do, workers) == said


def test_what_earlier_starts_did_is_told() -> None:
    rows = [*DONE, TaskRow(key="f", id="f", state="failed"), TaskRow(key="g", id="g", prompts=1), row("h")]

    assert (
        plan(rows, 2, 4, "/o") == "6 tasks (3 done, 1 failed, 1 begun before): 2 tasks to do, 4 at a time; results: /o"
    )
    assert plan([row("a")], 1, 4, "/o") == "1 task: 1 task to do, 4 at a time; results: /o"


@pytest.mark.parametrize(("down", "patience_s", "why"), [(3, 60.0, ""), (99, 5.0, "it is down. Wait.")])
async def test_a_service_that_is_down_is_looked_at_again_for_as_long_as_it_may_take(
    down: int, patience_s: float, why: str, autojump_clock: MockClock
) -> None:
    said: list[str] = []
    looks = 0

    async def service(mailbox: Mailbox) -> None:
        nonlocal looks
        async for request in mailbox:
            assert isinstance(request.message, TryService)
            looks += 1
            state = ServiceSaid(state="problem", text="it is down.", hint="Wait.")
            request.reply(state if looks <= down else ServiceSaid(state="ok", text="it is there"))

    async with open_network() as network:
        network.start("providers", service)
        with trio.fail_after(1000):
            problem = await wait_for_services(network.mailbox("ui"), ["p/m"], patience_s, said.append)

    assert problem == why
    assert said[0] == "no task is begun yet: it is down. Wait. Looking again in 1 second."
    assert autojump_clock.current_time() <= patience_s
