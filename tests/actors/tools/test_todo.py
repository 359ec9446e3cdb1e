"""`todo`: a short acknowledgement, one step in progress, and a file only when that is asked for."""

from pathlib import Path

from tests.actors.tools.conftest import Call

ITEMS = [
    {"task": "find it", "status": "completed"},
    {"task": "fix\nit", "status": "in_progress"},
    {"task": "test it"},
]


async def test_the_model_gets_a_short_answer_and_nothing_is_written(folder: Path, call: Call) -> None:
    outcome = await call("todo", items=ITEMS)

    assert outcome.output == "Noted: 1 of 3 done."
    assert list(folder.iterdir()) == []


async def test_only_one_step_can_be_in_progress(call: Call) -> None:
    outcome = await call("todo", items=[{"task": "a", "status": "in_progress"}, {"task": "b", "status": "in_progress"}])

    assert outcome.failed
    assert "there are 2: a; b" in outcome.output


async def test_it_is_kept_in_the_workspace_when_asked(folder: Path, call: Call) -> None:
    outcome = await call("todo", items=ITEMS, persist=True)

    assert "Written to TODO.md" in outcome.output
    assert (folder / "TODO.md").read_text() == "# To do\n\n- [x] find it\n- [~] fix it\n- [ ] test it\n"


async def test_an_unknown_status_is_an_error_for_the_model(call: Call) -> None:
    outcome = await call("todo", items=[{"task": "a", "status": "done"}])

    assert outcome.failed
    assert "Invalid enum value 'done'" in outcome.output
    assert 'status is one of "pending", "in_progress", "completed".' in outcome.output
    assert '{"task": <string>, "status": <"pending" | "in_progress" | "completed", optional>}' in outcome.output
