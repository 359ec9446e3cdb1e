"""Servers that everybody has, where they are installed: TROUPER_MCP_SERVERS names a folder with node_modules and py.

    npm install @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem \\
        @modelcontextprotocol/server-memory
    python -m venv py && py/bin/pip install mcp-server-git mcp-server-time mcp-server-fetch
"""

import json
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psutil
import pytest
import trio

from actors.errors import Failed
from actors.messages.mcp import CallRaw, GetPrompt, PromptText, RawResult, ReadResource, ResourceRead
from actors.messages.tool import UserAnswered, UserAsked
from actors.settings.mcp.servers import McpServer
from tests.fakes.mcp_actor import PATIENCE_S, asking

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning"),
]
FOLDER = os.environ.get("TROUPER_MCP_SERVERS", "")


def installed(name: str) -> str:
    """Skips the test where it is not."""
    places = [Path(FOLDER, "node_modules", ".bin"), Path(FOLDER, "py", "bin")] if FOLDER else []
    found = shutil.which(f"mcp-server-{name}", path=os.pathsep.join([*map(str, places), os.environ.get("PATH", "")]))
    if found is None:
        pytest.skip(f"mcp-server-{name} is not installed: see the head of this file")
    return found


def program(name: str, *args: str, **more: object) -> McpServer:
    made: dict[str, object] = {
        "name": name,
        "transport": "stdio",
        "command": installed(name),
        "args": args,
        "source": "/mcp.json",
        "scope": "user",
        "start_timeout_s": PATIENCE_S,
        **more,
    }
    return McpServer(**made)  # type: ignore[arg-type]


async def test_everything_over_pipes(tmp_path: Path) -> None:
    async with asking(program("everything", "stdio"), tmp_path) as asker:
        # it has some tools only for who tells that it can be asked, and makes them after the handshake
        server = await asker.until(lambda told: any(tool.name == "trigger-elicitation-request" for tool in told.tools))
        total = await asker.call("get-sum", a=2, b=3)
        image = await asker.call("get-tiny-image")
        structured = await asker.call("get-structured-content", location="Chicago")
        task = await asker.call("simulate-research-query", topic="x")
        _, told = await asker.call_told("trigger-long-running-operation", duration=1, steps=4)
        roots = await asker.call("get-roots-list")
        resource = await asker.mailbox.ask(asker.name, ReadResource(uri=server.resources[0].uri), ResourceRead)
        prompt = await asker.mailbox.ask(asker.name, GetPrompt(name="simple-prompt"), PromptText)

    assert (server.state, server.era, total.output) == ("ready", "2025-11-25", "The sum of 2 and 3 is 5.")
    assert [one.media_type for one in image.attachments] == ["image/png"]
    assert structured.output.count("temperature") == 1
    assert not task.failed
    assert task.output.startswith("# Research Report: x")
    assert len(told) == 4
    assert (tmp_path / "work").as_uri() in roots.output
    assert resource.text
    assert prompt.text


