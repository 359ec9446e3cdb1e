"""What OpenCode, GitHub CLI and Copilot's editors keep: found without being opened, read when the user says so."""

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import FindPrograms, OtherProgram, Program, Programs, TakenOver, TakeOver
from actors.messages.base import Problem
from actors.providers.actor import serve
from actors.providers.auth import credentials
from actors.providers.auth.vault import SignedIn, Vault
from actors.providers.auth.ways.copilot import Copilot
from actors.providers.endpoint import Endpoint
from actors.settings.config import ProviderSettings, Settings
from tests.actors.providers.auth.signing import open_web
from tests.fakes.network import open_network
from tests.fakes.sign_in_server import SignInServer, open_sign_in_server

OURS = "Iv1.b507a08c87ecfe98"
HERE = "127.0.0.1"
OAUTH_APP = "gho_0123456789abcdef"
GITHUB_APP = "ghu_planted"
COPILOT = Endpoint(provider="copilot", api="openai-chat", base_url="https://api.githubcopilot.com", sign_in="copilot")


class Machine:
    """A user's folders."""

    def __init__(self, top: Path, server: SignInServer) -> None:
        self.home, self.top = top / "ours", top / "user"
        for folder in (self.home, self.top):
            folder.mkdir(parents=True)
        self.environ = {"HOME": str(self.top), "PATH": "/nowhere"}
        self._settings = Settings(
            home=str(self.home),
            cwd=str(top),
            session_id="s",
            run_id="r",
            providers={"copilot": ProviderSettings(sign_in_url=server.url)},
        )

    def has(self, path: str, content: object) -> Path:
        file = self.top / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return file

    @asynccontextmanager
    async def asker(self, name: str = "ui") -> AsyncIterator[Mailbox]:
        registry = credentials.registry(self._settings, self.environ)
        async with open_network() as network:
            network.start("providers", lambda mailbox: serve(mailbox, self._settings, registry))
            yield network.mailbox(name)

    async def taken(self, program: Program) -> TakenOver:
        async with self.asker() as ui:
            return await ui.ask("providers", TakeOver(program=program), TakenOver)

    async def refused(self, program: Program, asker: str = "ui") -> Problem:
        async with self.asker(asker) as mailbox:
            try:
                await mailbox.ask("providers", TakeOver(program=program), TakenOver)
            except Failed as failure:
                return failure.problem
        raise AssertionError

    def kept(self) -> dict[str, dict[str, object]]:
        file = self.home / "auth.json"
        found: dict[str, dict[str, object]] = json.loads(file.read_text()) if file.exists() else {}
        return found


@asynccontextmanager
async def machine(top: Path) -> AsyncIterator[Machine]:
    async with open_sign_in_server() as server:
        yield Machine(top, server)


