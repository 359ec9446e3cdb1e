"""Signing in through a browser: the address it ends at, whether it is ours, and what everybody is told."""

import socket
from collections.abc import Callable, Iterator
from urllib.parse import parse_qsl, urlsplit

import httpx
import pytest
import trio

from actors.errors import Failed
from actors.messages.auth import LogInStep
from actors.providers.auth.vault import KeptKey, SignedIn
from actors.providers.auth.ways.codex import Codex, claims
from actors.providers.auth.ways.openrouter import OpenRouter
from actors.providers.auth.ways.redirect_addresses import parsed
from actors.providers.auth.ways.token_requests import Web
from tests.actors.providers.auth.signing import Screen, open_web
from tests.fakes.sign_in_server import ACCOUNT, SignInServer, jwt, open_sign_in_server


class Browser:
    """Follows what it is given, as the user clicks through."""

    def __init__(self, nursery: trio.Nursery, turn: Callable[[str], str] = str) -> None:
        """turn: what becomes of the address it is sent back to."""
        self.pages: list[tuple[int, str]] = []
        self._nursery = nursery
        self._turn = turn

    def opens(self, step: LogInStep) -> None:
        if step.url:
            self._nursery.start_soon(self._visit, step.url)

    async def _visit(self, url: str) -> None:
        async with httpx.AsyncClient(trust_env=False) as client:
            back = (await client.get(url)).headers["location"]
            page = await client.get(self._turn(back))
            self.pages.append((page.status_code, page.text))
            if page.status_code == 400 and self._turn(back) != back:
                page = await client.get(back)
                self.pages.append((page.status_code, page.text))


@pytest.fixture
def port() -> Iterator[int]:
    """For us alone: it stays bound, so nobody else is given it meanwhile. Nobody listens there."""
    with socket.socket() as held:
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        yield held.getsockname()[1]


def codex(server: SignInServer, web: Web, *ports: int) -> Codex:
    return Codex(server.url, web, ports or (0,))


async def test_the_browser_brings_the_code_and_is_told_that_it_worked() -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        browser = Browser(nursery)
        screen = Screen(browser.opens)

        entry = await screen.log_in(codex(server, web))

    assert isinstance(entry, SignedIn)
    assert (entry.account, entry.account_id, entry.issuer) == ("me@example.com (plus)", ACCOUNT, server.url)
    assert claims(entry.access).exp == entry.expires_at
    assert [status for status, _ in browser.pages] == [200]
    assert "You are signed in" in browser.pages[0][1]
    assert "not document for other programs" in screen.steps[0].text


async def test_the_request_is_the_one_the_issuer_knows(port: int) -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        screen = Screen(Browser(nursery).opens)

        await screen.log_in(codex(server, web, port))

    query = server.asked[0].query
    assert query["redirect_uri"] == f"http://localhost:{port}/auth/callback"
    assert query["code_challenge_method"] == "S256"
    assert query["originator"] == "trouper"
    assert query["codex_cli_simplified_flow"] == query["id_token_add_organizations"] == "true"
    assert 43 <= len(server.asked[1].fields["code_verifier"]) <= 128


@pytest.mark.parametrize("wrong", ["state=mine", ""], ids=["another state", "no state"])
async def test_an_address_that_is_not_the_answer_changes_nothing(wrong: str) -> None:
    def turned(back: str) -> str:
        return f"{back.partition('?')[0]}?code=stolen&{wrong}"

    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        browser = Browser(nursery, turned)

        entry = await Screen(browser.opens).log_in(codex(server, web))

    assert isinstance(entry, SignedIn)
    assert [status for status, _ in browser.pages] == [400, 200]
    assert [asked.fields["code"] for asked in server.asked if asked.path == "/oauth/token"] == ["code-1"]


async def test_a_refusal_is_told_in_harmless_words() -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        server.deny = {"error": "access_denied", "error_description": "<script>no</script>\n" + "x" * 900}
        browser = Browser(nursery)

        with pytest.raises(Failed) as failure:
            await Screen(browser.opens).log_in(codex(server, web))

    assert failure.value.problem.code == "unauthorized"
    assert "\n" not in failure.value.problem.text
    assert len(failure.value.problem.text) < 300
    assert browser.pages[0][0] == 400
    assert "<script>" not in browser.pages[0][1]


async def test_a_workspace_without_codex_is_named() -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        server.deny = {"error": "access_denied", "error_description": "missing_codex_entitlement"}

        with pytest.raises(Failed, match="your workspace has no Codex"):
            await Screen(Browser(nursery).opens).log_in(codex(server, web))


async def test_a_code_that_the_issuer_refuses_is_said_to_both() -> None:
    def spoiled(back: str) -> str:
        return back.replace("code=code-", "code=old-")

    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        browser = Browser(nursery, spoiled)
        with pytest.raises(Failed, match="refused to sign you in: HTTP 400, Wrong code"):
            await Screen(browser.opens).log_in(codex(server, web))
        nursery.cancel_scope.cancel()

    assert browser.pages[0][0] == 400


async def test_the_address_may_be_pasted_from_another_machine() -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        verdicts = []

        async def paste(url: str) -> None:
            async with httpx.AsyncClient(trust_env=False) as client:
                back = (await client.get(url)).headers["location"]
            for address in (back.replace("state=", "state=x"), back):
                redirect = parsed(f"  {address}\n")
                screen.redirects.put(redirect)
                verdicts.append((await redirect.verdict()).good)
                redirect.told()

        def act(step: LogInStep) -> None:
            if step.url:
                nursery.start_soon(paste, step.url)

        screen = Screen(act)
        entry = await screen.log_in(codex(server, web))

    assert isinstance(entry, SignedIn)
    assert verdicts == [False, True]


