"""The list below the composer: when it opens, what it shows, what its keys do."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import trio
import wcwidth
from trio.testing import wait_all_tasks_blocked

from actors.mailbox import Mailbox
from actors.messages.store import ListSessions, Sessions, SessionSummary
from actors.messages.turn import FilesFound, FindFiles
from actors.settings.config import Settings
from tests.fakes.network import open_network
from ui.screen.completion.popup import Popup
from ui.screen.completion.sources import Sources
from ui.screen.composer.history import History
from ui.screen.controls import Controls
from ui.screen.intents import Command, Intent, Interrupt, Send
from ui.screen.session_view import SessionView
from ui.screen.shown import Shown
from ui.screen.terminal.keys import Event, Key, Text
from ui.screen.terminal.theme import theme
from ui.screen.transcript.open_answer import Mark

ENTER, TAB, ESC, UP, DOWN = (Key(name) for name in ("enter", "tab", "esc", "up", "down"))
SESSIONS = (
    ("3fa9c1d2e4b04a7c", "fix \x1b[31mrounding in the cart"),
    ("123456789abc4a7c", "why is 世界 two cells wide?"),
    ("s", "this one"),
    ("run1-task3", "a task"),
)
"""As the store lists them; s is the own one."""
FILES = ("src/", "src/app.py", "src/cart/", "src/cart/totals.py", "my notes.txt", "README.md")


class Desk:
    def __init__(self, popup: Popup, controls: Controls, gone: list[str]) -> None:
        self.popup = popup
        self.controls = controls
        self.asked = gone

    def type(self, *events: Event | str) -> list[Intent]:
        intents: list[Intent] = []
        for each in events:
            for event in [Text(letter) for letter in each] if isinstance(each, str) else [each]:
                intents += self.controls.handle(event, 100.0)
        return intents

    def shown(self, width: int = 80, room: int = 20) -> list[str]:
        return [wcwidth.strip_sequences(row).rstrip() for row in self.popup.rows(width, room, theme("none"))]

    @property
    def text(self) -> str:
        return self.controls.editor.text


@pytest.fixture
async def desk(tmp_path: Path, nursery: trio.Nursery) -> Desk:
    controls = Controls(History(["/mode plan"]), lambda: "turn")
    asked: list[str] = []
    network = await nursery.start(_network, asked)
    shown = Shown(SessionView(Mark()))
    shown.own.session_id = "s"
    settings = Settings(home=str(tmp_path / "home"), cwd=str(tmp_path), session_id="s", run_id="r")
    start: Callable[..., None] = nursery.start_soon
    sources = Sources(network.mailbox("ui"), settings, shown, start, lambda: popup.renew())
    popup = Popup(controls.editor, sources)
    controls.layers.append(popup)
    controls.complete = popup.complete
    return Desk(popup, controls, asked)


async def _network(asked: list[str], task_status: trio.TaskStatus[object]) -> None:
    async with open_network() as network, trio.open_nursery() as nursery:
        gate = network.mailbox("gate")
        nursery.start_soon(_store, network.mailbox("store"))
        task_status.started(network)
        async for request in gate:
            message = request.message
            assert isinstance(message, FindFiles)
            asked.append(message.letters)
            fit = tuple(path for path in FILES if message.letters in path)
            request.reply(FilesFound(paths=fit, total=len(fit)))


async def _store(mailbox: Mailbox) -> None:
    async for request in mailbox:
        assert isinstance(request.message, ListSessions)
        listed = [
            SessionSummary(
                session_id=session_id,
                title=title,
                cwd="/w",
                model="m",
                entries=1,
                created_at=0.0,
                updated_at=time.time(),
            )
            for session_id, title in SESSIONS
        ]
        request.reply(Sessions(sessions=tuple(listed)))


async def test_a_slash_opens_the_commands_and_letters_narrow_them(desk: Desk) -> None:
    desk.type("/")
    assert desk.shown()[0].startswith("▸ /help")
    assert len(desk.shown()) == 8

    desk.type("perm")
    assert desk.shown()[0].startswith("▸ /permissions")


async def test_a_command_is_found_by_its_name_elsewhere(desk: Desk) -> None:
    desk.type("/approvals")

    assert desk.shown()[0].startswith(("▸ /permissions", "  /permissions"))


async def test_enter_runs_what_needs_no_argument(desk: Desk) -> None:
    assert desk.type("/mod", ENTER) == [Command("/model")]
    assert desk.text == ""


async def test_enter_on_a_command_that_needs_an_argument_puts_it_in(desk: Desk) -> None:
    assert desk.type("/remem", ENTER) == []
    assert desk.text == "/remember "


async def test_tab_puts_in_and_arguments_are_completed_in_turn(desk: Desk) -> None:
    desk.type("/mod", DOWN, TAB)
    assert desk.text == "/mode "
    assert [row.strip() for row in desk.shown()] == ["default", "accept-edits", "plan", "auto", "research"]

    assert desk.type("pl", ENTER) == [Command("/mode plan")]


async def test_with_nothing_typed_of_an_argument_enter_takes_none(desk: Desk) -> None:
    assert desk.type("/model ", ENTER) == [Command("/model")]


async def test_esc_closes_the_list_and_not_the_turn(desk: Desk) -> None:
    assert desk.type("/mo", ESC) == []
    assert not desk.popup.open

    desk.type("d")
    assert not desk.popup.open
    assert desk.type(ESC) == [Interrupt()]


async def test_what_comes_out_of_the_history_opens_nothing(desk: Desk) -> None:
    desk.type(UP)

    assert desk.text == "/mode plan"
    assert not desk.popup.open


async def test_a_path_is_no_command(desk: Desk) -> None:
    desk.type("/etc/pas")

    assert not desk.popup.open


async def test_files_come_behind_an_at_and_a_folder_goes_on(desk: Desk) -> None:
    desk.type("look at @src")
    assert desk.shown() == ["  looking for files"]
    await wait_all_tasks_blocked()
    assert desk.shown()[0] == "▸ src/"

    desk.type(ENTER)
    await wait_all_tasks_blocked()
    assert desk.text == "look at @src/"
    desk.type("tot")
    await wait_all_tasks_blocked()
    assert not desk.popup.open
    assert desk.asked[-1] == "src/tot"


async def test_a_name_with_blanks_is_quoted(desk: Desk) -> None:
    desk.type("@notes")
    await wait_all_tasks_blocked()
    desk.type(TAB)

    assert desk.text == '@"my notes.txt" '


async def test_what_is_no_file_is_sent_as_it_is(desk: Desk) -> None:
    desk.type("write to me@example.com or @nobody")
    await wait_all_tasks_blocked()

    assert [type(each) for each in desk.type(ENTER)] == [Send]


async def test_tab_completes_what_was_brought_back(desk: Desk) -> None:
    desk.type(UP, TAB)

    assert desk.text == "/mode plan "


@pytest.mark.parametrize("width", [20, 40, 80, 120])
async def test_no_row_is_wider_than_the_screen(desk: Desk, width: int) -> None:
    desk.type("/")

    assert max(map(len, desk.shown(width))) <= width
    assert "of" in desk.shown(width)[-1]


async def test_enter_takes_no_other_command_for_a_mistyped_one(desk: Desk) -> None:
    assert desk.type("/modle", ENTER) == [Command("/modle")]


async def test_a_prompt_may_begin_with_a_kind_of_subagents(desk: Desk) -> None:
    desk.type("@expl")
    with trio.fail_after(60):
        while not any("@explore" in row for row in desk.shown()):
            await trio.lowlevel.checkpoint()

    desk.type(TAB)
    assert desk.text == "@explore "

    desk.type("find @expl")
    await wait_all_tasks_blocked()
    assert not any("@explore" in row for row in desk.shown())


async def sessions_shown(desk: Desk, *typed: Event | str) -> list[str]:
    """Once the store has answered."""
    desk.type(*typed)
    await wait_all_tasks_blocked()
    return desk.shown()


async def test_earlier_sessions_come_behind_a_number_sign_with_their_age(desk: Desk) -> None:
    shown = await sessions_shown(desk, "as in #")

    assert [row.split() for row in shown] == [
        ["fix", "\\x1b[31mrounding", "in", "the", "cart", "now"],
        ["why", "is", "世界", "two", "cells", "wide?", "now"],
        ["a", "task", "now"],
    ]


@pytest.mark.parametrize(
    ("letters", "put_in"),
    [
        ("round", "#3fa9c1d2 "),
        ("3fa", "#3fa9c1d2 "),
        ("WIDE", "#123456789a "),  # never digits alone: these are the number of an issue
        ("task", "#run1-task3 "),
    ],
)
async def test_letters_find_a_session_and_enter_puts_in_what_names_it(desk: Desk, letters: str, put_in: str) -> None:
    shown = await sessions_shown(desk, "as in #", letters)
    intents = desk.type(ENTER)

    assert shown[0].startswith("▸ ")
    assert (intents, desk.text) == ([], f"as in {put_in}")
    assert [type(each) for each in desk.type(ENTER)] == [Send]


@pytest.mark.parametrize(
    "typed",
    [
        "#",
        "# Title",
        "#123",
        "see #123 and #45",
        "#!/bin/sh",
        "##",
        "#nothing-like-it",
        "a#round",
        "`#round",
        "#rondng",
    ],
)
async def test_what_names_no_session_is_sent_as_it_is(desk: Desk, typed: str) -> None:
    """Nor what only comes near to one: that is for Tab."""
    await sessions_shown(desk, typed)

    assert desk.type(ENTER) == [Send(typed)]


@pytest.mark.parametrize("typed", ["# ", "#123", "#!", "##", "#round."])
async def test_no_list_is_in_the_way_of_headings_and_issues(desk: Desk, typed: str) -> None:
    await sessions_shown(desk, typed)

    assert not desk.popup.open


async def test_of_all_sessions_one_is_taken_only_once_it_is_marked(desk: Desk) -> None:
    await sessions_shown(desk, "#")
    desk.type(DOWN, DOWN, ENTER)
    marked = desk.text
    await sessions_shown(desk, "and #")
    desk.type(TAB)

    assert (marked, desk.text) == ("#123456789a ", "#123456789a and #3fa9c1d2 ")


async def test_esc_closes_the_list_of_sessions(desk: Desk) -> None:
    await sessions_shown(desk, "#rou")
    desk.type(ESC, "nd")

    assert not desk.popup.open
    assert desk.type(ENTER) == [Send("#round")]
