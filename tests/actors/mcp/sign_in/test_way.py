"""Signing in to a server behind a sign-in of its own, with a browser that does as it is told."""

import json
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.auth import GiveRedirect, LoggedIn, LoggedOut, LogIn, LogOut
from actors.messages.base import Done
from actors.settings.mcp.servers import McpServer, OAuth
from tests.actors.mcp.sign_in.scene import behind, kept, signed_in
from tests.fakes.mcp_actor import asking
from tests.fakes.mcp_sign_in import signing_in, visited

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")


async def test_who_has_signed_in_is_let_in(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:
        before = await asker.describe()
        done = await signed_in(asker)
        result = await asker.call("echo", a=1)

        assert before.state == "needs_login"
        assert "`trouper mcp login fake`" in before.error
        assert (done, result.output) == (LoggedIn(), '{"a": 1}')
        assert [asked["grant_type"] for asked in http.token_requests] == ["authorization_code"]
        assert http.token_requests[0]["resource"] == http.url
        assert kept(tmp_path).stat().st_mode & 0o777 == 0o600
        assert "token-1" not in repr(asker.changes)


async def test_it_counts_in_the_next_session_without_a_browser(tmp_path: Path) -> None:
    async with signing_in() as http:
        async with asking(behind(http), tmp_path) as asker:
            await signed_in(asker)
        async with asking(behind(http), tmp_path) as asker:
            server = await asker.describe()

        assert server.state == "ready"
        assert len(http.token_requests) == len(http.registered) == 1


async def test_a_token_that_is_too_old_is_renewed(tmp_path: Path) -> None:
    async with signing_in() as http:
        async with asking(behind(http), tmp_path) as asker:
            await signed_in(asker)
        written = json.loads(kept(tmp_path).read_text())
        kept(tmp_path).write_text(json.dumps({**written, "expires_at": 1.0}))
        async with asking(behind(http), tmp_path) as asker:
            server = await asker.describe()

        assert server.state == "ready"
        assert [asked["grant_type"] for asked in http.token_requests] == ["authorization_code", "refresh_token"]


async def test_a_sign_in_that_does_not_count_any_more_is_to_be_done_again(tmp_path: Path) -> None:
    async with signing_in() as http:
        async with asking(behind(http), tmp_path) as asker:
            await signed_in(asker)
        http.good.clear()
        http.renewing.clear()
        async with asking(behind(http), tmp_path) as asker:
            server = await asker.describe()
            again = await signed_in(asker)

    assert server.state == "needs_login"
    assert "its sign-in does not count any more" in server.error
    assert again == LoggedIn()


async def test_the_address_where_a_browser_of_another_machine_ended_can_be_given(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:

        async def copied(url: str) -> None:
            await asker.mailbox.ask(asker.name, GiveRedirect(provider="fake", url=await visited(url)), Done)

        done = await signed_in(asker, copied)

    assert done == LoggedIn()


async def test_what_does_not_end_well_keeps_nothing(tmp_path: Path) -> None:
    async with signing_in("refuses") as http, asking(behind(http), tmp_path) as asker:
        with pytest.raises(Failed, match="the sign-in was refused: access_denied") as failure:
            await signed_in(asker)
        server = await asker.describe()

        assert failure.value.problem.code == "unauthorized"
        assert (server.state, http.token_requests) == ("needs_login", [])


async def test_a_sign_in_that_is_left_leaves_nothing_waiting(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:
        async with asker.mailbox.stream(asker.name, LogIn(provider="fake")) as stream:
            await anext(stream)
        server = await asker.describe()
        with pytest.raises(Failed):
            await asker.mailbox.ask(asker.name, GiveRedirect(provider="fake", url="http://127.0.0.1/?code=1"), Done)

    assert server.state == "needs_login"


async def test_who_logs_out_is_let_in_no_more(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:
        await signed_in(asker)
        forgotten = await asker.mailbox.ask(asker.name, LogOut(provider="fake"), LoggedOut)
        server = await asker.describe()
        again = await asker.mailbox.ask(asker.name, LogOut(provider="fake"), LoggedOut)

    assert (forgotten.forgotten, again.forgotten, server.state) == (True, False, "needs_login")
    assert not kept(tmp_path).exists()


async def test_a_client_of_the_users_own_is_not_registered(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http, oauth=OAuth(client_id="mine")), tmp_path) as asker:
        await signed_in(asker)

        assert http.registered == []
        assert http.token_requests[0]["client_id"] == "mine"


async def test_a_secret_of_the_users_own_client_goes_in_a_header(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAKE_SECRET", "of mine")
    own = OAuth(client_id="mine", client_secret_env="FAKE_SECRET")
    async with signing_in() as http, asking(behind(http, oauth=own), tmp_path) as asker:
        await signed_in(asker)

        assert next(one["authorization"] for one in http.headers if "authorization" in one).startswith("Basic ")
        assert "of mine" not in kept(tmp_path).read_text()


async def test_who_is_refused_for_want_of_rights_gets_them_by_signing_in_again(tmp_path: Path) -> None:
    async with signing_in("wants_more") as http:
        async with asking(behind(http), tmp_path) as asker:
            await signed_in(asker)
            refused = await asker.call("echo")
            server = await asker.describe()
        async with asking(behind(http), tmp_path) as asker:
            await signed_in(asker)
            result = await asker.call("echo", a=1)

    assert (refused.failed, server.state) == (True, "ready")
    assert (
        "it wants more rights than were given at the sign-in. Sign in again: `trouper mcp login fake`" in refused.output
    )
    assert (result.output, http.scopes) == ('{"a": 1}', ["", "calls"])


async def test_a_server_that_lets_anybody_look_is_signed_in_to_for_calls(tmp_path: Path) -> None:
    states, failures = [], []
    async with signing_in("lets_look") as http:
        for _ in range(2):
            async with asking(behind(http), tmp_path) as asker:
                states.append((await asker.describe()).state)
                failures.append(await asker.call("echo", a=1))
            async with asking(behind(http), tmp_path) as asker:
                await signed_in(asker)
                result = await asker.call("echo", a=1)
            http.good.clear()
            http.renewing.clear()

    assert (states, [one.failed for one in failures], result.output) == (["ready"] * 2, [True] * 2, '{"a": 1}')
    assert "it wants you to sign in for that: `trouper mcp login fake`" in failures[0].output
    assert "its sign-in does not count any more" in failures[1].output


async def test_a_session_that_waits_for_a_sign_in_goes_on_after_one_elsewhere(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:
        before = await asker.describe()
        async with asking(behind(http), tmp_path) as elsewhere:
            await signed_in(elsewhere)
        result = await asker.call("echo", a=1)

    assert (before.state, result.output) == ("needs_login", '{"a": 1}')


async def test_a_connection_has_the_sign_in_that_was_done_elsewhere(tmp_path: Path) -> None:
    async with signing_in("lets_look") as http, asking(behind(http), tmp_path) as asker:
        before = await asker.call("echo", a=1)
        async with asking(behind(http), tmp_path) as elsewhere:
            await signed_in(elsewhere)
        after = await asker.call("echo", a=1)

    assert (before.failed, after.output) == (True, '{"a": 1}')


async def test_scopes_of_the_users_own_are_those_that_are_asked_for(tmp_path: Path) -> None:
    own = OAuth(scopes=("one", "two"))
    async with signing_in() as http, asking(behind(http, oauth=own), tmp_path) as asker:
        await signed_in(asker)

        assert http.scopes == ["one two"]


async def test_who_signs_in_again_is_asked_again(tmp_path: Path) -> None:
    async with signing_in() as http, asking(behind(http), tmp_path) as asker:
        await signed_in(asker)
        await signed_in(asker)
        result = await asker.call("echo", a=1)

        assert [asked["grant_type"] for asked in http.token_requests] == ["authorization_code"] * 2
        assert (result.output, len(http.registered)) == ('{"a": 1}', 1)


async def test_there_is_nothing_to_sign_in_to_at_a_program(tmp_path: Path) -> None:
    program = McpServer(name="fake", transport="stdio", command="no-such", source="/mcp.json", scope="user")
    async with asking(program, tmp_path) as asker:
        with pytest.raises(Failed, match="there is nothing to sign in to"):
            await asker.mailbox.ask(asker.name, LogIn(provider="fake"), LoggedIn)