async def test_a_taken_port_leads_to_the_next_one(autojump_clock: trio.testing.MockClock, port: int) -> None:
    autojump_clock.autojump_threshold = 0.05
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ports = taken.getsockname()[1], port
        async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
            await Screen(Browser(nursery).opens).log_in(codex(server, web, *ports))

        asker, _ = taken.accept()
        with asker:
            assert asker.recv(100).startswith(b"GET /cancel HTTP/1.1\r\n")

    assert urlsplit(server.asked[0].query["redirect_uri"]).port == ports[1]


async def test_another_sign_in_that_waits_there_gives_way(port: int) -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        first: list[Failed] = []
        waiting = trio.Event()

        async def earlier() -> None:
            try:
                await Screen(lambda step: waiting.set() if step.url else None).log_in(codex(server, web, port))
            except Failed as failure:
                first.append(failure)

        nursery.start_soon(earlier)
        await waiting.wait()
        entry = await Screen(Browser(nursery).opens).log_in(codex(server, web, port))

    assert isinstance(entry, SignedIn)
    assert "another program has begun one" in str(first[0])
    assert urlsplit(server.asked[0].query["redirect_uri"]).port == port


async def test_no_port_at_all_is_said(autojump_clock: trio.testing.MockClock) -> None:
    autojump_clock.autojump_threshold = 0.05
    with socket.create_server(("127.0.0.1", 0)) as taken:
        async with open_sign_in_server() as server, open_web() as web:
            with pytest.raises(Failed, match="--device"):
                await Screen().log_in(codex(server, web, taken.getsockname()[1]))


async def test_given_up_it_listens_no_longer(port: int) -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        waiting = trio.Event()
        screen = Screen(lambda step: waiting.set() if step.url else None)
        nursery.start_soon(screen.log_in, codex(server, web, port))
        await waiting.wait()

        nursery.cancel_scope.cancel()

    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))
    assert server.asked == []


async def test_what_is_no_browser_gets_no_page(port: int) -> None:
    answers: list[int] = []
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        waiting = trio.Event()
        screen = Screen(lambda step: waiting.set() if step.url else None)
        nursery.start_soon(screen.log_in, codex(server, web, port))
        await waiting.wait()

        async with httpx.AsyncClient(trust_env=False) as client:
            here = f"http://127.0.0.1:{port}"
            answers.append((await client.get(f"{here}/favicon.ico")).status_code)
            answers.append((await client.post(f"{here}/auth/callback?code=x", content=b"")).status_code)
            answers.append((await client.get(f"{here}/elsewhere?code=x")).status_code)
        nursery.cancel_scope.cancel()

    assert answers == [404, 404, 400]


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "localhost"},
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-origin"},
    ],
    ids=str,
)
async def test_a_page_in_a_browser_cannot_end_a_sign_in(headers: dict[str, str], port: int) -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        waiting = trio.Event()
        screen = Screen(lambda step: waiting.set() if step.url else None)
        nursery.start_soon(screen.log_in, codex(server, web, port))
        await waiting.wait()

        async with httpx.AsyncClient(trust_env=False) as client:
            refused = await client.get(f"http://127.0.0.1:{port}/cancel", headers=headers)
            rest = await client.get(
                f"http://127.0.0.1:{port}/elsewhere?code=x", headers={"Sec-Fetch-Site": "cross-site"}
            )
        nursery.cancel_scope.cancel()

    assert refused.status_code == 404
    assert rest.status_code == 400, "the sign-in still waits, and pages may lead to it"


async def test_a_name_that_is_not_ours_leads_nowhere(port: int) -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        waiting = trio.Event()
        screen = Screen(lambda step: waiting.set() if step.url else None)
        nursery.start_soon(screen.log_in, codex(server, web, port))
        await waiting.wait()

        async with httpx.AsyncClient(trust_env=False) as client:
            address = f"http://127.0.0.1:{port}/auth/callback?code=x"
            answer = await client.get(address, headers={"Host": f"evil.example:{port}"})
        nursery.cancel_scope.cancel()

    assert answer.status_code == 404


async def test_openrouter_gives_a_key() -> None:
    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        entry = await Screen(Browser(nursery).opens).log_in(OpenRouter(server.url, web))

    assert entry == KeptKey(key="sk-or-planted")
    asked = server.asked[0].query
    assert asked["code_challenge_method"] == "S256"
    assert len(urlsplit(asked["callback_url"]).path) > 40, "where there is no state, the path cannot be guessed"


async def test_openrouter_takes_no_code_that_was_not_asked_for() -> None:
    def turned(back: str) -> str:
        parts = urlsplit(back)
        return f"http://{parts.netloc}/callback?{dict(parse_qsl(parts.query)) and parts.query}"

    async with open_sign_in_server() as server, open_web() as web, trio.open_nursery() as nursery:
        browser = Browser(nursery, turned)
        await Screen(browser.opens).log_in(OpenRouter(server.url, web))

    assert [status for status, _ in browser.pages] == [400, 200]


@pytest.mark.parametrize("token", ["", "opaque", "a.b.c", "a.!!.c", jwt(exp="never"), jwt().replace(".", "")])
def test_a_token_that_says_nothing_is_no_fault(token: str) -> None:
    assert claims(token).exp is None
