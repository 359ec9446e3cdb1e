"""The journal of a batch: one row counts for each task, and a result is there with the state that it makes."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.batch import ListRuns, OpenRun, ReadRun, RecordRun, RecordTask, RunOpened, RunRow, Runs, TaskRow
from tests.actors.store.test_store import a_store

RUN = RunRow(run_id="r1", tasks="/w/tasks.jsonl", out="/w/out.jsonl", cwd="/w", workers=2)
A = TaskRow(key="ka", id="a", session_id="r1.ka", spec='{"id":"a"}')
B = TaskRow(key="kb", id="b", session_id="r1.kb")
A_DONE = replace(A, state="done", attempts=1, base="c0ffee", result='{"id":"a"}')


async def opened(me: Mailbox, *tasks: TaskRow, run: RunRow = RUN) -> tuple[TaskRow, ...]:
    rows = (await me.ask("store", OpenRun(run=run, tasks=tasks), RunOpened)).tasks
    return tuple(replace(row, changed_at=0.0) for row in rows)


async def test_what_is_recorded_is_there_in_the_next_life_and_is_not_begun_anew(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        assert await opened(me, A, B) == (A, B)
        await me.ask("store", RecordTask(run_id="r1", task=A_DONE), Done)

    async with a_store(tmp_path) as (_, me):
        assert await opened(me, A, B) == (A_DONE, B)


async def test_a_changed_task_counts_in_the_place_of_the_old_one_until_it_is_changed_back(tmp_path: Path) -> None:
    other = replace(A, key="kc")
    async with a_store(tmp_path) as (_, me):
        await opened(me, A, B)
        await me.ask("store", RecordTask(run_id="r1", task=A_DONE), Done)

        assert await opened(me, other, B) == (B, other)
        assert await opened(me, A, B) == (A_DONE, B)


async def test_tasks_that_are_not_given_any_more_keep_their_rows(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await opened(me, A, B)

        assert await opened(me, B) == (A, B)


@pytest.mark.parametrize("said", ["r1", "r", "tasks.jsonl", "out.jsonl", "latest"])
async def test_a_run_is_found_by_what_people_call_it(tmp_path: Path, said: str) -> None:
    async with a_store(tmp_path) as (_, me):
        await opened(me, run=replace(RUN, run_id="x9", tasks="/w/x", out="/w/y"))
        await opened(me, A)

        assert (await me.ask("store", ReadRun(said=said), RunOpened)).run.run_id == "r1"


@pytest.mark.parametrize(
    ("said", "told"), [("", 'no batch is ""'), ("z", 'no batch is "z"'), ("r", 'more than one batch is "r"')]
)
async def test_what_is_no_run_or_several_is_refused_and_some_are_named(tmp_path: Path, said: str, told: str) -> None:
    async with a_store(tmp_path) as (_, me):
        await opened(me)
        await opened(me, run=replace(RUN, run_id="r2"))

        with pytest.raises(Failed, match=told) as refused:
            await me.ask("store", ReadRun(said=said), RunOpened)

    assert refused.value.problem.code == "unknown_run"
    assert "r2 (/w/tasks.jsonl)" in refused.value.problem.hint


async def test_runs_are_listed_with_how_they_stand_the_latest_first(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await opened(me)
        await opened(me, run=replace(RUN, run_id="r2"))
        await me.ask("store", RecordRun(run_id="r1", state="paused"), Done)
        runs = (await me.ask("store", ListRuns(), Runs)).runs

    assert [(run.run_id, run.state) for run in runs] == [("r1", "paused"), ("r2", "running")]