def gh(top: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """A GitHub CLI that does so."""
    program = top / "bin" / "gh"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


async def test_they_are_found_and_nothing_of_theirs_is_opened(tmp_path: Path) -> None:
    async with machine(tmp_path) as here, here.asker() as ui:
        nobody = await ui.ask("providers", FindPrograms(), Programs)
        files = [
            here.has(".local/share/opencode/auth.json", "{}"),
            here.has(".config/gh/hosts.yml", "github.com:"),
            here.has(".config/github-copilot/hosts.json", "{}"),
        ]
        for file in files:
            os.utime(file, ns=(0, 0))
        found = await ui.ask("providers", FindPrograms(), Programs)

    assert nobody.programs == ()
    assert found.programs == tuple(
        OtherProgram(program=program, place=str(file))
        for program, file in zip(("opencode", "gh", "copilot"), files, strict=True)
    )
    assert [file.stat().st_atime_ns for file in files] == [0, 0, 0]
    assert here.kept() == {}


async def test_opencodes_keys_are_kept_and_the_rest_is_named(tmp_path: Path) -> None:
    entries = {
        "anthropic": {"type": "api", "key": "sk-planted-anthropic"},
        "deepseek": {"type": "api", "key": "sk-planted-deepseek"},
        "openai": {"type": "oauth", "refresh": "r", "access": "a", "expires": 1},
        "zenmux": {"type": "api", "key": "sk-planted-other"},
        "https://corp": {"type": "wellknown", "key": "K", "token": "t"},
        "odd": {"type": "of tomorrow"},
    }
    async with machine(tmp_path) as here:
        file = here.has(".local/share/opencode/auth.json", entries)
        before = file.read_bytes()
        taken = await here.taken("opencode")
        again = await here.taken("opencode")

    assert taken.providers == ("anthropic", "deepseek")
    assert [why.partition(":")[0] for why in taken.left_out] == ["openai", "https", "odd", "zenmux"]
    assert "trouper auth login codex" in taken.left_out[0]
    assert here.kept()["anthropic"]["key"] == "sk-planted-anthropic"
    assert again.providers == ()
    assert "anthropic: you keep one here already." in again.left_out
    assert file.read_bytes() == before
    assert "planted" not in repr(taken) + repr(again)


async def test_the_place_may_be_moved(tmp_path: Path) -> None:
    async with machine(tmp_path) as here:
        here.environ["XDG_DATA_HOME"] = str(here.top / "data")
        here.has("data/opencode/auth.json", {"xai": {"type": "api", "key": "sk-planted"}})

        assert (await here.taken("opencode")).providers == ("xai",)


@pytest.mark.parametrize("name", [f"{HERE}:{OURS}", HERE, f"{HERE}:Iv23another"])
@pytest.mark.parametrize("file", ["apps.json", "hosts.json"])
async def test_an_editors_sign_in_is_exchanged_as_our_own(tmp_path: Path, name: str, file: str) -> None:
    async with open_sign_in_server() as server:
        here = Machine(tmp_path, server)
        other = {"other.example": {"oauth_token": "ghu_other"}}
        here.has(f".config/github-copilot/{file}", {**other, name: {"user": "me", "oauth_token": GITHUB_APP}})
        taken = await here.taken("copilot")
        (exchange,) = server.asked

    assert taken.providers == ("copilot",)
    assert "GitHub does not document" in taken.note
    assert exchange.headers["authorization"] == f"token {GITHUB_APP}"
    entry = here.kept()["copilot"]
    assert (entry["refresh"], entry["account"], entry["issuer"]) == (GITHUB_APP, "me", server.url)


async def test_opencodes_copilot_sign_in_is_used_as_it_is(tmp_path: Path) -> None:
    async with open_sign_in_server() as server, open_web() as web:
        here = Machine(tmp_path, server)
        entry = {"type": "oauth", "refresh": OAUTH_APP, "access": OAUTH_APP, "expires": 0, "enterpriseUrl": HERE}
        here.has(".local/share/opencode/auth.json", {"github-copilot": entry})
        taken = await here.taken("opencode")

        kept = Vault(here.home).entry("copilot")
        assert isinstance(kept, SignedIn)
        applied = Copilot(server.url, web).applied(COPILOT, kept)

    assert taken.providers == ("copilot",)
    assert server.asked == []
    assert (applied.key, applied.base_url) == (OAUTH_APP, f"https://copilot-api.{HERE}")
    assert applied.headers == {"copilot-integration-id": "copilot-developer-cli"}


async def test_github_cli_is_asked_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = f'[ "$*" = "auth token --hostname {HERE}" ] && [ -z "$GH_TOKEN" ]'
    gh(tmp_path, monkeypatch, f"{asked} && echo {OAUTH_APP}")
    async with machine(tmp_path / "user") as here:
        here.environ["GH_TOKEN"] = "ghp_made"
        taken = await here.taken("gh")

    assert taken.providers == ("copilot",)
    assert here.kept()["copilot"]["access"] == OAUTH_APP


@pytest.mark.parametrize("program", ["opencode", "copilot", "gh"])
@pytest.mark.parametrize(
    ("content", "said"), [(None, "no_credentials"), ("{", "bad_configuration"), ("[]", "bad_configuration")]
)
async def test_what_is_not_there_or_cannot_be_read_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: Program, content: str | None, said: str
) -> None:
    if program == "gh":
        said = "no_credentials"
        monkeypatch.setenv("PATH", "/nowhere")
    async with machine(tmp_path) as here:
        if content is not None:
            here.has(".local/share/opencode/auth.json", content)
            here.has(".config/github-copilot/apps.json", content)
        problem = await here.refused(program)

    assert problem.code == said
    assert here.kept() == {}


async def test_a_token_that_somebody_made_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gh(tmp_path, monkeypatch, "echo ghp_0123456789abcdef")
    async with machine(tmp_path / "user") as here:
        taken = await here.taken("gh")

    assert (taken.providers, here.kept()) == ((), {})
    assert "a token that somebody made" in taken.left_out[0]
    assert "ghp_" not in repr(taken)


async def test_a_github_cli_that_the_workspace_brings_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with machine(tmp_path) as here:
        gh(tmp_path, monkeypatch, f"touch {tmp_path}/ran; echo {OAUTH_APP}")
        problem = await here.refused("gh")

    assert problem.code == "no_credentials"
    assert not (tmp_path / "ran").exists()


async def test_only_the_user_may_have_them_read(tmp_path: Path) -> None:
    async with machine(tmp_path) as here:
        here.has(".local/share/opencode/auth.json", {"xai": {"type": "api", "key": "sk-planted"}})
        problems = [await here.refused("opencode", asker) for asker in ("agent:main", "tools:main", "web", "gate")]

    assert {problem.code for problem in problems} == {"not_allowed"}
    assert here.kept() == {}
