"""What /agents does with a subagent: what can be chosen, what the agent is asked for, and the session that is shown."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import wcwidth
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.errors import failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.checkpoint import Conflict, Patch, WorktreeMerged
from actors.messages.conversation import Entry, UserMessage
from actors.messages.store import ReadSession, SessionOpened
from actors.messages.subagent import (
    CancelSubagent,
    MergeSubagent,
    ShowChanges,
    SteerSubagent,
    SubagentEnded,
    SubagentIs,
    SubagentsAre,
)
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import CaughtUp, EntryAdded, SessionInfo, Subscribe
from tests.fakes.network import Network, open_network
from tests.ui.screen.terminals import PLAIN
from ui.screen.intents import Send
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.subagents.agent_list import NONE, NOT_READ, AgentList, question
from ui.screen.subagents.leaving import LEAVE, STAY, Leaving
from ui.screen.subagents.onlooking import Onlooking
from ui.screen.subagents.orders import GO_ON, Orders

ACTOR = "agent:sub:s-1"
SCOUT = SubagentIs(name="scout", kind="explore", session_id="s.1", agent=ACTOR, state="running", background=True)
OVER = replace(SCOUT, agent="", state="completed", summary="A is in a.txt")
PORTER = replace(OVER, name="porter", session_id="s.2", patch_files=1)
INFO = SessionInfo(session_id="s.1", model="p/m", cwd="/w", mode="plan", busy=True)
TASK = EntryAdded(
    entry=Entry(
        id="e1", session_id="s.1", parent="", body=UserMessage(text="look for A", turn_id="t", prompt_id="p"), at=1.0
    )
)
PATCH = Patch(base="b", text="-two\n+three\n", files=("a.txt",), id="of-all-that-was-seen")


class Desk:
    """The screen's side, with an agent that has subagents, their actors, and a store."""

    def __init__(self, network: Network, *choices: UserAnswered, refused: bool = False) -> None:
        self.wanted: list[Message] = []
        self.asked: list[UserAsked] = []
        self.said: list[str] = []
        self.given_back: list[Send] = []
        self.left = False
        self.merged = WorktreeMerged(files=("a.txt",))
        self.patch: Patch | None = PATCH
        self._choices = list(choices)
        self._refused = refused
        self.shown = Shown(SessionView())
        self.shown.own.apply(SubagentsAre(subagents=(SCOUT, PORTER)))
        orders = Orders(network.mailbox("ui"), "agent:main", self._ask, lambda text, _level: self.said.append(text))
        self.onlooking = Onlooking(orders, self.shown, self.given_back.append, lambda: None)
        self.agents = AgentList(self.shown, self.onlooking, self._ask, orders.say)
        self.leaving = Leaving(self.shown, self._ask, self._leave)
        network.start("agent:main", self._agent)
        network.start(ACTOR, self._subagent)
        network.start("store", self._store)

    def _leave(self) -> None:
        self.left = True

    async def _ask(self, question: UserAsked) -> UserAnswered:
        self.asked.append(question)
        return self._choices.pop(0)

    async def _agent(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            if isinstance(request.message, ShowChanges):
                self._show(request)
                continue
            self.wanted.append(request.message)
            if self._refused:
                request.fail(failed("bad_request", "there is no such agent.").problem)
                continue
            match request.message:
                case CancelSubagent(name=name):
                    request.reply(SubagentEnded(name=name, state="cancelled", summary="cancelled by the user."))
                case MergeSubagent():
                    request.reply(self.merged)
                case _:
                    request.reply(Done())

    async def _subagent(self, mailbox: Mailbox) -> None:
        async with trio.open_nursery() as nursery:
            async for request in mailbox:
                assert isinstance(request.message, Subscribe)
                nursery.start_soon(request.serve, _watched)

    async def _store(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert isinstance(request.message, ReadSession)
            if not request.message.after:
                await request.send(TASK.entry)
            request.reply(SessionOpened(session_id="s.2", cwd="/w", entries=1))

    def _show(self, request: Request) -> None:
        if self.patch is None:
            request.fail(failed("no_worktree", "it is gone.").problem)
        else:
            request.reply(self.patch)

    def rows(self) -> list[str]:
        return [wcwidth.strip_sequences(row) for piece in self.shown.take()[0] for row in piece.rows(80, PLAIN) if row]


async def _watched(request: Request) -> None:
    for event in (INFO, TASK, CaughtUp()):
        await request.send(event)
    await trio.sleep_forever()


@asynccontextmanager
async def opened(*choices: str, refused: bool = False) -> AsyncIterator[Desk]:
    async with open_network() as network:
        yield Desk(network, *map(answer, choices), refused=refused)


def answer(choice: str) -> UserAnswered:
    """An id, and behind a colon what is written with it."""
    what, _, text = choice.partition(":")
    return UserAnswered(choice=what, text=text)


@pytest.mark.parametrize(
    ("one", "choices"),
    [
        (SCOUT, ["look", "tell", "cancel", "nothing"]),
        (OVER, ["look", "tell", "resume", "nothing"]),
        (PORTER, ["look", "tell", "merge", "resume", "nothing"]),
    ],
)
def test_only_what_can_be_done_with_it_is_offered(one: SubagentIs, choices: list[str]) -> None:
    assert [choice.id for choice in question(one, 0.0).choices] == choices


async def test_one_is_chosen_and_told_something() -> None:
    async with opened("0", "tell:only in src") as desk:
        await desk.agents.choose()

        (wanted,) = desk.wanted
        assert isinstance(wanted, SteerSubagent)
        assert (wanted.name, wanted.text) == ("scout", "only in src")


async def test_each_order_goes_to_the_agent_whose_entries_say_how_it_went() -> None:
    async with opened("merge") as desk:
        await desk.agents.cancel("scout")
        await desk.agents.resume("porter")
        await desk.agents.merge("porter")

        assert [type(wanted).__name__ for wanted in desk.wanted] == ["CancelSubagent", "SteerSubagent", "MergeSubagent"]
        assert getattr(desk.wanted[1], "text", "") == GO_ON
        assert desk.wanted[2] == MergeSubagent(name="porter", seen=PATCH.id)
        assert desk.said == []


async def test_what_would_be_merged_is_shown_first() -> None:
    async with opened("no") as desk:
        await desk.agents.merge("porter")

        assert desk.wanted == []
        assert desk.asked[0].title == "Bring 1 changed file of porter into the workspace?"
        assert desk.asked[0].detail == "a.txt\n\n```diff\n-two\n+three\n```"


async def test_nobody_is_asked_about_a_merge_of_nothing() -> None:
    async with opened() as desk:
        desk.patch = None
        desk.shown.own.apply(SubagentsAre(subagents=(SCOUT, OVER, replace(PORTER, patch_files=0))))

        await desk.agents.merge("porter")
        desk.patch = Patch(base="b", text="")
        await desk.agents.merge("porter")

        assert (desk.asked, desk.wanted) == ([], [])
        assert desk.said == ["there is nothing of porter to merge"] * 2


async def test_of_a_session_that_is_still_being_opened_nothing_is_said_yet() -> None:
    async with opened() as desk:
        desk.shown.own.apply(SubagentsAre(subagents=()))
        await desk.agents.choose()
        desk.shown.own.apply(INFO)
        await desk.agents.choose()

        assert desk.said == [NOT_READ, NONE]


async def test_one_that_works_is_not_merged() -> None:
    async with opened() as desk:
        await desk.agents.merge("scout")

        assert (desk.asked, desk.wanted) == ([], [])
        assert desk.said == ["scout is running; its changes can be merged once it has ended"]


async def test_conflicts_are_named_and_a_patch_that_cannot_be_had_is_no_hindrance() -> None:
    async with opened("merge") as desk:
        desk.patch = None
        desk.merged = WorktreeMerged(conflicts=(Conflict(path="a.txt", why="changed on both sides"),))

        await desk.agents.merge("porter")

        assert desk.asked[0].detail == "It cannot be shown: it is gone."
        assert desk.wanted == [MergeSubagent(name="porter")]
        assert desk.said == ["nothing of porter was merged, for there are conflicts:\na.txt  changed on both sides"]


async def test_what_cannot_be_done_is_said_and_nobody_is_asked_for_it() -> None:
    async with opened() as desk:
        await desk.agents.look_at("nobody")
        await desk.agents.cancel("porter")
        await desk.agents.resume("scout")

        assert desk.wanted == []
        assert desk.said == [
            "there is no agent nobody; there are: scout, porter",
            "porter is completed already",
            "scout is running",
        ]


async def test_one_that_works_is_followed_until_one_goes_back() -> None:
    async with opened() as desk, trio.open_nursery() as nursery:
        nursery.start_soon(desk.agents.look_at, "scout")
        await wait_all_tasks_blocked()

        assert desk.rows() == [
            "· agent scout (explore, running): what you send goes to it, esc goes back",
            "❯ look for A",
        ]
        assert desk.shown.session.busy
        assert desk.onlooking.back()
        assert desk.rows() == ["· back from scout"]


async def test_of_one_that_is_over_the_store_has_the_session() -> None:
    async with opened() as desk, trio.open_nursery() as nursery:
        nursery.start_soon(desk.agents.look_at, "porter")
        await wait_all_tasks_blocked()

        assert desk.rows()[-1] == "❯ look for A"
        assert not desk.shown.session.busy
        nursery.cancel_scope.cancel()


async def test_one_that_goes_on_is_followed_from_where_one_was() -> None:
    async with opened() as desk, trio.open_nursery() as nursery:
        nursery.start_soon(desk.agents.look_at, "porter")
        await wait_all_tasks_blocked()
        desk.shown.own.apply(SubagentsAre(subagents=(replace(PORTER, state="running", agent=ACTOR),)))
        desk.onlooking.heard()
        await wait_all_tasks_blocked()

        assert desk.shown.session.busy
        nursery.cancel_scope.cancel()


async def test_what_is_sent_while_one_looks_goes_to_it() -> None:
    async with opened() as desk:
        desk.shown.look_at(SCOUT, SessionView())
        other = desk.shown.other
        assert other is not None

        await desk.onlooking.tell(other, Send("only in src"))

        (wanted,) = desk.wanted
        assert isinstance(wanted, SteerSubagent)
        assert [(sent.prompt_id, sent.text) for sent in other.session.sent] == [(wanted.prompt_id, "only in src")]


async def test_what_it_does_not_take_comes_back() -> None:
    async with opened(refused=True) as desk:
        desk.shown.look_at(SCOUT, SessionView())
        other = desk.shown.other
        assert other is not None

        await desk.onlooking.tell(other, Send("only in src"))

        assert other.session.sent == []
        assert desk.given_back == [Send("only in src")]
        assert desk.said == ["there is no such agent."]


@pytest.mark.parametrize(("choice", "left"), [(LEAVE, True), (STAY, False)])
async def test_leaving_is_asked_about_while_one_works_in_the_background(choice: str, left: bool) -> None:
    async with opened(choice) as desk:
        assert desk.leaving.must_ask

        await desk.leaving.asked()

        assert desk.asked[0].title == "1 agent still works in the background. Leave?"
        assert desk.left == left


async def test_without_any_in_the_background_nobody_is_asked() -> None:
    async with opened() as desk:
        desk.shown.own.apply(SubagentsAre(subagents=(replace(SCOUT, background=False), PORTER)))

        assert not desk.leaving.must_ask
