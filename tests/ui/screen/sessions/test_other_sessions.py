"""/resume and /name: which session is meant, and what is asked of agent and store."""

import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

import pytest
import trio
from msgspec.structs import replace

from actors.errors import failed
from actors.mailbox import Mailbox, Request
from actors.messages.base import Done, Message
from actors.messages.store import FindSession, Holder, ListSessions, NameSession, Sessions, SessionSummary
from actors.messages.tool import UserAnswered, UserAsked
from actors.messages.turn import OpenOther, WhoHas
from actors.settings.config import Settings
from tests.fakes.network import open_network
from ui.screen.questions.answers import Heard
from ui.screen.questions.session_keys import Wish
from ui.screen.sessions.other_sessions import OtherSessions
from ui.screen.sessions.session_list import SessionList, in_list


def session(session_id: str, title: str, *, at: float = 0.0) -> SessionSummary:
    return SessionSummary(
        session_id=session_id, cwd="/w", model="p/m", title=title, created_at=0.0, updated_at=at, entries=7
    )


CATS, DOGS, BOTH = session("aa11", "Cats"), session("bb22", "dogs"), session("cc33", "cats and dogs")
THIS = session("dd44", "this one")
SETTINGS = Settings(home="/h", cwd="/w", session_id="dd44", run_id="r1")
HOLDER = Holder(session_id="aa11", run_id="r2", pid=12, terminal="/dev/pts/3", since=1.0)
ALL = (CATS, DOGS, BOTH)
FAR = (replace(session("ee55", "far"), cwd="/not/there"), replace(session("ff66", "near"), cwd="/"))
"""Of other folders."""


def test_a_row_says_what_it_is_called_when_it_was_how_long_and_what_it_cost() -> None:
    one = session("aabbccddee", "x" * 90 + "\nmore", at=10.0)
    paid = replace(one, name="pets", branch="main", cost_usd=1.84)

    assert in_list(one, 7210.0) == ("x" * 59 + "…", "", "2 h", "7 entries", "?", "aabbccdd")
    assert in_list(paid, 10.0) == ("pets", "main", "now", "7 entries", "$1.84", "aabbccdd")


def test_of_all_projects_a_row_has_the_end_of_its_folder_instead() -> None:
    far = replace(CATS, cwd="/home/of/somebody/else/with/projects")
    hostile = replace(CATS, cwd="/a\x1b[2J\u202eb\nc")

    assert in_list(CATS, 0.0, everywhere=True) == ("Cats", "/w", "now", "7 entries")
    assert in_list(far, 0.0, everywhere=True)[1] == "…body/else/with/projects"
    assert in_list(hostile, 0.0, everywhere=True)[1] == "/a?[2J?b?c"


def found(request: Request) -> bool:
    """Lists are answered; False: this asks for none."""
    match request.message:
        case ListSessions(cwd=cwd):
            request.reply(Sessions(sessions=(*ALL, *(() if cwd else FAR), THIS)))
        case FindSession(said=said) if one := [one for one in (*ALL, *FAR, THIS) if one.session_id.startswith(said)]:
            request.reply(Sessions(sessions=tuple(one)))
        case FindSession(said=said) if one := [one for one in ALL if said.casefold() in one.title.casefold()]:
            request.reply(Sessions(sessions=tuple(one)))
        case FindSession():
            request.fail(failed("unknown_session", "there is none.").problem)
        case _:
            return False
    return True


def shown(
    answers: Sequence[UserAnswered | Wish], told: Callable[[str], None]
) -> tuple[Callable[[UserAsked], AbstractContextManager[Heard]], Callable[[UserAsked], None]]:
    """How a list is opened and renewed, before somebody who gives these answers; told: what is in it."""

    def renew(question: UserAsked) -> None:
        told(" | ".join(one.label for one in question.choices))

    @contextmanager
    def listing(question: UserAsked) -> Iterator[Heard]:
        renew(question)
        send, heard = trio.open_memory_channel[UserAnswered | Wish](math.inf)
        for one in answers:
            send.send_nowait(one)
        yield heard

    return listing, renew


async def this() -> str:
    return THIS.session_id


