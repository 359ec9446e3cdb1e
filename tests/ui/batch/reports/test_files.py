"""What is written of a batch: whole files at safe places, for every task one of its own."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import AssistantMessage, Entry, Text, TurnEnded, UserMessage
from actors.messages.store import Append, OpenSession, SessionOpened
from actors.settings.config import Settings
from actors.store import actor
from tests.fakes.network import open_network
from tests.ui.batch.reports.runs import BY_ID, DONE, PATCH, SECRET, every_way, run_of
from ui.batch.reports import artifacts, writer
from ui.batch.reports.folder_names import folder_name
from ui.batch.reports.outcomes import Line
from ui.batch.reports.predictions import predictions
from ui.common.usage_errors import Usage

SESSION = (
    UserMessage(text="fix it", turn_id="t", prompt_id="t"),
    AssistantMessage(blocks=(Text(text=f"It is fixed, {SECRET}."),), stop_reason="end_turn", model="x/m"),
    TurnEnded(turn_id="t", reason="done"),
)


@asynccontextmanager
async def a_store(home: Path, session_id: str) -> AsyncIterator[Mailbox]:
    """That has this session."""
    (home / "run").mkdir(exist_ok=True)
    settings = Settings(home=str(home), cwd="/w", session_id="s", run_id="r1")
    async with open_network() as network:
        network.start("store", partial(actor.run, settings=settings))
        me = network.mailbox("ui")
        async with me.stream("store", OpenSession(session_id=session_id, cwd="/w")) as stream:
            await stream.result(SessionOpened)
        entries = [
            Entry(id=f"e{at}", session_id=session_id, parent=f"e{at - 1}" if at else "", body=body, at=1.0 + at)
            for at, body in enumerate(SESSION)
        ]
        await me.ask("store", Append(entries=tuple(entries)), Done)
        yield me


@given(st.lists(st.text(max_size=90), unique=True, max_size=20))
def test_names_of_folders_are_safe_and_never_two_of_them_the_same(ids: list[str]) -> None:
    names = [folder_name(task_id) for task_id in ids]

    assert len({name.casefold() for name in names}) == len(ids)
    for name in names:
        assert name.isascii()
        assert 0 < len(name) <= 80
        assert Path("/x", name).parent == Path("/x")
        assert not name.startswith((".", "-"))


@pytest.mark.parametrize("task_id", ["fix-1", "django__django-11099", "a.b"])
def test_a_plain_name_stays_as_it_is(task_id: str) -> None:
    assert folder_name(task_id) == task_id


def test_no_task_can_take_the_folder_of_another_by_its_name() -> None:
    evil = folder_name("a/b")

    assert folder_name(evil) != evil
    assert len({folder_name(name) for name in ("a/b", "a-b", "A-b", "a\\b", "../a/b", "a b", evil)}) == 7


def test_a_prediction_for_each_task_that_ended_and_its_patch_whole() -> None:
    lines = [json.loads(line) for line in predictions(every_way())]

    assert lines[0] == {"instance_id": "done", "model_name_or_path": "x/m", "model_patch": PATCH}
    assert [line["instance_id"] for line in lines] == list(BY_ID)
    assert {line["model_patch"] for line in lines[1:]} == {""}


def test_a_patch_that_lies_in_a_file_is_read_from_there(tmp_path: Path) -> None:
    path = tmp_path / "done.patch"
    path.write_text(PATCH)

    (line,) = predictions(run_of({"a": Line(id="a", reason="done", patch=str(path))}))

    assert json.loads(line)["model_patch"] == PATCH


def test_every_file_that_was_asked_for_is_there_and_others_are_replaced(tmp_path: Path) -> None:
    names = ["report.json", "ci.xml", "report.md", "report.HTML"]
    (tmp_path / "ci.xml").write_text("of the last time")
    wanted = writer.reports([str(tmp_path / name) for name in names], str(tmp_path / "p.jsonl"), "")

    assert writer.write(wanted, every_way()) == []
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*names, "p.jsonl"])
    assert (tmp_path / "ci.xml").read_text().startswith("<?xml")
    assert (tmp_path / "report.HTML").read_text().startswith("<!DOCTYPE html>")


def test_what_cannot_be_written_is_named_and_costs_no_other_file(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    wanted = writer.reports([str(gone / "a.json"), str(tmp_path / "b.json")], "", "")
    gone.rmdir()

    (problem,) = writer.write(wanted, every_way())

    assert problem == f"cannot write {gone / 'a.json'}: No such file or directory"
    assert json.loads((tmp_path / "b.json").read_text())["run"] == "r1"


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ((["report.txt"], "", ""), "which form"),
        ((["no/report.md"], "", ""), "there is no folder"),
        (([], "no/p.jsonl", ""), "there is no folder"),
        (([], "folder", ""), "is no file"),
        (([], "", "file"), "is no folder"),
    ],
)
def test_what_can_never_be_written_is_said_before_anything_is_paid_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: tuple[list[str], str, str], why: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()

    with pytest.raises(Usage, match=why):
        writer.reports(*asked)


async def test_a_task_has_a_folder_with_all_of_its_work(tmp_path: Path) -> None:
    (task,) = run_of({"done": DONE}).tasks
    out = tmp_path / "artifacts"
    async with a_store(tmp_path, task.task.session_id) as mailbox:
        await artifacts.write(mailbox, out, task)

    folder = out / "done"
    assert sorted(path.name for path in folder.iterdir()) == [
        "log.txt", "patch.diff", "result.json", "trajectory.json", "transcript.md",
    ]  # fmt: skip
    assert (folder / "patch.diff").read_text() == PATCH
    assert json.loads((folder / "result.json").read_text())["id"] == "done"
    trajectory = json.loads((folder / "trajectory.json").read_text())
    assert [step["source"] for step in trajectory["steps"]] == ["user", "agent"]
    assert "It is fixed, [redacted]." in (folder / "transcript.md").read_text()
    assert (folder / "log.txt").read_text().splitlines()[-1] == "ended as done"
    assert artifacts.is_written(out, task)


async def test_a_later_attempt_takes_the_place_of_an_earlier_one(tmp_path: Path) -> None:
    (before,) = run_of({"done": DONE}).tasks
    (later,) = run_of({"done": Line(id="done", reason="failed", error="it broke")}).tasks
    async with a_store(tmp_path, before.task.session_id) as mailbox:
        await artifacts.write(mailbox, tmp_path / "a", before)
        written_before = artifacts.is_written(tmp_path / "a", later)
        await artifacts.write(mailbox, tmp_path / "a", later)

    folder = tmp_path / "a" / "done"
    assert not written_before
    assert not (folder / "patch.diff").exists()
    assert (folder / "log.txt").read_text().splitlines()[-1] == "ended as failed: it broke"
