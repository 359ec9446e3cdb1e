"""Signing in where somebody wants more than that: no secret leaves, nothing is waited for without end."""

from pathlib import Path

import pytest

from actors.errors import Failed
from actors.messages.auth import LoggedIn
from actors.settings.mcp.servers import OAuth
from tests.actors.mcp.sign_in.scene import behind, signed_in
from tests.fakes.mcp_actor import asking
from tests.fakes.mcp_sign_in import followed, signing_in

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("wrong_issuer", "iss mismatch"),
        ("false_issuer", "issuer mismatch"),
        ("plain_token", "its sign-in at a.example is not over https"),
        ("plain_page", "its sign-in at a.example is not over https"),
        ("inner", "its sign-in at 10.0.0.1 is not over https"),
        ("plain_pkce", "PKCE with S256"),
        ("huge", "longer than 1,048,576 bytes"),
        ("compressed", "compressed"),
        ("redirects", "redirects"),
        ("moves_token", "not followed"),
    ],
)
async def test_an_attacker_gets_nothing(flag: str, why: str, tmp_path: Path) -> None:
    async with signing_in(flag) as http, asking(behind(http), tmp_path) as asker:
        with pytest.raises(Failed, match=why) as failure:
            await signed_in(asker)
        server = await asker.describe()

        assert failure.value.problem.code == "unauthorized"
        assert (server.state, http.token_requests) == ("needs_login", [])
        assert http.redirected < 40


async def test_who_does_not_know_the_state_is_not_heard(tmp_path: Path) -> None:
    pages: list[int] = []
    async with signing_in("wrong_state") as http, asking(behind(http), tmp_path) as asker:

        async def attacked(url: str) -> None:
            pages.append(await followed(url))
            http.flags = ()
            pages.append(await followed(url))

        done = await signed_in(asker, attacked)

    assert (pages, done) == ([404, 200], LoggedIn())


async def test_a_client_of_the_users_own_stays_with_its_service(tmp_path: Path) -> None:
    own = OAuth(client_id="mine")
    async with signing_in() as http:
        async with asking(behind(http, oauth=own), tmp_path) as asker:
            await signed_in(asker)
        http.flags = ("elsewhere",)
        async with asking(behind(http, oauth=own), tmp_path) as asker:
            with pytest.raises(Failed, match="another service to sign in at"):
                await signed_in(asker)

        assert len(http.token_requests) == 1
