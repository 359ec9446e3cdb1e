"""What the user asks of the credentials, through the whole providers actor."""

import json
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import httpx
import pytest
import trio
import trio.testing

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import (
    Credential,
    Credentials,
    GiveRedirect,
    KeyKept,
    ListCredentials,
    LoggedIn,
    LoggedOut,
    LogIn,
    LogInStep,
    LogOut,
    SetKey,
)
from actors.messages.base import Done, Message
from actors.messages.model import ResolvedModel, ResolveModel
from actors.providers.actor import serve
from actors.providers.auth import credentials
from actors.providers.auth.vault import SignedIn, Vault
from actors.settings.config import ProviderSettings, Settings
from tests.fakes.network import open_network
from tests.fakes.sign_in_server import SignInServer, open_sign_in_server

KEY = "sk-planted-1"


class Place:
    def __init__(self, top: Path) -> None:
        self.home, self.work = top / "home", top / "work"
        self.home.mkdir()
        self.work.mkdir()
        self.file = self.home / "auth.json"
        self.environ: dict[str, str] = {}
        self.providers: dict[str, ProviderSettings] = {}
        self.dotenv = False

    def signs_in_at(self, server: SignInServer) -> None:
        self.providers = {name: ProviderSettings(sign_in_url=server.url) for name in ("codex", "copilot", "openrouter")}

    def ui(self) -> AbstractAsyncContextManager[Mailbox]:
        return self.mailbox("ui")

    @asynccontextmanager
    async def mailbox(self, asker: str) -> AsyncIterator[Mailbox]:
        settings = Settings(
            home=str(self.home),
            cwd=str(self.work),
            session_id="s",
            run_id="r",
            providers=self.providers,
            dotenv=self.dotenv,
        )
        registry = credentials.registry(settings, self.environ)
        async with open_network() as network:
            network.start("providers", lambda mailbox: serve(mailbox, settings, registry))
            yield network.mailbox(asker)

    def kept(self) -> dict[str, dict[str, object]]:
        found: dict[str, dict[str, object]] = json.loads(self.file.read_text())
        return found


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


async def listed(ui: Mailbox) -> Credentials:
    return await ui.ask("providers", ListCredentials(), Credentials)


async def set_key(ui: Mailbox, provider: str, key: str = KEY) -> KeyKept:
    return await ui.ask("providers", SetKey(provider=provider, key=key), KeyKept)


async def test_a_key_is_kept_listed_used_and_forgotten(place: Place) -> None:
    async with place.ui() as ui:
        kept = await set_key(ui, "openai")
        found = await listed(ui)
        resolved = await ui.ask("providers", ResolveModel(), ResolvedModel)
        gone = await ui.ask("providers", LogOut(provider="openai"), LoggedOut)
        again = await ui.ask("providers", LogOut(provider="openai"), LoggedOut)
        after = await listed(ui)

    assert kept == KeyKept(place=str(place.file))
    assert found.credentials == (Credential(provider="openai", kind="key", place=str(place.file)),)
    assert resolved.model.startswith("openai/")
    assert (gone.forgotten, again.forgotten) == (True, False)
    assert after.credentials == ()
    assert {"anthropic", "openai", "codex"} <= set(after.missing)
    assert "ollama" not in after.missing, "it needs none"
    assert place.kept() == {}


async def test_the_environment_counts_more(place: Place) -> None:
    place.environ = {"OPENAI_API_KEY": "from-environment"}
    async with place.ui() as ui:
        kept = await set_key(ui, "openai")
        found = await listed(ui)
        gone = await ui.ask("providers", LogOut(provider="openai"), LoggedOut)

    assert kept.hidden_by == "OPENAI_API_KEY"
    assert found.credentials == (
        Credential(provider="openai", kind="key", place="OPENAI_API_KEY", also=(str(place.file),)),
    )
    assert gone.still_in == "OPENAI_API_KEY"


@pytest.mark.parametrize("key", ["", "two words", "line\nbreak", "ümlaut", "x" * 5000])
async def test_what_cannot_be_a_key_is_refused_unquoted(place: Place, key: str) -> None:
    async with place.ui() as ui:
        with pytest.raises(Failed) as failure:
            await set_key(ui, "openai", key)

    assert failure.value.problem.code == "bad_request"
    assert not key or key not in str(failure.value)
    assert not place.file.exists()


