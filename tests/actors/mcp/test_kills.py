"""kill -9 of the actor itself while its server works: nothing of that is left."""

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import psutil
import pytest
import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.base import Envelope
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.tool import RunGranted
from actors.settings.mcp.servers import McpServer
from supervisor.process.host import Boot
from supervisor.process.spawner import Process, Spawner
from supervisor.process.wire import Connection
from tests import ROOT
from tests.fakes.mcp_actor import PATIENCE_S, settings_for
from tests.fakes.mcp_session import Seen, server

pytestmark = pytest.mark.slow
NAME = "mcp:fake"


@asynccontextmanager
async def living(configured: McpServer, folder: Path) -> AsyncIterator[tuple[Process, Mailbox]]:
    """The actor in a process of its own, and a mailbox that speaks to it directly."""
    settings = msgspec.Raw(msgspec.msgpack.encode(settings_for(configured, folder)))
    spawner = Spawner("exec", str(ROOT / "tests" / "fakes" / "launch.py"), [])
    process, end = await spawner.start(NAME, ["actors.mcp.actor"], secrets=True)
    connection = Connection(end)
    boot = Boot(
        name=NAME,
        entry="actors.mcp.actor:run",
        prepare="actors.mcp.process.starter:prepare",
        settings=settings,
        life=1,
        supervisor=os.getpid(),
        secrets=True,
        terminal=False,
        fault=None,
    )
    body = msgspec.Raw(msgspec.msgpack.encode(boot))
    connection.send(Envelope(kind="tell", to=NAME, sender="", id=0, body=body))
    mailbox = Mailbox("gate", connection)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(connection.write)
        nursery.start_soon(mailbox.pump)
        yield process, mailbox
        nursery.cancel_scope.cancel()
    connection.close()


def granted(tool: str) -> RunGranted:
    return RunGranted(call=ToolCall(call_id=tool, name=f"fake___{tool}", arguments="{}"))


@pytest.mark.parametrize("sandbox", [False, True], ids=["free", "sandboxed"])
async def test_nothing_of_a_server_outlives_an_actor_that_is_killed_in_a_call(
    sandbox: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THEIR_API_KEY", "planted")
    async with living(server(sandbox=sandbox), tmp_path) as (process, mailbox):
        spawned = await mailbox.ask(NAME, granted("spawn"), ToolResult)
        assert not spawned.failed, spawned.output
        below = psutil.Process(process.pid).children(recursive=True)
        names = [one.name() for one in below]
        seen = {pid: b"planted" in environment(pid) for pid in (process.pid, *(one.pid for one in below))}
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_silent, mailbox)
            process.kill()
            await process.wait()
        _, alive = await trio.to_thread.run_sync(lambda: psutil.wait_procs(below, timeout=PATIENCE_S))

    assert len(json.loads(spawned.output)) == 2
    assert {"tr:starter", "tr:guardian"} < {*names}
    assert len(names) >= 4  # and the server, and its child
    assert alive == []
    assert [pid for pid, told in seen.items() if told] == [process.pid]  # it fills in what servers are given


async def test_in_a_session_the_call_hears_of_it_and_the_server_lives_again_until_the_end(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "tests.fakes.mcp_session", str(tmp_path / "home")]
    ran = await trio.run_process(words, cwd=ROOT, capture_stdout=True, capture_stderr=True, check=False)
    assert ran.returncode == 0, ran.stderr.decode()
    seen = msgspec.json.decode(ran.stdout, type=Seen)

    assert (seen.died, seen.state) == (True, "ready")
    assert not {*seen.before} & {*seen.after}
    assert not {*seen.after} & {*seen.with_another_starter}
    every = (*seen.before, *seen.after, *seen.with_another_starter)
    assert [pid for pid in every if psutil.pid_exists(pid)] == []


def environment(pid: int) -> bytes:
    """What ps shows of it; Linux."""
    return Path(f"/proc/{pid}/environ").read_bytes()


async def _silent(mailbox: Mailbox) -> None:
    with pytest.raises(Failed):
        await mailbox.ask(NAME, granted("silent"), ToolResult)
