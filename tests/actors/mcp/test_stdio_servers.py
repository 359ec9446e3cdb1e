"""The actor and a fake server as a real process: what comes out of its pipes, how it dies, how it is ended."""

import json
import os
import signal
import sys
from pathlib import Path

import psutil
import pytest
import trio

from actors.mcp import limits
from actors.settings.mcp.servers import McpServer
from tests import ROOT
from tests.fakes.mcp_actor import PATIENCE_S, Asker, asking
from tests.fakes.mcp_server import FILE

pytestmark = pytest.mark.slow


def program(*flags: str, **more: object) -> McpServer:
    made: dict[str, object] = {
        "name": "fake",
        "transport": "stdio",
        "command": sys.executable,
        "args": (FILE, *flags),
        "source": "/mcp.json",
        "scope": "user",
        "sandbox": False,
        "start_timeout_s": PATIENCE_S,
        **more,
    }
    return McpServer(**made)  # type: ignore[arg-type]


async def until_gone(*pids: int) -> None:
    there = [psutil.Process(pid) for pid in pids if psutil.pid_exists(pid)]
    _, alive = await trio.to_thread.run_sync(lambda: psutil.wait_procs(there, timeout=PATIENCE_S))
    assert not alive


async def spawned(asker: Asker) -> list[int]:
    """The server's pid, and that of a child of it which ignores what it is asked and has its own session."""
    return list(json.loads((await asker.call("spawn")).output))


@pytest.mark.parametrize("flags", [(), ("modern",), ("chatty",), ("dies_on_unknown",)], ids="-".join)
async def test_a_server_of_any_era_and_manners_is_ready(flags: tuple[str, ...], tmp_path: Path) -> None:
    async with asking(program(*flags), tmp_path) as asker:
        server = await asker.describe()
        result = await asker.call("echo", a=1)

    assert (server.state, server.era) == ("ready", "2026-07-28" if "modern" in flags else "2025-11-25")
    assert (result.output, result.failed) == ('{"a": 1}', False)


@pytest.mark.parametrize(
    ("tool", "output"), [("junk", "after the junk"), ("wrong_ids", "the right one"), ("flood", "after the flood")]
)
async def test_what_is_no_answer_changes_nothing(tool: str, output: str, tmp_path: Path) -> None:
    async with asking(program(), tmp_path) as asker:
        result = await asker.call(tool)
        after = await asker.call("echo")

    assert (result.output, after.failed) == (output, False)


async def test_an_answer_of_twenty_megabytes_is_read_and_shortened(tmp_path: Path) -> None:
    async with asking(program(), tmp_path) as asker:
        result = await asker.call("big", size=20_000_000)

    assert not result.failed
    assert len(result.output) < limits.TEXT_CHARS + 1000


@pytest.mark.parametrize(
    ("tool", "said"), [("too_long", "the answer is too long"), ("deep", "the answer cannot be read")]
)
async def test_an_answer_that_cannot_be_read_fails_its_call_alone(tool: str, said: str, tmp_path: Path) -> None:
    async with asking(program(), tmp_path) as asker:
        result = await asker.call(tool)
        after = await asker.call("echo")

    assert (result.failed, after.failed) == (True, False)
    assert said in result.output


@pytest.mark.parametrize("tool", ["crash", "die"])
async def test_a_server_that_dies_in_a_call_fails_it_at_once_and_lives_again(tool: str, tmp_path: Path) -> None:
    async with asking(program(), tmp_path) as asker:
        first, child = await spawned(asker)
        result = await asker.call(tool)
        after = await asker.call("spawn")
        await until_gone(first, child)

    assert result.failed
    assert "The MCP server fake was lost during the call" in result.output
    assert "Whether the call took effect is not known." in result.output
    assert ("disk on fire" in result.output) == (tool == "crash")
    assert not after.failed
    assert json.loads(after.output)[0] != first


async def test_a_server_that_never_starts_says_why_with_its_last_words(tmp_path: Path) -> None:
    async with asking(program("dead"), tmp_path) as asker:
        server = await asker.describe()

    assert server.state == "failed"
    assert "it has ended with code 3" in server.error
    assert "cannot find the licence" in server.error
    assert "cannot find the licence" in (tmp_path / "home" / "logs" / "mcp" / "fake.log").read_text()


async def test_a_server_that_says_nothing_is_given_its_time_and_no_more(tmp_path: Path) -> None:
    async with asking(program("mute", start_timeout_s=1.0), tmp_path) as asker:
        server = await asker.describe()

    assert server.state == "failed"
    assert "it was not ready within 1 s" in server.error


@pytest.mark.parametrize(
    ("more", "said"),
    [({"command": "no-such-program"}, "there is no program no-such-program"), ({"cwd": "/no/such"}, "does not exist")],
    ids=["command", "cwd"],
)
async def test_what_cannot_be_started_says_what_to_change(more: dict[str, str], said: str, tmp_path: Path) -> None:
    async with asking(program(**more), tmp_path) as asker:
        server = await asker.describe()

    assert server.state == "failed"
    assert said in server.error
    assert "/mcp.json" in server.error


