"""/resume and /name: which session is meant, and what is asked of agent and store."""

from collections.abc import Awaitable, Callable

import pytest

from actors.errors import failed
from actors.mailbox import Mailbox
from actors.messages.base import Done, Message
from actors.messages.store import ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import OpenOther
from tests.fakes.network import open_network
from ui.screen.sessions.other_sessions import OtherSessions, label, meant


def session(session_id: str, title: str, *, at: float = 0.0) -> SessionSummary:
    return SessionSummary(
        session_id=session_id, cwd="/w", model="p/m", title=title, created_at=0.0, updated_at=at, entries=7
    )


CATS, DOGS, BOTH = session("aa11", "Cats"), session("bb22", "dogs"), session("cc33", "cats and dogs")
THIS = session("dd44", "this one")
ALL = [CATS, DOGS, BOTH]


@pytest.mark.parametrize(
    ("which", "expected"),
    [
        ("", ALL),
        ("aa", [CATS]),
        ("aa11", [CATS]),
        ("cats", [CATS]),
        ("CATS AND", [BOTH]),
        ("dog", [DOGS, BOTH]),
        ("birds", []),
    ],
)
def test_an_id_or_a_title_counts_more_than_words(which: str, expected: list[SessionSummary]) -> None:
    assert meant(which, ALL) == expected


def test_a_row_says_what_was_asked_first_and_when() -> None:
    assert label(session("aabbccddee", "x" * 90 + "\nmore", at=10.0), 7210.0) == (
        "x" * 59 + "…  (aabbccdd · 2 h · 7 entries)"
    )


async def did(
    act: Callable[[OtherSessions], Awaitable[object]], *, choice: str = "", refused: bool = False
) -> tuple[list[Message | str], list[str]]:
    """What was asked of the others, and of the user; what was said, with its level."""
    asked: list[Message | str] = []
    said: list[str] = []

    async def agent(mailbox: Mailbox) -> None:
        async for request in mailbox:
            asked.append(request.message)
            if refused:
                request.fail(failed("session_in_use", "it is open elsewhere.").problem)
            request.reply(Done())

    async def store(mailbox: Mailbox) -> None:
        async for request in mailbox:
            if isinstance(request.message, ListSessions):
                request.reply(Sessions(sessions=(*ALL, THIS)))
            else:
                asked.append(request.message)
                request.reply(Done())

    async def ask(question: UserAsked) -> UserAnswered:
        asked.append(" | ".join(one.label.partition("  (")[0] for one in question.choices))
        return UserAnswered(choice=choice)

    async def this() -> str:
        return THIS.session_id

    async with open_network() as network:
        network.start("agent:main", agent)
        network.start("store", store)
        mailbox = network.mailbox("ui")
        await act(
            OtherSessions(mailbox, "agent:main", "/w", this, ask, lambda *told: said.append(": ".join(told[::-1])))
        )
    return asked, said


async def test_all_others_of_the_folder_are_offered() -> None:
    assert await did(lambda sessions: sessions.resume(""), choice="1") == (
        ["Cats | dogs | cats and dogs", OpenOther(session_id="bb22")],
        [],
    )


async def test_where_only_one_is_meant_it_is_opened() -> None:
    assert await did(lambda sessions: sessions.resume("aa")) == ([OpenOther(session_id="aa11")], [])


async def test_who_chooses_none_stays() -> None:
    assert await did(lambda sessions: sessions.resume("dog")) == (["dogs | cats and dogs"], [])


async def test_this_session_is_no_other_one() -> None:
    asked, said = await did(lambda sessions: sessions.resume("this one"))

    assert asked == []
    assert said[0].startswith('warning: no other session of this folder is meant by "this one"')


async def test_a_session_that_cannot_be_had_is_said() -> None:
    assert await did(lambda sessions: sessions.resume("aa"), refused=True) == (
        [OpenOther(session_id="aa11")],
        ["error: it is open elsewhere."],
    )


async def test_a_new_one_is_asked_for_and_a_name_is_given() -> None:
    assert (await did(lambda sessions: sessions.begin()))[0] == [OpenOther(session_id="")]
    assert await did(lambda sessions: sessions.name("pets")) == (
        [NameSession(session_id="dd44", name="pets")],
        ['info: this session is now called "pets"'],
    )
