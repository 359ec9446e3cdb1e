"""The list of sessions by its keys: switched, deleted in and closed; the real questions, a store that behaves."""

from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager

import pytest
import trio
from msgspec.structs import replace
from trio.testing import wait_all_tasks_blocked

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.store import ListSessions, Sessions, SessionSummary, TrashSession
from actors.messages.tool import UserAsked
from tests.fakes.network import Network, open_network
from tests.ui.screen.questions.test_list import drawn
from tests.ui.screen.terminals import PLAIN
from ui.plain import replies
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.intents import Wish
from ui.screen.questions.answers import Answers, Heard
from ui.screen.questions.queue import Answer
from ui.screen.sessions.session_list import SessionList, question
from ui.screen.terminal import cells
from ui.screen.terminal.keys import Event, Key, Text

HERE, THERE = "/here", "/there"


def session(name: str, cwd: str) -> SessionSummary:
    return SessionSummary(
        session_id=name.replace(" ", "-"), cwd=cwd, model="p/m", title=name, created_at=0.0, updated_at=0.0, entries=7
    )


NAMES = ("one", "two", "three")


class Desk:
    """Somebody before the list. Sessions that are held cannot be deleted."""

    def __init__(self, network: Network, nursery: trio.Nursery) -> None:
        self._network, self._nursery = network, nursery
        self.stored = [session(name, HERE) for name in NAMES] + [session("far one", THERE), session("far two", THERE)]
        self.held: set[str] = set()
        self.here = ""
        self.said: list[str] = []
        self.chosen: list[SessionSummary | None] = []
        self.controls = Controls(History([]), lambda: "nothing")
        self.now = 0.0
        self.rows: list[str] = []
        network.start("store", self._store)
        self._mailbox = network.mailbox("ui")
        self._answers = Answers(self._mailbox, "agent:main", "r", self.controls.questions, self._say)

    async def open(self, **more: bool) -> None:
        listed = SessionList(self._mailbox, self._listing, self.controls.questions.renew, lambda: self.here, self._say)

        async def choose() -> None:
            self.chosen.append(await listed.choose(self._find, **more))

        self._nursery.start_soon(choose)
        await self.settle()

    async def press(self, *events: Event, wait_s: float = 1.0) -> None:
        """wait_s: before each."""
        for event in events:
            self.now += wait_s
            for intent in self.controls.handle(event, self.now):
                assert isinstance(intent, Answer | Wish)
                self._answers.answer(intent)
            await self.settle()

    async def settle(self) -> None:
        await wait_all_tasks_blocked()
        if self.controls.questions.current is not None:
            self.rows = drawn(self.controls.questions, 20, 80)
            self.controls.questions.painted(self.now)

    @property
    def marked(self) -> str:
        return next((row for row in self.rows if "▸" in row), "")

    @property
    def listed(self) -> list[str]:
        return [row[3:].split("  ")[0] for row in self.rows[2:-1]]

    def _listing(self, question: UserAsked) -> AbstractContextManager[Heard]:
        return self._answers.listing(question)

    async def _find(self, everywhere: bool) -> tuple[SessionSummary, ...]:
        wanted = ListSessions(cwd="" if everywhere else HERE)
        return (await self._mailbox.insist("store", wanted, Sessions)).sessions

    def _say(self, text: str, level: str) -> None:
        self.said.append(f"{level}: {text}")

    async def _store(self, mailbox: Mailbox) -> None:
        async for request in mailbox:
            match request.message:
                case ListSessions(cwd=cwd):
                    request.reply(Sessions(sessions=tuple(one for one in self.stored if cwd in ("", one.cwd))))
                case TrashSession(session_id=session_id) if session_id in self.held:
                    request.fail(failed("session_in_use", "it is open in another terminal.", "Go on there.").problem)
                case TrashSession(session_id=session_id):
                    self.stored = [one for one in self.stored if one.session_id != session_id]
                    request.reply(Done())


@pytest.fixture
async def desk() -> AsyncIterator[Desk]:
    async with desk_there() as it:
        yield it


@asynccontextmanager
async def desk_there() -> AsyncIterator[Desk]:
    async with open_network() as network, trio.open_nursery() as nursery:
        yield Desk(network, nursery)
        nursery.cancel_scope.cancel()


UP, DOWN, ENTER, ESC = Key("up"), Key("down"), Key("enter"), Key("esc")
ALL, DELETE = Key("ctrl+a"), Key("ctrl+d")


async def test_all_projects_and_back_with_what_is_typed_and_the_mark_as_they_were(desk: Desk) -> None:
    await desk.open()
    assert desk.listed == ["one", "two", "three"]

    await desk.press(Text("o"), DOWN, ALL)
    assert desk.listed == ["one", "two", "far one", "far two"]
    assert (desk.marked.split()[1], desk.rows[1]) == ("two", "❯ o")
    assert "(all projects)" in desk.rows[0]
    assert "ctrl+a this project" in desk.rows[-1]

    await desk.press(ALL)
    assert (desk.listed, desk.rows[1]) == (["one", "two"], "❯ o")
    assert "ctrl+a all projects" in desk.rows[-1]

    await desk.press(ALL, UP, UP, DOWN, DOWN, ENTER)
    assert [one and one.cwd for one in desk.chosen] == [THERE]