async def did(
    act: Callable[[OtherSessions], Awaitable[object]],
    *,
    choice: str = "",
    refused: bool = False,
    wishes: tuple[Wish, ...] = (),
) -> tuple[list[Message | str], list[str]]:
    """What was asked of the others, and of the user; what was said, with its level."""
    asked: list[Message | str] = []
    said: list[str] = []

    async def agent(mailbox: Mailbox) -> None:
        async for request in mailbox:
            asked.append(request.message)
            match request.message:
                case WhoHas():
                    request.reply(HOLDER)
                case OpenOther(held="fail", copy_id="") if refused:
                    request.fail(failed("session_in_use", "it is open elsewhere.").problem)
            request.reply(Done())

    async def store(mailbox: Mailbox) -> None:
        async for request in mailbox:
            if not found(request):
                asked.append(request.message)
                request.reply(Done())

    async def ask(question: UserAsked) -> UserAnswered:
        asked.append(" | ".join(one.label.partition("  (")[0] for one in question.choices))
        return UserAnswered(choice=choice)

    def say(text: str, level: str) -> None:
        said.append(f"{level}: {text}")

    async with open_network() as network:
        network.start("agent:main", agent)
        network.start("store", store)
        mailbox = network.mailbox("ui")
        heard = (*wishes, UserAnswered(choice=choice))
        listed = SessionList(mailbox, *shown(heard, asked.append), lambda: THIS.session_id, say)
        await act(OtherSessions(mailbox, "agent:main", SETTINGS, this, ask, say, listed, asked.append))
    return asked, said


async def test_all_others_of_the_folder_are_offered() -> None:
    assert await did(lambda sessions: sessions.resume(""), choice="bb22") == (
        ["Cats | dogs | cats and dogs", OpenOther(session_id="bb22")],
        [],
    )


async def test_where_only_one_is_meant_it_is_opened() -> None:
    assert await did(lambda sessions: sessions.resume("aa")) == ([OpenOther(session_id="aa11")], [])


async def test_one_of_another_project_is_pointed_to_and_the_line_that_goes_there_is_copied() -> None:
    asked, (said,) = await did(lambda sessions: sessions.resume(""), choice="ff66", wishes=(Wish(1, "switch", "aa11"),))

    assert asked == [
        "Cats | dogs | cats and dogs",
        "Cats | dogs | cats and dogs | far | near",
        "cd / && trouper -r ff66",
    ]
    assert said.endswith("sent to the clipboard of your terminal: cd / && trouper -r ff66")


async def test_one_whose_folder_is_gone_is_not_sent_there() -> None:
    asked, (said,) = await did(lambda sessions: sessions.resume("ee"))

    assert asked == []
    assert said.endswith("the folder is not there any more: /not/there. What was said: trouper sessions show ee55")


async def test_who_chooses_none_stays() -> None:
    assert await did(lambda sessions: sessions.resume("dog")) == (["dogs | cats and dogs"], [])


async def test_words_of_several_offer_these_without_the_one_that_is_open() -> None:
    assert await did(lambda sessions: sessions.resume("CATS"), choice="cc33") == (
        ["Cats | cats and dogs", OpenOther(session_id="cc33")],
        [],
    )


async def test_words_that_none_has_say_so() -> None:
    assert await did(lambda sessions: sessions.resume("birds")) == ([], ["error: there is none."])


async def test_this_session_is_not_opened_again() -> None:
    assert await did(lambda sessions: sessions.resume("dd")) == ([], ["info: this is that session"])


@pytest.mark.parametrize(
    ("choice", "then", "told"),
    [
        ("no", [], []),
        ("view", [OpenOther(session_id="aa11", held="view")], []),
        ("take", [OpenOther(session_id="aa11", held="take")], ["info: the session is open here now"]),
    ],
)
async def test_of_a_session_that_is_open_elsewhere_the_user_says_what_now(
    choice: str, then: list[OpenOther], told: list[str]
) -> None:
    choices = "look at it here, read-only | take it over | go on with a copy of it | no, stay in this session"

    assert await did(lambda sessions: sessions.resume("aa"), choice=choice, refused=True) == (
        [OpenOther(session_id="aa11"), WhoHas(session_id="aa11"), choices, *then],
        told,
    )


async def test_a_new_one_is_asked_for_and_a_name_is_given() -> None:
    assert (await did(lambda sessions: sessions.begin()))[0] == [OpenOther(session_id="")]
    assert await did(lambda sessions: sessions.name("pets")) == (
        [NameSession(session_id="dd44", name="pets")],
        ['info: this session is now called "pets"'],
    )