@pytest.mark.parametrize(
    ("provider", "words"), [("codex", "trouper auth login codex"), ("opnai", "Did you mean openai")]
)
async def test_a_key_for_who_takes_none_is_refused(place: Place, provider: str, words: str) -> None:
    async with place.ui() as ui:
        with pytest.raises(Failed, match=words):
            await set_key(ui, provider)


async def test_a_server_of_the_users_own_may_have_a_kept_key(place: Place) -> None:
    place.providers = {"mine": ProviderSettings("openai-chat", "http://127.0.0.1:9/v1")}
    async with place.ui() as ui:
        await set_key(ui, "mine")

    registry = credentials.registry(
        Settings(home=str(place.home), cwd="/", session_id="s", run_id="r", providers=place.providers), {}
    )
    assert registry.endpoint("mine").key == KEY


async def test_signing_in_by_code_and_out_again(place: Place) -> None:
    async with open_sign_in_server() as server:
        place.signs_in_at(server)
        server.approved, server.interval_s = True, 0
        async with place.ui() as ui:
            async with ui.stream("providers", LogIn(provider="codex", method="device")) as stream:
                steps = [step async for step in stream if isinstance(step, LogInStep)]
                logged_in = await stream.result(LoggedIn)
            found = await listed(ui)
            resolved = await ui.ask("providers", ResolveModel(), ResolvedModel)
            await ui.ask("providers", LogOut(provider="codex"), LoggedOut)

        assert server.ended, "the service was told"
    assert steps[-1].code == "ABCD-1234"
    assert logged_in.account == "me@example.com (plus)"
    (credential,) = found.credentials
    assert (credential.kind, credential.account, credential.expires_at) == ("sign-in", logged_in.account, None)
    assert resolved.model.startswith("codex/")
    assert place.kept() == {}


async def test_out_of_reach_the_service_is_not_told_but_all_is_forgotten(place: Place) -> None:
    async with open_sign_in_server() as server:
        place.signs_in_at(server)
        place.file.write_text(
            json.dumps({"codex": {"kind": "sign-in", "access": "a", "refresh": "r", "issuer": server.url}})
        )
    async with place.ui() as ui:
        gone = await ui.ask("providers", LogOut(provider="codex"), LoggedOut)

    assert gone.forgotten
    assert "the connection was refused" in gone.note
    assert place.kept() == {}


async def test_openrouters_address_may_be_pasted(place: Place) -> None:
    async with open_sign_in_server() as server:
        place.signs_in_at(server)
        refused: list[str] = []

        async def paste(url: str) -> None:
            async with httpx.AsyncClient(trust_env=False) as client:
                back = (await client.get(url)).headers["location"]
            for address in ("nonsense", back):
                try:
                    await ui.ask("providers", GiveRedirect(provider="openrouter", url=address), Done)
                except Failed as failure:
                    refused.append(failure.problem.text)

        async with place.ui() as ui, trio.open_nursery() as nursery:
            async with ui.stream("providers", LogIn(provider="openrouter")) as stream:
                async for step in stream:
                    if isinstance(step, LogInStep) and step.url:
                        nursery.start_soon(paste, step.url)
                await stream.result(LoggedIn)
            found = await listed(ui)

    assert place.kept() == {"openrouter": {"kind": "key", "key": "sk-or-planted"}}
    assert [credential.kind for credential in found.credentials] == ["key"]
    assert len(refused) == 1


async def test_given_up_nothing_is_kept(place: Place) -> None:
    async with open_sign_in_server() as server:
        place.signs_in_at(server)
        async with place.ui() as ui:
            async with ui.stream("providers", LogIn(provider="openrouter")) as stream:
                await anext(stream)
            with pytest.raises(Failed, match="No sign-in is waiting"):
                await ui.ask("providers", GiveRedirect(provider="openrouter", url="http://x/?code=1"), Done)

    assert not place.file.exists()


async def test_there_is_no_sign_in_for_others(place: Place) -> None:
    async with place.ui() as ui, ui.stream("providers", LogIn(provider="anthropic")) as stream:
        with pytest.raises(Failed, match="trouper auth set anthropic"):
            await stream.result(LoggedIn)


