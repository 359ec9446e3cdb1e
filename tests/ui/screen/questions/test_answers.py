"""Between the gate and the screen: questions are answered once, and an approved plan may begin a session of its own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.mailbox import Mailbox
from actors.messages.conversation import Entry, ToolCall, ToolResult
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import Accepted, CaughtUp, EntryAdded, StartOver
from tests.fakes.agent import PLAN, approval, run_store
from tests.fakes.network import Network, open_network
from ui.screen.questions.answers import Answers, Fresh
from ui.screen.questions.queue import Answer, Questions

QUESTION = approval(ToolCall(call_id="c", name="bash", arguments="{}"), "make")
PLANNED = replace(
    QUESTION,
    kind="plan",
    detail="# The plan\n\n1. Do it.\n",
    choices=PLAN,
    default="deny",
    escape="deny",
    call=ToolCall(call_id="p", name="present_plan", arguments="{}"),
)


CAUGHT_UP = CaughtUp()


def ended(call_id: str, *, failed: bool = False) -> EntryAdded:
    result = ToolResult(call_id=call_id, name="present_plan", output="", failed=failed)
    return EntryAdded(entry=Entry(id="e", session_id="s", parent="", body=result, at=1.0))


class Agent:
    def __init__(self, *, dies: bool = False) -> None:
        self.begun: list[StartOver] = []
        self._dies = dies

    async def run(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, StartOver)
            self.begun.append(request.message)
            if self._dies:
                await trio.sleep_forever()
            request.reply(Accepted(turn_id="t"))


class Desk:
    """A screen without a terminal, with a store and an agent; it can be killed."""

    def __init__(self, network: Network, nursery: trio.Nursery) -> None:
        self._network = network
        self._nursery = nursery
        self.gate = network.mailbox("gate")
        self.answers: list[UserAnswered] = []
        self.running: set[str] = set()
        """Calls, as the screen knows them."""
        network.start("store", run_store)
        self._agent = Agent()
        network.start("agent:main", self._agent.run)
        self.start()

    @property
    def begun(self) -> list[StartOver]:
        return list(self._agent.begun)

    def start(self) -> None:
        self.questions = Questions()
        self._network.start("ui", self._run)

    async def _run(self, mailbox: Mailbox) -> None:
        self.asked = Answers(mailbox, "agent:main", "run", self.questions, lambda *_: None)
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                nursery.start_soon(request.serve, self.asked.serve)

    async def kill(self) -> None:
        """And the next life has caught up."""
        self._network.kill("ui")
        self.start()
        await wait_all_tasks_blocked()
        self.asked.heard(CAUGHT_UP)
        await self.asked.recall()
        await self.begin_what_is_due()

    async def ask(self, question: UserAsked) -> None:
        self._nursery.start_soon(self._ask, question)
        self.running.add(question.call.call_id)
        await wait_all_tasks_blocked()
        self.asked.heard(CAUGHT_UP)

    async def _ask(self, question: UserAsked) -> None:
        self.answers.append(await self.gate.insist("ui", question, UserAnswered))

    async def answer(self, number: int, choice: str, text: str = "") -> None:
        self.asked.answer(Answer(number, choice, text))
        await wait_all_tasks_blocked()

    async def hear(self, event: EntryAdded) -> None:
        assert isinstance(event.entry.body, ToolResult)
        self.running.discard(event.entry.body.call_id)
        self.asked.heard(event)
        await self.begin_what_is_due()

    async def begin_what_is_due(self) -> None:
        if fresh := self.asked.due(self.running):
            await self.asked.begin(fresh)


@asynccontextmanager
async def open_desk() -> AsyncIterator[Desk]:
    async with open_network() as network, trio.open_nursery() as nursery:
        yield Desk(network, nursery)
        nursery.cancel_scope.cancel()


async def test_each_question_gets_its_answer() -> None:
    async with open_desk() as desk:
        await desk.ask(QUESTION)
        await desk.ask(PLANNED)

        await desk.answer(2, "deny", "smaller")
        await desk.answer(1, "once")

        assert desk.answers == [UserAnswered(choice="deny", text="smaller"), UserAnswered(choice="once")]
        assert desk.questions.current is None


async def test_a_question_withdrawn_by_the_gate_vanishes() -> None:
    async with open_desk() as desk:
        with trio.move_on_after(0.01):
            await desk.gate.ask("ui", QUESTION, UserAnswered)

        assert desk.questions.current is None
        await desk.answer(1, "once")


async def test_a_question_is_there_again_after_the_screen_died() -> None:
    async with open_desk() as desk:
        await desk.ask(QUESTION)
        await desk.kill()

        assert desk.questions.current == QUESTION
        await desk.answer(1, "once")

        assert desk.answers == [UserAnswered(choice="once")]


async def test_a_fresh_session_begins_with_the_plan_alone_once_it_is_written_down() -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, "fresh")
        await desk.hear(ended("other"))
        before = desk.begun
        await desk.hear(ended("p"))
        await desk.hear(ended("p"))

    assert before == []
    assert [one.text.partition("\n\n")[2] for one in desk.begun] == ["# The plan\n\n1. Do it.\n"]


@pytest.mark.parametrize("choice", ["approve", "deny", "leave"])
async def test_any_other_answer_to_a_plan_begins_nothing(choice: str) -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, choice)
        await desk.hear(ended("p"))

    assert desk.begun == []


async def test_a_plan_that_could_not_be_written_begins_nothing() -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, "fresh")
        await desk.hear(ended("p", failed=True))
        await desk.kill()

    assert desk.begun == []


async def test_a_plan_is_carried_out_though_the_screen_dies_before_it_is_written_down() -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, "fresh")
        await desk.kill()
        before = desk.begun
        await desk.hear(ended("p"))
        await desk.kill()

    assert before == []
    assert len(desk.begun) == 1


async def test_a_plan_is_carried_out_though_the_screen_dies_when_it_is_written_down() -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, "fresh")
        desk.running.clear()
        await desk.kill()

    assert len(desk.begun) == 1


async def test_an_answer_that_did_not_reach_the_gate_is_asked_for_again() -> None:
    async with open_desk() as desk:
        await desk.ask(PLANNED)
        await desk.answer(1, "fresh")
        await desk.kill()
        await desk.ask(PLANNED)
        await desk.answer(1, "deny")
        await desk.hear(ended("p"))
        await desk.kill()

    assert desk.begun == []


async def test_a_new_start_lives_through_the_death_of_the_agent() -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        network.start("store", run_store)
        first, second = Agent(dies=True), Agent()
        network.start("agent:main", first.run)
        asked = Answers(network.mailbox("ui"), "agent:main", "run", Questions(), lambda *_: None)
        nursery.start_soon(asked.begin, Fresh("p", "one", "x"))
        await wait_all_tasks_blocked()
        network.kill("agent:main")
        network.start("agent:main", second.run)

    assert [*first.begun, *second.begun] == [StartOver(prompt_id="one", text="x")] * 2
