"""What the session is called is asked of the store, and shown as a terminal may be shown it."""

import pytest

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Message
from actors.messages.conversation import Entry, Named, TurnEnded
from actors.messages.store import FindSession, Sessions, SessionSummary
from actors.messages.turn import CaughtUp, EntryAdded, SessionInfo
from actors.messages.usage import Usage
from tests.fakes.network import open_network
from ui.screen.session_view import SessionView
from ui.screen.surroundings.session_name import SessionName

INFO = SessionInfo(session_id="s1", model="p/m", cwd="/w", mode="default", busy=False)
SUMMARY = SessionSummary(
    session_id="s1",
    name="the \x1b[31mred\none",
    cwd="/w",
    model="p/m",
    title="",
    created_at=0,
    updated_at=0,
    entries=1,
)


async def looked(view: SessionView, *, fails: bool = False, leaves: bool = False) -> int:
    """How often the screen was drawn anew. leaves: for another session, while it is asked."""
    drawn: list[None] = []

    async def store(mailbox: Mailbox) -> None:
        async for request in mailbox:
            assert request.message == FindSession(said="s1")
            if leaves:
                view.session_id = "s2"
            if fails:
                request.fail(failed("store_damaged", "it is damaged.").problem)
            else:
                request.reply(Sessions(sessions=(SUMMARY,)))

    async with open_network() as network:
        network.start("store", store)
        await SessionName(network.mailbox("ui"), view, lambda: drawn.append(None)).look()
    return len(drawn)


def a_view() -> SessionView:
    view = SessionView()
    view.apply(INFO)
    return view


async def test_the_name_is_shown_without_what_a_terminal_heeds() -> None:
    view = a_view()

    assert (await looked(view), view.called) == (1, "the \\x1b[31mred")


async def test_where_the_store_fails_none_is_shown() -> None:
    view = a_view()

    assert (await looked(view, fails=True), view.called) == (0, "")


async def test_the_name_of_a_session_that_was_left_is_not_shown() -> None:
    view = a_view()

    assert (await looked(view, leaves=True), view.called) == (0, "")


async def test_another_session_begins_without_a_name() -> None:
    view = a_view()
    await looked(view)

    view.apply(SessionInfo(session_id="s2", model="p/m", cwd="/w", mode="default", busy=False))

    assert view.called == ""


def entry(body: Named | TurnEnded) -> EntryAdded:
    return EntryAdded(entry=Entry(id="e", session_id="s1", parent="", body=body, at=1.0))


@pytest.mark.parametrize(
    ("event", "is_told"),
    [
        (INFO, True),
        (entry(Named(name="it", usage=Usage())), True),
        (entry(TurnEnded(turn_id="t", reason="done")), False),
        (CaughtUp(), False),
    ],
)
async def test_what_may_change_it(event: Message, is_told: bool) -> None:
    async with open_network() as network:
        assert SessionName(network.mailbox("ui"), SessionView(), lambda: None).is_told_by(event) == is_told
