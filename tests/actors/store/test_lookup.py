"""Which session is meant by what the user says."""

import time
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import Entry, UserMessage
from actors.messages.store import Append, FindSession, NameSession, Sessions, TrashSession
from tests.actors.store.test_store import a_store, open_session

NEWEST_FIRST = (
    ("4d00", "/w", "Write the README", ""),
    ("3fa9", "/w", "fix the login page", "Release"),
    ("3f00", "/w", "fix the parser", "release notes"),
    ("beef", "/other", "fix the login here, too", "Release"),
)
"""Id, folder, first prompt, name."""


async def stored(me: Mailbox) -> None:
    for at, (session_id, cwd, text, name) in enumerate(reversed(NEWEST_FIRST)):
        await open_session(me, session_id=session_id, cwd=cwd)
        body = UserMessage(text=text, turn_id="t", prompt_id="t")
        entry = Entry(id=session_id, session_id=session_id, parent="", at=time.time() + at, body=body)
        await me.ask("store", Append(entries=(entry,)), Done)
        await me.ask("store", NameSession(session_id=session_id, name=name), Done)


async def found(me: Mailbox, said: str, *, everywhere: bool = False, trashed: bool = False) -> str:
    asked = FindSession(said=said, cwd="/w", everywhere=everywhere, trashed=trashed)
    (one,) = (await me.ask("store", asked, Sessions)).sessions
    return one.session_id


@pytest.mark.parametrize(
    ("said", "everywhere", "meant"),
    [
        ("3fa9", False, "3fa9"),
        ("be", False, "beef"),  # an id is an id in every folder
        ("release", False, "3fa9"),  # a whole name counts more than the beginning of another
        ("release n", False, "3f00"),
        ("1", False, "4d00"),
        ("3", False, "3f00"),
        ("4", False, "4d00"),  # there are three here: it is the beginning of an id
        ("4", True, "beef"),
        ("LOGIN fix", False, "3fa9"),
        ("too", True, "beef"),
    ],
)
async def test_a_session_is_found(tmp_path: Path, said: str, everywhere: bool, meant: str) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)

        assert await found(me, said, everywhere=everywhere) == meant


async def test_what_is_found_is_gone_on_with_in_its_own_folder(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)

        assert (await open_session(me, session_id="2", cwd="/w", resume=True))[1] == "3fa9"
        with pytest.raises(Failed, match="Go on there: cd /other && trouper -r beef"):
            await open_session(me, session_id="too", cwd="/w", everywhere=True, resume=True)


@pytest.mark.parametrize(
    ("said", "everywhere", "why"),
    [
        ("too", False, 'there is no session with "too" as its id, .* first prompt in this folder\\.'),
        ("zz", True, 'there is no session with "zz" as its id, or in its name or first prompt\\.'),
        (" ", True, "there is no session with"),
    ],
)
async def test_what_means_none_is_told(tmp_path: Path, said: str, everywhere: bool, why: str) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)

        with pytest.raises(Failed, match=why) as failure:
            await found(me, said, everywhere=everywhere)

    assert failure.value.problem.code == "unknown_session"


@pytest.mark.parametrize(
    ("said", "everywhere", "meant", "why"),
    [
        ("3f", False, ["3fa9", "3f00"], r"of 2 sessions: 3fa9 \(Release\), 3f00 \(release notes\)\. Say more of it"),
        ("release", True, ["3fa9", "beef"], r"of 2 sessions: 3fa9 \(Release\), beef \(Release\)"),
    ],
)
async def test_what_means_several_is_told_or_all_of_them_are_named(
    tmp_path: Path, said: str, everywhere: bool, meant: list[str], why: str
) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)

        with pytest.raises(Failed, match=why) as failure:
            await found(me, said, everywhere=everywhere)
        wanted = FindSession(said=said, cwd="/w", everywhere=everywhere, several=True)
        listed = (await me.ask("store", wanted, Sessions)).sessions

    assert failure.value.problem.code == "ambiguous_session"
    assert [one.session_id for one in listed] == meant


@pytest.mark.parametrize("said", ["3fa9", "3fa", "release", "login"])
async def test_one_that_was_deleted_is_named_with_the_way_back(tmp_path: Path, said: str) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)
        await me.ask("store", NameSession(session_id="3f00", name=""), Done)
        await me.ask("store", TrashSession(session_id="3fa9"), Done)

        with pytest.raises(Failed, match=r"3fa9 \(Release\) was deleted on .*back with: trouper sessions restore 3fa9"):
            await open_session(me, session_id=said, cwd="/w", resume=True)
        assert await found(me, said, trashed=True) == "3fa9"
        await me.ask("store", TrashSession(session_id="3fa9", restore=True), Done)
        assert await found(me, said) == "3fa9"


async def test_a_deleted_session_has_no_number(tmp_path: Path) -> None:
    async with a_store(tmp_path) as (_, me):
        await stored(me)
        await me.ask("store", TrashSession(session_id="4d00"), Done)

        assert await found(me, "1") == "3fa9"