async def test_a_damaged_file_is_said_to_whoever_asks(place: Place) -> None:
    place.file.write_text("{torn")
    async with place.ui() as ui:
        for question in (ListCredentials(), ResolveModel(model="openai/x"), SetKey(provider="openai", key=KEY)):
            with pytest.raises(Failed, match="damaged"):
                await ui.ask("providers", question, Done)

    assert place.file.read_text() == "{torn"


async def test_one_damaged_entry_does_not_hide_the_others(place: Place) -> None:
    damaged = {"kind": "key", "key": 7}
    place.file.write_text(json.dumps({"anthropic": damaged, "openai": {"kind": "key", "key": KEY}}))
    async with place.ui() as ui:
        found = {credential.provider: credential.place for credential in (await listed(ui)).credentials}

    assert found["openai"] == str(place.file)
    assert "damaged" in found["anthropic"]


async def test_signed_out_it_is_the_newest_token_that_is_revoked(place: Place) -> None:
    async with open_sign_in_server() as server:
        place.signs_in_at(server)
        vault = Vault(place.home)
        async with place.ui() as ui, trio.open_nursery() as nursery, vault.changing() as change:
            change.put("codex", SignedIn(access="old", refresh="old", issuer=server.url))
            nursery.start_soon(ui.ask, "providers", LogOut(provider="codex"), LoggedOut)
            await trio.testing.wait_all_tasks_blocked()
            change.put("codex", SignedIn(access="new", refresh="new", issuer=server.url))

    assert [asked.fields["token"] for asked in server.asked if asked.path == "/oauth/revoke"] == ["new"]


DOT_ENV = "OPENAI_API_KEY='sk-$HOME-env' # mine\nOPENAI_BASE_URL=https://evil.example\nPATH=/evil\n"


async def test_keys_come_from_dot_env_where_the_user_says_so(place: Place) -> None:
    (place.work / ".env").write_text(DOT_ENV)
    place.dotenv = True
    async with place.ui() as ui:
        found = await listed(ui)

    (credential,) = found.credentials
    assert credential.place == "OPENAI_API_KEY in .env"
    registry = credentials.registry(
        Settings(home=str(place.home), cwd=str(place.work), session_id="s", run_id="r", dotenv=True), {}
    )
    assert registry.dot_env == {"OPENAI_API_KEY": "sk-$HOME-env"}
    endpoint = registry.endpoint("openai")
    assert (endpoint.key, endpoint.base_url) == ("sk-$HOME-env", "https://api.openai.com/v1")


async def test_dot_env_is_not_even_read_otherwise(place: Place) -> None:
    (place.work / ".env").write_text(DOT_ENV)
    async with place.ui() as ui:
        assert (await listed(ui)).credentials == ()


async def test_dot_env_counts_less_than_the_environment_and_more_than_what_is_kept(place: Place) -> None:
    (place.work / ".env").write_text("OPENAI_API_KEY=sk-env\nGROQ_API_KEY=sk-env\n")
    place.dotenv, place.environ = True, {"GROQ_API_KEY": "sk-real"}
    async with place.ui() as ui:
        await set_key(ui, "openai")
        found = {credential.provider: credential for credential in (await listed(ui)).credentials}

    assert found["openai"].place == "OPENAI_API_KEY in .env"
    assert found["openai"].also == (str(place.file),)
    assert found["groq"].place == "GROQ_API_KEY"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"OPENAI_API_KEY", b"= =\n'"], ids=["no text", "no value", "odd"])
async def test_an_odd_dot_env_has_no_keys(place: Place, content: bytes) -> None:
    (place.work / ".env").write_bytes(content)
    place.dotenv = True
    async with place.ui() as ui:
        assert (await listed(ui)).credentials == ()


@pytest.mark.parametrize("question", [ListCredentials(), SetKey(provider="openai", key=KEY), LogOut(provider="openai")])
@pytest.mark.parametrize("asker", ["agent:main", "tools:main"])
async def test_only_the_user_is_served(place: Place, asker: str, question: Message) -> None:
    place.file.write_text(json.dumps({"openai": {"kind": "key", "key": "old"}}))
    async with place.mailbox(asker) as mailbox:
        with pytest.raises(Failed) as failure:
            await mailbox.ask("providers", question, Done)

    assert failure.value.problem.code == "not_allowed"
    assert place.kept() == {"openai": {"kind": "key", "key": "old"}}
