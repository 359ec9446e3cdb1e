"""Worktrees that an earlier start has left go while the batch goes on, some at a time, and never one in use."""

import json
from pathlib import Path

import pytest
import trio

from actors.mailbox import Mailbox, Request
from actors.messages.base import Problem
from actors.messages.checkpoint import (
    ListWorktrees,
    MakeWorktree,
    Patch,
    PatchOf,
    RemoveWorktree,
    WorktreeIs,
    WorktreeMade,
    WorktreeRemoved,
    Worktrees,
)
from tests.fakes.agent import FakeAgent
from tests.fakes.network import Network, open_network
from tests.ui.batch.runs import AGENT_A, RUN, start
from tests.ui.headless.fronts import exit_code
from ui.batch import sweep
from ui.batch.task import BatchFront, Task

LEFT = 20
TASK = Task(id="a", prompt="x", cwd="/w", isolation="worktree")


class Copies:
    """The checkpoints: worktrees by key. Those that were left are removed when the test says so."""

    def __init__(self, left: int) -> None:
        self.keys = {f"{RUN}.old{number}" for number in range(left)} | {"another.run"}
        self.asked: list[str] = []
        self.let_go = trio.Event()
        self.refuses = False
        self.at_once = self._removing = 0

    async def run(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(self._serve, request)

    async def _serve(self, request: Request) -> None:
        match request.message:
            case MakeWorktree(key=key):
                self.keys.add(key)
                request.reply(WorktreeMade(top="/copy", cwd="/copy", base="c0"))
            case PatchOf():
                request.reply(Patch(base="c0", text=""))
            case ListWorktrees():
                known = [WorktreeIs(key=key, repository="/w", top="/copy", made_at=0.0) for key in sorted(self.keys)]
                request.reply(Worktrees(worktrees=tuple(known)))
            case RemoveWorktree() if self.refuses:
                request.fail(Problem(code="no_worktree", text="somebody is at work in it."))
            case RemoveWorktree(key=key):
                self.asked.append(key)
                if ".old" in key:
                    self._removing += 1
                    self.at_once = max(self.at_once, self._removing)
                    await self.let_go.wait()
                    self._removing -= 1
                self.keys.discard(key)
                request.reply(WorktreeRemoved(ref=f"refs/trouper/work/{key}"))
            case _:
                raise TypeError(request.message)


async def begin_and_end(network: Network, home: Path, copies: Copies) -> None:
    supervisor = network.mailbox("supervisor")
    words = BatchFront(run_id=RUN, tasks=(TASK,), workers=1, out=str(home / "out.jsonl"), max_turns=9)
    network.start("checkpoints", copies.run)
    agent, gate = FakeAgent([]), network.mailbox("gate of a")
    network.start(AGENT_A, lambda mailbox: agent.run(mailbox, gate))
    start(network, home, words)
    assert await exit_code(supervisor) == 0


def lines(home: Path) -> list[dict[str, object]]:
    out = home / "out.jsonl"
    return [json.loads(line) for line in out.read_text().splitlines()] if out.exists() else []


@pytest.mark.usefixtures("autojump_clock")
async def test_a_task_is_done_while_they_go(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    copies, said = Copies(LEFT), ""
    async with open_network() as network, trio.open_nursery() as nursery:
        nursery.start_soon(begin_and_end, network, tmp_path, copies)
        while not lines(tmp_path) or "removing" not in said:
            await trio.sleep(0.1)
            said += capfd.readouterr().err
        still = len(copies.keys)
        copies.let_go.set()

    assert [(line["id"], line["reason"]) for line in lines(tmp_path)] == [("a", "done")]
    assert (still, copies.at_once, copies.keys) == (LEFT + 1, sweep.AT_ONCE, {"another.run"})
    assert len(copies.asked) == len(set(copies.asked)) == LEFT + 1
    assert f"removing {LEFT} worktrees of tasks that have ended" in said


async def test_what_is_kept_of_one_that_goes_later_is_told_in_the_line_of_its_task(tmp_path: Path) -> None:
    copies = Copies(0)
    copies.refuses = True
    async with open_network() as network:
        await begin_and_end(network, tmp_path, copies)
    (before,) = lines(tmp_path)
    copies.refuses = False
    async with open_network() as network:
        await begin_and_end(network, tmp_path, copies)

    assert "kept" not in before
    assert lines(tmp_path) == [{**before, "kept": f"refs/trouper/work/{before['session']}"}]