async def test_where_this_folder_has_none_those_of_all_are_there_at_once(desk: Desk) -> None:
    desk.stored = desk.stored[3:]
    await desk.open()
    assert desk.listed == ["far one", "far two"]

    await desk.press(ALL)
    assert desk.rows[2] == "   no other session of this folder"
    await desk.press(DELETE, DELETE, ENTER, DOWN, ALL)
    assert desk.listed == ["far one", "far two"]
    await desk.press(ESC)

    assert (desk.chosen, desk.said) == ([None], [])


async def test_where_there_is_none_at_all_that_is_said(desk: Desk) -> None:
    desk.stored = []
    await desk.open()

    assert (desk.chosen, desk.said) == ([None], ["warning: there is no other session"])


@pytest.mark.parametrize("again", [DELETE, Text("y")])
async def test_the_marked_one_is_deleted_when_that_is_said_twice_and_the_mark_stays_where_it_was(
    desk: Desk, again: Event
) -> None:
    await desk.open()
    await desk.press(DOWN, DELETE)
    assert desk.marked.startswith(" ▸ delete? ctrl+d again  two")
    assert "7 entries" in desk.marked
    assert "any other key: keep it" in desk.rows[-1]
    assert len(desk.stored) == 5

    await desk.press(again)

    assert desk.listed == ["one", "three"]
    assert desk.marked.startswith(" ▸ three ")
    assert desk.said == ["info: session two (two) is deleted. Have it back with: trouper sessions restore two"]
    await desk.press(DELETE, DELETE)
    assert (desk.listed, desk.marked.split()[1]) == (["one"], "one")
    await desk.press(DELETE, DELETE)
    assert desk.rows[2] == "   no other session of this folder"
    await desk.press(ESC)
    assert [one.title for one in desk.stored] == ["far one", "far two"]


OTHERS = [ESC, ENTER, DOWN, ALL, Text("n"), Text("yy"), Text("Y"), Key("tab"), Key("ctrl+c"), Key("ctrl+l")]


@pytest.mark.parametrize("other", OTHERS)
async def test_any_other_key_takes_it_back_and_does_nothing_else_in_the_list(desk: Desk, other: Event) -> None:
    await desk.open()
    await desk.press(DOWN)
    before = desk.rows

    await desk.press(DELETE)
    for intent in desk.controls.handle(other, desk.now + 1):
        assert not isinstance(intent, Answer | Wish)
    await desk.settle()

    assert desk.rows == before
    assert len(desk.stored) == 5
    assert desk.chosen == []


async def test_a_key_that_is_held_asks_and_never_says_yes(desk: Desk) -> None:
    await desk.open()

    await desk.press(*[DELETE] * 50, wait_s=0.03)
    assert (len(desk.stored), desk.marked[:10]) == (5, " ▸ delete?")

    await desk.press(Text("y"))
    assert len(desk.stored) == 4


async def test_a_list_that_has_just_changed_is_deaf_to_enter(desk: Desk) -> None:
    await desk.open()

    await desk.press(ALL)
    await desk.press(ENTER, wait_s=0.1)
    assert desk.chosen == []

    await desk.press(ENTER)
    assert [one and one.title for one in desk.chosen] == ["one"]


async def test_one_that_another_program_has_open_stays_and_it_is_said_why(desk: Desk) -> None:
    desk.held = {"one"}
    await desk.open()

    await desk.press(DELETE, DELETE)

    assert desk.listed == ["one", "two", "three"]
    assert desk.said == ["error: it is open in another terminal. It is not deleted: close it there first."]


async def test_one_that_was_opened_here_while_the_list_was_is_not_deleted(desk: Desk) -> None:
    await desk.open()
    desk.here = "one"

    await desk.press(DELETE, DELETE)

    assert len(desk.stored) == 5
    assert desk.said == ["warning: this session is open here, so it is not deleted"]


async def test_what_is_left_by_the_filter_is_what_is_deleted(desk: Desk) -> None:
    await desk.open()

    await desk.press(Text("xyzzy"), DELETE, Text("y"))
    assert len(desk.stored) == 5
    await desk.press(Key("ctrl+u"), Text("thr"), DELETE, DELETE)

    assert [one.title for one in desk.stored] == ["one", "two", "far one", "far two"]


def test_as_lines_it_says_that_there_is_none_only_where_that_is_so() -> None:
    some = question([session("one", HERE)], 0.0, everywhere=False)
    none = question([], 0.0, everywhere=False)

    assert replies.asked(some, 80, PLAIN)[2:] == ["  1. one (now 7 entries ? one)"]
    assert replies.asked(none, 80, PLAIN)[2:] == [" no other session of this folder"]


async def test_a_list_from_another_folder_shows_what_it_is_told_to_begin_with(desk: Desk) -> None:
    await desk.open(everywhere=True)

    assert desk.listed == ["one", "two", "three", "far one", "far two"]


@pytest.mark.parametrize("width", [20, 40, 80])
async def test_hostile_titles_and_folders_cannot_break_it_nor_hide_what_is_asked(desk: Desk, width: int) -> None:
    evil = "\x1b[2J\u202eevil\nrow" + "宽" * 60
    desk.stored = [replace(session("evil", f"/{evil}"), title=evil, name=evil, branch=evil)]
    await desk.open()
    await desk.press(DELETE)

    rows = drawn(desk.controls.questions, 10, width)

    assert all(row.isprintable() and cells.width(row) <= width for row in rows)
    assert rows[2].startswith(" ▸ delete? ")
    assert "y: delete" in rows[-1]