@asynccontextmanager
async def everything_at(way: str, path: str) -> AsyncIterator[str]:
    """Its URL, once it listens."""
    command = [installed("everything"), way]
    environment = {**os.environ, "PORT": "0"}  # one that nobody else can take meanwhile
    process = await trio.lowlevel.open_process(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        assert process.stderr is not None
        said = b""
        with trio.fail_after(PATIENCE_S):
            while b"port" not in said:  # as it says when it listens
                said += await process.stderr.receive_some(4096) or pytest.fail(f"it ended: {said!r}")
        (port,) = {one.laddr.port for one in psutil.Process(process.pid).net_connections("inet") if not one.raddr}
        yield f"http://127.0.0.1:{port}{path}"
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize(
    ("transport", "way", "path"), [("http", "streamableHttp", "/mcp"), ("sse", "sse", "/sse")], ids=["http", "sse"]
)
async def test_everything_over_http(transport: str, way: str, path: str, tmp_path: Path) -> None:
    def answer(asked: UserAsked) -> UserAnswered:
        ids = [choice.id for choice in asked.choices]
        return UserAnswered(choice="skip") if "skip" in ids else UserAnswered(choice="text", text="Ada Lovelace")

    async with everything_at(way, path) as url:
        made = {"name": "everything", "transport": transport, "url": url, "source": "/mcp.json", "scope": "user"}
        async with asking(McpServer(**made), tmp_path, answer) as asker:  # type: ignore[arg-type]
            server = await asker.until(lambda told: any("elicitation-req" in tool.name for tool in told.tools))
            total = await asker.call("get-sum", a=2, b=3)
            asked = await asker.call("trigger-elicitation-request")
            _, told = await asker.call_told("trigger-long-running-operation", duration=1, steps=4)

    assert (server.transport, total.output) == (transport, "The sum of 2 and 3 is 5.")
    assert "Ada Lovelace" in asked.output
    assert len(told) == 4


async def test_filesystem_keeps_the_folders_of_its_command_line(tmp_path: Path) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    (folder / "a.txt").write_text("of a")
    async with asking(program("filesystem", str(folder), write=(str(folder),)), tmp_path) as asker:
        listed = await asker.call("list_directory", path=str(folder))
        written = await asker.call("write_file", path=str(folder / "b.txt"), content="of b")
        outside = await asker.call("read_text_file", path=str(tmp_path / "home" / "x"))

    assert listed.output == "[FILE] a.txt"
    assert not written.failed, written.output
    assert (folder / "b.txt").read_text() == "of b"
    assert outside.failed


async def test_memory_remembers_where_it_may_write(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    env = {"MEMORY_FILE_PATH": str(kept / "memory.json")}
    entity = {"name": "Ada", "entityType": "person", "observations": ["counts"]}
    async with asking(program("memory", env=env, write=(str(kept),)), tmp_path) as asker:
        created = await asker.call("create_entities", entities=[entity])
    async with asking(program("memory", env=env, write=(str(kept),)), tmp_path) as asker:
        graph = await asker.call("read_graph")
        [known] = (await asker.describe()).resources
        read = await asker.mailbox.ask(asker.name, ReadResource(uri=known.uri), ResourceRead)

    assert not created.failed, created.output
    assert json.loads(graph.output)["entities"] == [entity]
    assert json.loads(read.text)["entities"] == [entity]


def commit_one(folder: Path) -> None:
    who = ("-c", "user.name=A", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), (*who, "commit", "-qm", "one", "--allow-empty")):
        subprocess.run(["git", *words], cwd=folder, check=True)


async def test_git_of_both_eras(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    commit_one(tmp_path / "work")
    async with asking(program("git"), tmp_path) as asker:
        server = await asker.describe()
        log = await asker.call("git_log", repo_path=str(tmp_path / "work"))
        wrong = await asker.call("git_log")

    assert (server.state, server.era) == ("ready", "2026-07-28")
    assert "Message: one" in log.output
    assert wrong.failed
    assert "repo_path" in wrong.output


async def test_time_as_it_is_given(tmp_path: Path) -> None:
    wanted = {"source_timezone": "Europe/Paris", "time": "12:00", "target_timezone": "Europe/London"}
    async with asking(program("time"), tmp_path) as asker:
        result = await asker.call("convert_time", **wanted)
        raw = await asker.mailbox.ask(asker.name, CallRaw(tool="convert_time", arguments=json.dumps(wanted)), RawResult)

    assert "-1.0h" in result.output
    assert json.loads(raw.json)["isError"] is False


async def test_fetch_refuses_this_machine_in_its_own_words(tmp_path: Path) -> None:
    async with asking(program("fetch"), tmp_path) as asker:
        server = await asker.describe()
        result = await asker.call("fetch", url="http://127.0.0.1:9/")

    assert [prompt.name for prompt in server.prompts] == ["fetch"]
    assert result.failed
    assert "not a public address" in result.output


async def test_what_everything_has_beside_tools(tmp_path: Path) -> None:
    async with asking(program("everything", "stdio"), tmp_path) as asker:
        server = await asker.describe()
        ask = asker.mailbox.ask
        text = await ask(asker.name, ReadResource(uri="demo://resource/dynamic/text/1"), ResourceRead)
        blob = await ask(asker.name, ReadResource(uri="demo://resource/dynamic/blob/1"), ResourceRead)
        with pytest.raises(Failed) as missing:
            await ask(asker.name, ReadResource(uri="demo://resource/nowhere"), ResourceRead)
        city = GetPrompt(name="args-prompt", arguments={"city": "Oslo"})
        asked = await ask(asker.name, city, PromptText)
        embedding = GetPrompt(name="resource-prompt", arguments={"resourceType": "Text", "resourceId": "1"})
        embedded = await ask(asker.name, embedding, PromptText)

    assert "demo://resource/dynamic/text/{resourceId}" in [one.uri for one in server.templates]
    assert "Resource 1" in text.text
    assert "Resource 1" in blob.text
    assert str(missing.value).startswith("everything says: ")
    assert asked.text == "What's weather in Oslo?"
    assert "[resource demo://resource/dynamic/text/1]" in embedded.text
    by_name = {one.name: one for one in server.prompts}
    assert [(one.name, one.required) for one in by_name["args-prompt"].arguments] == [("city", True), ("state", False)]
