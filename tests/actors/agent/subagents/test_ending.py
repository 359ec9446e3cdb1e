"""The end of a subagent: its turn is ended, its processes go, and only then is said what it has changed."""

# ruff: noqa: ARG001  # a clock is used by being asked for

from pathlib import Path

from trio.testing import MockClock, wait_all_tasks_blocked

from actors import messages
from actors.agent.subagents.life import Life
from actors.messages.base import Envelope, Message
from actors.messages.subagent import SubagentSpawned
from actors.messages.system import StartActor, StopActor
from actors.messages.turn import Prompt
from tests.fakes.subagent_stage import AGENT, CHILD, a_stage, positions

FIRST = f"prompt {CHILD}/prompt"
SPAWNED = SubagentSpawned(name="one", session_id=CHILD, call_id="c1", kind="explore", prompt="do it", run_id="r1")
STOPPED = ("stop agent:sub:s-1", "stop tools:sub:s-1", "stop tools:sub:s-1~none")


async def test_what_it_writes_until_its_processes_are_gone_is_in_its_patch(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.writes_at_its_end = ["late.txt"]
        await stage.spawn()
        await stage.until(FIRST)
        ended = await stage.cancelled()

    assert (ended.state, ended.patch_files) == ("cancelled", ("late.txt",))
    assert "RemoveWorktree" not in stage.log


async def test_one_that_does_not_end_its_turn_is_killed_before_its_patch_is_taken(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.stubborn, stage.writes_at_its_end = True, ["late.txt"]
        await stage.spawn()
        await stage.until(FIRST)
        ended = await stage.cancelled()

    assert (ended.state, ended.patch_files) == ("cancelled", ("late.txt",))


async def test_one_that_has_answered_leaves_no_process_behind_that_still_writes(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.answer, stage.writes_at_its_end = "Done.", ["server.log"]
        await stage.spawn()
        ended = await stage.subagents.ended("one")

    assert (ended.state, ended.patch_files) == ("completed", ("server.log",))


async def test_where_its_processes_do_not_go_its_worktree_stays_and_that_is_said(
    tmp_path: Path, autojump_clock: MockClock
) -> None:
    """One stands still in the kernel."""
    async with a_stage(str(tmp_path)) as stage:
        stage.network.hold_back("supervisor", lambda envelope: _is(envelope, StopActor))
        await stage.spawn()
        await stage.until(FIRST)
        ended = await stage.cancelled()

    assert ended.state == "cancelled"
    assert "What it has changed is not known: its processes have not ended within 60 s." in ended.summary
    assert {"PatchOf", "RemoveWorktree", "Release"}.isdisjoint(stage.log)


async def test_what_it_had_reserved_is_given_back_when_nobody_is_left_who_could_still_be_billed(
    tmp_path: Path,
) -> None:
    async with a_stage(str(tmp_path)) as stage:
        await stage.spawn()
        await stage.until(FIRST)
        await stage.cancelled()

    order = positions(stage.log, *STOPPED, "Release", "Append")
    assert order == sorted(order)
    assert stage.log.count("Release") == 1


async def test_whom_a_parent_leaves_behind_that_dies_is_stopped_and_keeps_what_it_had_reserved(tmp_path: Path) -> None:
    """Whoever goes on with it sees by that that a request was broken off, which is billed."""
    async with a_stage(str(tmp_path)) as stage:
        await stage.spawn()
        await stage.until(FIRST)
        stage.leave()
        await stage.until(STOPPED[-1])

    assert "Release" not in stage.log


async def test_a_cancel_that_comes_before_its_first_prompt_begins_no_turn(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:

        def cancel_once_it_runs() -> None:
            if life.state == "running":
                life.cancel()

        await wait_all_tasks_blocked()  # whom it finds at its beginning the parent would go on with itself
        await stage.journal.save(SPAWNED)
        life = Life(
            stage.subagents.ports, stage.history.subagents.all["one"], cancel_once_it_runs, lambda _name, _event: None
        )
        await life.run()
        ended = stage.subagents.one("one").outcome

    assert (ended.state, ended.summary) == ("cancelled", "cancelled by the user.")
    assert FIRST not in stage.log


async def test_a_cancel_that_overtakes_its_first_prompt_ends_the_turn_of_that(
    tmp_path: Path, mock_clock: MockClock
) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.network.hold_back(AGENT, lambda envelope: _is(envelope, Prompt))
        await stage.spawn()
        await stage.until(f"start tools:sub:{CHILD.replace('.', '-')}")
        await wait_all_tasks_blocked()
        stage.nursery.start_soon(stage.cancelled)
        await wait_all_tasks_blocked()
        stage.network.let_go(AGENT)
        ended = await stage.subagents.ended("one")

    order = positions(stage.log, FIRST, "cancel", STOPPED[0])
    assert ended.state == "cancelled"
    assert order == sorted(order)


async def test_one_that_was_cancelled_before_it_began_begins_when_it_is_gone_on_with(tmp_path: Path) -> None:
    async with a_stage(str(tmp_path)) as stage:
        stage.network.hold_back("supervisor", lambda envelope: _is(envelope, StartActor))
        await stage.spawn(worktree=False)
        await wait_all_tasks_blocked()
        cancelled = await stage.cancelled()
        stage.network.let_go("supervisor")
        stage.prompts.clear()
        await stage.subagents.say("one", "p2", "go on")
        await stage.until("prompt p2")
        again = await stage.cancelled()
        await stage.subagents.say("one", "p3", "and on")
        await stage.until("prompt p3")

    assert (cancelled.state, cancelled.begun, again.begun) == ("cancelled", False, True)
    assert stage.prompts == ["do it", "go on", "and on"]


def _is(envelope: Envelope, kind: type[Message]) -> bool:
    return envelope.kind == "ask" and isinstance(messages.decode(envelope.body), kind)
