"""Signing in by a code that is typed elsewhere, and Copilot's short-lived tokens."""

import json
from pathlib import Path

import msgspec
import pytest
import trio
from trio.testing import MockClock

from actors.errors import Failed
from actors.messages.auth import LogInStep
from actors.providers.auth.vault import SignedIn, Vault
from actors.providers.auth.ways.codex import Codex
from actors.providers.auth.ways.copilot import GITHUB, Copilot, may_get_token, token_url
from actors.providers.auth.ways.openrouter import OpenRouter
from actors.providers.auth.ways.token_requests import Web
from actors.providers.endpoint import Endpoint
from actors.settings import sign_ins
from actors.settings.services import COPILOT as BUILT_IN
from tests.actors.providers.auth.signing import Screen, open_sign_ins, open_web, put
from tests.fakes.sign_in_server import ACCOUNT, Said, SignInServer, open_sign_in_server

COPILOT = Endpoint(provider="copilot", api="openai-chat", base_url=BUILT_IN.base_url, sign_in="copilot")
SETTLE_S = 0.05
"""Waits are skipped, but real sockets get the moment they need."""


@pytest.fixture
def clock() -> MockClock:
    return MockClock(autojump_threshold=SETTLE_S)


def typed_after(server: SignInServer, seconds: float, nursery: trio.Nursery) -> Screen:
    async def type_it() -> None:
        await trio.sleep(seconds)
        server.approved = True

    def act(step: LogInStep) -> None:
        if step.code:
            nursery.start_soon(type_it)

    return Screen(act)


def codex(server: SignInServer, web: Web) -> Codex:
    return Codex(server.url, web)


async def test_chatgpts_code_is_waited_for(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        screen = typed_after(server, 12.0, nursery)

        entry = await screen.log_in(codex(server, web), "device")

    assert isinstance(entry, SignedIn)
    assert entry.account_id == ACCOUNT
    assert screen.steps[-1].code == "ABCD-1234"
    assert screen.steps[-1].url == f"{server.url}/codex/device"
    assert server.paths().count("/api/accounts/deviceauth/token") == 3


async def test_chatgpts_code_is_good_for_15_minutes(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web:
        server.interval_s = 400
        with pytest.raises(Failed, match="15 minutes"):
            await Screen().log_in(codex(server, web), "device")


async def test_an_issuer_without_codes_says_so(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web:
        moved = Codex(f"{server.url}/elsewhere", web)
        with pytest.raises(Failed, match="no sign-in by code"):
            await Screen().log_in(moved, "device")


async def test_openrouter_has_no_codes(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_web() as web:
        with pytest.raises(Failed, match="no sign-in by code"):
            await Screen().log_in(OpenRouter(sign_ins.ALL["openrouter"].issuer, web), "device")


async def test_githubs_code_leads_to_copilots_token(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        screen = typed_after(server, 10.0, nursery)

        entry = await screen.log_in(Copilot(server.url, web))

    assert isinstance(entry, SignedIn)
    assert (entry.access, entry.refresh) == ("tid=1;planted", "ghu_planted")
    assert entry.base_url == f"{server.url}/copilot"
    assert "not document" in screen.steps[0].text
    asked = server.asked[-1].headers
    assert asked["copilot-integration-id"] == "vscode-chat"


async def test_github_may_ask_to_be_asked_less_often(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        server.pending = [Said(200, {"error": "slow_down", "interval": 100}), Said(200, {"error": "slow_down"})]
        screen = typed_after(server, 200.0, nursery)

        await screen.log_in(Copilot(server.url, web))

    assert server.paths().count("/login/oauth/access_token") == 3


@pytest.mark.parametrize(
    ("error", "words"),
    [("expired_token", "not typed in time"), ("access_denied", "refused on GitHub"), ("unsupported", "unsupported")],
)
async def test_github_may_say_no(error: str, words: str, clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web:
        server.pending = [Said(200, {"error": error})]
        with pytest.raises(Failed, match=words):
            await Screen().log_in(Copilot(server.url, web))


async def test_an_account_without_copilot_is_said_so(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web:
        server.approved = True
        server.faults = [Said(403, {"message": "No access to Copilot"})]
        with pytest.raises(Failed) as failure:
            await Screen().log_in(Copilot(server.url, web))

    assert failure.value.problem.code == "unauthorized"
    assert "HTTP 403, No access to Copilot" in failure.value.problem.text


@pytest.mark.parametrize(
    ("issuer", "url", "trusted"),
    [
        (GITHUB, "https://api.individual.githubcopilot.com", True),
        (GITHUB, "https://githubcopilot.com.evil.example", False),
        (GITHUB, "https://evilgithubcopilot.com", False),
        (GITHUB, "http://api.githubcopilot.com", False),
        (GITHUB, "https://user@evil.example/githubcopilot.com", False),
        ("https://acme.ghe.com", "https://copilot-api.acme.ghe.com", True),
        ("https://acme.ghe.com", "https://api.githubcopilot.com", False),
        ("https://acme.ghe.com", "http://copilot-api.acme.ghe.com", False),
    ],
)
def test_where_copilots_token_may_be_sent(issuer: str, url: str, trusted: bool) -> None:
    assert may_get_token(issuer, url) is trusted


def test_where_copilots_token_is_had() -> None:
    assert token_url(GITHUB) == "https://api.github.com/copilot_internal/v2/token"
    assert token_url("https://acme.ghe.com") == "https://api.acme.ghe.com/copilot_internal/v2/token"


async def test_a_token_that_leads_elsewhere_is_not_kept(clock: MockClock) -> None:  # noqa: ARG001  # the test runs by it
    async with open_sign_in_server() as server, open_web() as web:
        server.approved = True
        server.copilot = {"endpoints": {"api": "https://evil.example"}}
        with pytest.raises(Failed, match="not GitHub's"):
            await Screen().log_in(Copilot(server.url, web))


async def test_copilots_token_is_renewed_with_githubs(tmp_path: Path) -> None:
    vault = Vault(tmp_path)
    async with open_sign_in_server() as server, open_web() as web:
        old = SignedIn(access="old", refresh="ghu_planted", expires_at=0.0, issuer=server.url)
        put(vault, "copilot", old)
        async with open_sign_ins(vault, server, copilot=Copilot(server.url, web)) as sign_ins:
            signed = [await sign_ins.signed(COPILOT) for _ in range(3)]

            mine = msgspec.structs.replace(old, refresh="gone")
            put(vault, "copilot", mine)
            with pytest.raises(Failed, match="trouper auth login copilot"):
                await sign_ins.signed(COPILOT)

    assert {endpoint.key for endpoint in signed} == {"tid=1;planted"}
    assert {endpoint.base_url for endpoint in signed} == {f"{server.url}/copilot"}
    assert json.loads((tmp_path / "auth.json").read_text())["copilot"].get("refresh") is None


def test_an_address_of_the_users_own_counts_more() -> None:
    entry = SignedIn(access="a", issuer="i", base_url="https://api.business.githubcopilot.com")
    moved = Endpoint(provider="copilot", api="openai-chat", base_url="https://proxy.example", sign_in="copilot")

    assert Copilot(GITHUB, Web()).applied(moved, entry).base_url == "https://proxy.example"
    assert Copilot(GITHUB, Web()).applied(COPILOT, entry).base_url == entry.base_url
