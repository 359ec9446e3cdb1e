"""A token that is renewed: in time, where it was given, once for all, and never twice with one refresh token."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import psutil
import pytest
import trio

from actors.settings.mcp.servers import OAuth
from tests import ROOT
from tests.actors.mcp.sign_in.scene import behind, kept, signed_in
from tests.fakes.mcp_actor import PATIENCE_S, asking
from tests.fakes.mcp_sign_in import SignedIn, signing_in
from tests.processes import still_alive, watch
from tests.system.harness import LAUNCHER

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")
LONG_AGO = 1.0


def written(folder: Path) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(kept(folder).read_text())
    return said


def age(folder: Path, expires_at: float = LONG_AGO) -> None:
    """What is kept is of another day."""
    kept(folder).write_text(json.dumps({**written(folder), "expires_at": expires_at}))


def renewals(http: SignedIn) -> list[str]:
    """The refresh tokens that were sent."""
    return [asked["refresh_token"] for asked in http.token_requests if asked["grant_type"] == "refresh_token"]


@asynccontextmanager
async def once_signed_in(folder: Path, *flags: str, **more: Any) -> AsyncIterator[SignedIn]:  # noqa: ANN401  # of McpServer
    async with signing_in(*flags) as http:
        async with asking(behind(http, **more), folder) as asker:
            await signed_in(asker)
        yield http


async def test_it_is_renewed_by_the_service_that_gave_it(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path, "elsewhere") as http:
        age(tmp_path)
        async with asking(behind(http), tmp_path) as asker:
            result = await asker.call("echo", a=1)

        assert (result.output, renewals(http)) == ('{"a": 1}', ["re-token-1"])
        assert http.token_requests[1]["host"] == "localhost"
        assert http.token_requests[1]["resource"] == http.url
        assert (written(tmp_path)["url"], "token-2" in kept(tmp_path).read_text()) == (http.url, True)


async def test_one_that_does_not_count_any_more_is_renewed_before_the_user_is_asked(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path) as http:
        http.good.clear()
        async with asking(behind(http), tmp_path) as asker:
            server = await asker.describe()

    assert (server.state, renewals(http)) == ("ready", ["re-token-1"])


async def test_what_is_refused_for_good_is_not_tried_again(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path) as http:
        http.renewing.clear()
        age(tmp_path)
        http.good.clear()
        states = []
        for _ in range(2):
            async with asking(behind(http), tmp_path) as asker:
                states.append((await asker.describe()).state)

    assert (states, renewals(http)) == (["needs_login"] * 2, ["re-token-1"])
    assert "re-token" not in kept(tmp_path).read_text()


async def test_a_service_that_is_down_ends_no_sign_in(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path) as http:
        age(tmp_path)
        http.flags = ("down",)
        async with asking(behind(http), tmp_path) as asker:
            down = await asker.describe()
        http.flags = ()
        async with asking(behind(http), tmp_path) as asker:
            up = await asker.describe()

    assert down.state in ("starting", "failed")
    assert "its sign-in cannot be renewed just now: HTTP 503" in down.error
    assert up.state == "ready"


async def test_a_secret_of_the_users_own_client_goes_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAKE_SECRET", "of mine")
    own = OAuth(client_id="mine", client_secret_env="FAKE_SECRET")
    async with once_signed_in(tmp_path, oauth=own) as http:
        age(tmp_path)
        http.headers.clear()
        async with asking(behind(http, oauth=own), tmp_path) as asker:
            server = await asker.describe()

        assert (server.state, http.token_requests[1]["client_id"]) == ("ready", "mine")
        assert any(one.get("authorization", "").startswith("Basic ") for one in http.headers)


async def test_it_is_renewed_also_when_nobody_waits_for_the_call_any_more(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path, "modern") as http, asking(behind(http), tmp_path) as asker:
        await asker.describe()
        age(tmp_path)
        http.asked, http.answers = trio.Event(), trio.Event()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asker.call, "echo")
            await http.asked.wait()
            nursery.cancel_scope.cancel()
        http.answers.set()
        result = await asker.call("echo", a=1)

    assert (result.output, renewals(http)) == ('{"a": 1}', ["re-token-1"])


async def test_a_long_call_holds_up_no_other(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path) as http, asking(behind(http), tmp_path) as asker:
        await asker.describe()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(asker.call, "silent")
            await http.has_heard("tools/call")
            result = await asker.call("echo", a=1)
            nursery.cancel_scope.cancel()

    assert result.output == '{"a": 1}'


def environment(folder: Path) -> Mapping[str, str]:
    return {**os.environ, "TROUPER_HOME": str(folder / "home"), "HOME": str(folder)}


def program(*words: str) -> list[str]:
    return [sys.executable, "-P", str(LAUNCHER), "mcp", *words]


async def called(folder: Path) -> subprocess.CompletedProcess[bytes]:
    """By a program of its own."""
    with trio.fail_after(PATIENCE_S):
        return await trio.run_process(
            program("call", "fake", "echo", '{"a": 1}'),
            env=environment(folder), cwd=folder, stdin=b"", capture_stdout=True, capture_stderr=True, check=False,
        )  # fmt: skip


class Renewer(Protocol):
    """A trio.Process with pipes."""

    stdin: trio.abc.SendStream
    stdout: trio.abc.ReceiveStream


async def renewer(folder: Path, http: SignedIn, nursery: trio.Nursery) -> Renewer:
    command = [sys.executable, "-m", "tests.fakes.mcp_renewer", str(folder / "home"), http.url]
    run = partial(trio.run_process, command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    process: Renewer = await nursery.start(run)
    return process


async def line(process: Renewer) -> str:
    """The next one that it says."""
    said = b""
    with trio.fail_after(PATIENCE_S):
        while not said.endswith(b"\n"):
            more = await process.stdout.receive_some(1)
            assert more, f"it has ended, and said {said!r}"
            said += more
    return said.decode().strip()


def killed(process: subprocess.Popen[bytes]) -> None:
    """With all that it has started."""
    family = psutil.Process(process.pid).children(recursive=True)
    watched = watch(one.pid for one in family)
    process.kill()
    for one in family:
        with suppress(psutil.NoSuchProcess):
            one.kill()
    process.wait()
    assert still_alive(watched, PATIENCE_S) == []


def configure(folder: Path, http: SignedIn) -> None:
    (folder / "home" / "mcp.json").write_text(json.dumps({"mcpServers": {"fake": {"url": http.url}}}))


@pytest.mark.slow
async def test_programs_that_renew_at_the_same_moment_do_it_once(tmp_path: Path) -> None:
    async with once_signed_in(tmp_path) as http, trio.open_nursery() as nursery:
        age(tmp_path)
        http.asked, http.answers = trio.Event(), trio.Event()
        renewers = [await renewer(tmp_path, http, nursery) for _ in range(3)]
        said = [[await line(one)] for one in renewers]
        for one, lines in zip(renewers, said, strict=True):
            await one.stdin.send_all(b"\n")
            lines.append(await line(one))
        await http.asked.wait()
        http.answers.set()
        for one, lines in zip(renewers, said, strict=True):
            lines.append(await line(one))

    assert said == [["ready", "begins", "Bearer token-2"]] * 3
    assert renewals(http) == ["re-token-1"]


@pytest.mark.slow
@pytest.mark.parametrize("was_used", [True, False])
async def test_who_is_killed_while_renewing_holds_up_nobody(tmp_path: Path, *, was_used: bool) -> None:
    async with once_signed_in(tmp_path) as http:
        configure(tmp_path, http)
        age(tmp_path)
        http.asked, http.answers = trio.Event(), trio.Event()
        if not was_used:
            http.flags = ("down",)
        process = subprocess.Popen(  # noqa: ASYNC220  # to be killed
            program("call", "fake", "echo"), env=environment(tmp_path), cwd=tmp_path,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        with trio.fail_after(PATIENCE_S):
            await http.asked.wait()
        await trio.to_thread.run_sync(killed, process)
        http.flags = ()
        http.answers.set()
        after = await called(tmp_path)
        async with asking(behind(http), tmp_path) as asker:
            if was_used:
                await signed_in(asker)
            again = await asker.call("echo", a=1)

    said = after.stderr.decode()
    assert after.returncode == (1 if was_used else 0), said
    assert ("trouper mcp login fake" in said) == was_used
    assert again.output == '{"a": 1}'
