"""How many tasks there may be, whose a question is, and that nobody waits for ever."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from actors.messages.conversation import ToolCall
from actors.messages.tool import NOBODY, Choice, UserAnswered, UserAsked
from actors.settings.config import Settings
from tests.fakes.network import open_network
from ui.common.usage_errors import Usage
from ui.serve.task import Question, Task
from ui.serve.tasks import Tasks
from ui.serve.terms import AT_ONCE, WAITING, RunTask

QUESTION = UserAsked(
    agent="agent:31",
    kind="approval",
    title="bash: make",
    choices=(Choice(id="no", key="n", label="no", refuses=True),),
    default="no",
    escape="no",
    call=ToolCall(call_id="1", name="bash", arguments="{}"),
)
YES = UserAnswered(choice="once")


@asynccontextmanager
async def tasks(top: Path) -> AsyncIterator[Tasks]:
    """Whose store never answers: none of them comes further than its beginning."""
    settings = Settings(home=str(top / "home"), cwd=str(top), session_id="s", run_id="r")
    async with open_network() as network, trio.open_nursery() as nursery:
        network.mailbox("store")
        yield Tasks(network.mailbox("ui"), settings, nursery)
        nursery.cancel_scope.cancel()


def task(top: Path, number: int = 1) -> Task:
    settings = Settings(home=str(top / "home"), cwd=str(top), session_id="s", run_id="r")
    return Task(None, settings, RunTask(prompt="x"), number)  # type: ignore[arg-type]  # it is not run


async def test_there_is_an_end_of_tasks(tmp_path: Path) -> None:
    async with tasks(tmp_path) as desk:
        for _ in range(AT_ONCE + WAITING):
            desk.begin(RunTask(prompt="x"))

        with pytest.raises(Usage, match="which is the most"):
            desk.begin(RunTask(prompt="x"))


async def test_a_session_is_at_work_once(tmp_path: Path) -> None:
    async with tasks(tmp_path) as desk:
        desk.begin(RunTask(prompt="x", session_id="a"))
        desk.begin(RunTask(prompt="x", session_id="b"))

        with pytest.raises(Usage, match='the session "a" is at work'):
            desk.begin(RunTask(prompt="x", session_id="a"))


async def test_a_task_whose_question_nobody_answers_ends(tmp_path: Path, autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.01  # what a thread does takes real time
    async with tasks(tmp_path) as desk:
        begun = desk.begin(RunTask(prompt="x"))
        begun.put_down(Question(QUESTION), 300.0)

        ended = await begun.next()

        assert isinstance(ended, Usage)
        assert "was not answered in time" in str(ended)
        with pytest.raises(Usage, match="was not answered in time"):
            desk.begun(begun.token)


async def test_whoever_comes_back_in_time_has_all_the_time_again(tmp_path: Path, autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = 0.01  # what a thread does takes real time
    async with tasks(tmp_path) as desk:
        begun, question = desk.begin(RunTask(prompt="x")), Question(QUESTION)
        begun.put_down(question, 300.0)
        await trio.sleep(299.0)

        desk.begun(begun.token).take_up(lambda _: YES)
        await trio.sleep(1000.0)

        assert question.answer == YES
        assert desk.begun(begun.token) is begun


@pytest.mark.parametrize(
    ("agent", "is_its"),
    [
        ("agent:sub:s-1-look", True),
        ("agent:sub:s-1-look-deeper", True),
        ("agent:sub:s-10-look", False),
        ("agent:sub:s-1", False),
        ("agent:31", False),
        ("", False),
    ],
)
async def test_questions_of_its_subagents_are_its_own(tmp_path: Path, agent: str, is_its: bool) -> None:
    assert task(tmp_path).owns(agent) == is_its


async def test_a_question_that_is_withdrawn_is_not_put_to_anybody(tmp_path: Path) -> None:
    asked, withdrawn, other = task(tmp_path), Question(QUESTION), Question(QUESTION)
    with trio.move_on_after(0):
        await asked.ask(withdrawn)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(asked.ask, other)

        found = await asked.next()
        other.settle(YES)
        other.settle(UserAnswered(choice="no"))

    assert found is other
    assert (withdrawn.answer.choice, other.answer) == (NOBODY, YES)
