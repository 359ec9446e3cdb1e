"""Real processes that share one sign-in whose refresh tokens are good once."""

import subprocess
import sys
from pathlib import Path

import pytest
import trio

from actors.providers.auth.vault import SignedIn, Vault
from tests import ROOT
from tests.actors.providers.auth.signing import keep
from tests.fakes.sign_in_server import Said, SignInServer, open_sign_in_server

pytestmark = pytest.mark.slow
MODULE = "tests.actors.providers.auth.renewing"


async def begin(home: Path, server: SignInServer) -> trio.Process:
    command = [sys.executable, "-m", MODULE, str(home), server.url]
    return await trio.lowlevel.open_process(command, stdout=subprocess.PIPE, cwd=ROOT)


async def token(process: trio.Process) -> str:
    assert process.stdout is not None
    said = b"".join([data async for data in process.stdout])
    assert await process.wait() == 0
    return said.decode().strip()


def kept(home: Path) -> SignedIn:
    entry = Vault(home).entry("codex")
    assert isinstance(entry, SignedIn)
    return entry


async def test_two_processes_renew_once_and_both_go_on(tmp_path: Path) -> None:
    async with open_sign_in_server() as server:
        old = keep(Vault(tmp_path), server)
        server.hold = trio.Event()
        processes = [await begin(tmp_path, server) for _ in range(2)]
        await server.holding.wait()
        server.hold.set()

        tokens = [await token(process) for process in processes]

        assert server.renewals() == 1
        assert not server.ended
    assert set(tokens) == {kept(tmp_path).access}
    assert kept(tmp_path).refresh != old.refresh


async def test_many_processes_with_a_token_that_is_over(tmp_path: Path) -> None:
    async with open_sign_in_server() as server:
        keep(Vault(tmp_path), server, left_s=-1.0)
        processes = [await begin(tmp_path, server) for _ in range(4)]

        tokens = {await token(process) for process in processes}

        assert server.renewals() == 1
    assert tokens == {kept(tmp_path).access}


async def test_a_process_killed_while_it_holds_the_lock_does_not_hold_up_the_other(tmp_path: Path) -> None:
    async with open_sign_in_server() as server:
        old = keep(Vault(tmp_path), server)
        server.hold = trio.Event()
        server.faults = [Said(503)]  # its request has not reached the service's books
        first = await begin(tmp_path, server)
        await server.holding.wait()
        second = await begin(tmp_path, server)

        first.kill()
        await first.wait()
        server.hold.set()

        assert await token(second) == kept(tmp_path).access
        assert not server.ended
    assert kept(tmp_path).refresh != old.refresh
    assert sorted(path.name for path in tmp_path.iterdir()) == ["auth.json", "auth.lock"]


async def test_killed_between_answer_and_writing_the_file_is_whole_and_the_next_step_is_said(tmp_path: Path) -> None:
    async with open_sign_in_server() as server:
        old = keep(Vault(tmp_path), server)
        server.hold = trio.Event()
        first = await begin(tmp_path, server)
        await server.holding.wait()
        first.kill()
        await first.wait()
        server.hold.set()

        assert kept(tmp_path) == old
        second = await begin(tmp_path, server)
        assert second.stdout is not None
        async for _ in second.stdout:
            pass
        assert await second.wait() == 1

    assert kept(tmp_path).refresh == "", "it is not tried a third time"