@pytest.mark.parametrize("flags", [(), ("stays",)], ids=["leaves", "stays"])
async def test_all_of_a_server_ends_with_its_actor(flags: tuple[str, ...], tmp_path: Path) -> None:
    async with asking(program(*flags), tmp_path) as asker:
        pids = await spawned(asker)

    await until_gone(*pids)


async def test_a_server_that_is_killed_is_started_again(tmp_path: Path) -> None:
    async with asking(program(), tmp_path) as asker:
        first, child = await spawned(asker)
        async with asker.mailbox.stream(asker.name, asker.granted("silent")):
            asker.changes.clear()  # it was starting before
            os.kill(first, signal.SIGKILL)
            await until_gone(first, child)
        await asker.until(lambda told: told.state == "starting")
        result = await asker.call("echo")

    assert not result.failed


async def test_a_server_sees_few_variables_beside_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTHER_API_KEY", "of somebody else")
    monkeypatch.setenv("ITS_TOKEN", "its very own")
    given = {"PYTHONPATH": str(ROOT), "TOKEN": "${ITS_TOKEN}", "KIND": "${NOT_SET:-plain}"}
    async with asking(program(env=given), tmp_path) as asker:
        seen = json.loads((await asker.call("environment")).output)

    assert (seen["TOKEN"], seen["KIND"]) == ("its very own", "plain")
    assert not {"OTHER_API_KEY", "ITS_TOKEN"} & set(seen)


async def test_what_a_server_was_given_is_not_in_its_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAKED", "hunter2-hunter2")
    told = (sys.executable, "-c", "import sys; print('key is ' + sys.argv[1], file=sys.stderr); sys.exit(1)")
    async with asking(program(command=told[0], args=(*told[1:], "${LEAKED}")), tmp_path) as asker:
        server = await asker.describe()

    assert "key is [redacted]" in server.error
    assert "hunter2" not in (tmp_path / "home" / "logs" / "mcp" / "fake.log").read_text()


async def test_what_a_server_fetches_to_run_is_there_at_its_next_start(tmp_path: Path) -> None:
    inside = program(sandbox=True)
    async with asking(inside, tmp_path) as asker:
        cache = Path(json.loads((await asker.call("environment")).output)["npm_config_cache"])
        written = await asker.call("write", path=str(cache.parent / "fetched"))

    assert not written.failed, written.output
    assert [path.read_text() for path in (tmp_path / "home").rglob("fetched")] == ["written"]


@pytest.mark.parametrize("level", ["bubblewrap", "namespaces", "landlock"])
async def test_every_sandbox_keeps_a_server_from_what_is_not_its_own(level: str, tmp_path: Path) -> None:
    (tmp_path / "shut").mkdir()
    async with asking(program(sandbox=True), tmp_path, sandbox=level) as asker:
        server = await asker.describe()
        result = await asker.call("write", path=str(tmp_path / "shut" / "file"))

    assert server.state == "ready", server.error
    assert result.failed
    assert not (tmp_path / "shut" / "file").exists()


async def test_in_the_sandbox_only_what_was_named_is_written(tmp_path: Path) -> None:
    for name in ("work", "open", "shut"):
        (tmp_path / name).mkdir()
    inside = program(sandbox=True, write=(str(tmp_path / "open"),))
    async with asking(inside, tmp_path) as asker:
        server = await asker.describe()
        written = {
            name: not (await asker.call("write", path=str(tmp_path / name / "file"))).failed
            for name in ("work", "open", "shut", "home")
        }
        pids = await spawned(asker)

    assert server.state == "ready", server.error
    assert written == {"work": False, "open": True, "shut": False, "home": False}
    assert (tmp_path / "open" / "file").read_text() == "written"
    assert len(pids) == 2


@pytest.mark.parametrize("more", [{}, {"sandbox": True}], ids=["plain", "sandboxed"])
async def test_a_workspace_does_not_take_the_place_of_what_a_server_of_the_user_runs(
    more: dict[str, object], tmp_path: Path
) -> None:
    async with asking(program(args=("-m", "server_here"), env={}, **more), tmp_path) as asker:
        planted = tmp_path / "work" / "server_here.py"
        planted.write_text("import sys; sys.exit('planted')")
        server = await asker.describe()

    assert "No module named server_here" in server.error


@pytest.mark.parametrize("more", [{"scope": "workspace"}, {"cwd": "${workspaceFolder}"}], ids=["its own", "told so"])
async def test_a_server_starts_in_the_workspace_where_that_was_said(more: dict[str, str], tmp_path: Path) -> None:
    async with asking(program(args=("-m", "server_here"), env={}, **more), tmp_path) as asker:
        (tmp_path / "work" / "server_here.py").write_text("import sys; sys.exit('it is run')")
        server = await asker.describe()

    assert "it is run" in server.error
