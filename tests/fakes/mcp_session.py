"""A whole session around one fake MCP server, as a process: `python -m tests.fakes.mcp_session HOME`.

Its front has the server spawn a child, kills the server's actor in the middle of a call, and calls its next life. What
it saw it prints as a Seen.
"""

import json
import os
import signal
import sys
from pathlib import Path

import msgspec
import psutil
import trio

from actors.errors import ActorDied
from actors.mailbox import Mailbox
from actors.messages.base import Done
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.mcp import DescribeServer, ServerIs
from actors.messages.system import DescribeTree, Exit, StartActor, Tree
from actors.messages.tool import RunGranted
from actors.settings.config import Settings, make_home, without_secrets
from actors.settings.mcp.servers import McpServer
from supervisor import tree
from supervisor.log import Log
from supervisor.process.spawner import Spawner
from supervisor.router import SUPERVISOR
from supervisor.session_plan import Plan
from supervisor.supervise import Supervisor
from tests import ROOT
from tests.fakes.mcp_server import FILE

NAME = "mcp:fake"
PATIENCE_S = 60.0


def server(*, sandbox: bool) -> McpServer:
    return McpServer(
        name="fake",
        transport="stdio",
        command=sys.executable,
        args=(FILE, "stays"),
        source="/mcp.json",
        scope="user",
        sandbox=sandbox,
        start_timeout_s=PATIENCE_S,
    )


class Seen(msgspec.Struct):
    before: list[int]
    """The server's pid, and that of a child of it."""
    died: bool
    """The call heard that its actor was killed."""
    state: str
    """Of the server, in the next life of its actor."""
    after: list[int]
    with_another_starter: list[int]
    """When that of this life was killed, and the server."""


async def drive(mailbox: Mailbox) -> Seen:
    await mailbox.insist(SUPERVISOR, StartActor(name=NAME), Done)
    before = await spawned(mailbox)
    died: list[bool] = []

    async def wait_for_nothing() -> None:
        try:
            await mailbox.ask(NAME, granted("silent"), ToolResult)
        except ActorDied:
            died.append(True)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(wait_for_nothing)
        os.kill(await pid_of_actor(mailbox), signal.SIGKILL)
    server = await mailbox.insist(NAME, DescribeServer(within_s=PATIENCE_S), ServerIs)
    after = await spawned(mailbox)
    await lose_starter(mailbox)
    again = await spawned(mailbox)
    return Seen(before=before, died=bool(died), state=server.state, after=after, with_another_starter=again)


async def pid_of_actor(mailbox: Mailbox) -> int:
    """0: there is none just now."""
    actors = (await mailbox.ask(SUPERVISOR, DescribeTree(), Tree)).actors
    return next((actor.pid for actor in actors if actor.name == NAME), 0)


async def lose_starter(mailbox: Mailbox) -> None:
    """And the server; until the actor has begun anew."""
    actor = await pid_of_actor(mailbox)
    below = psutil.Process(actor).children(recursive=True)
    for name in ("tr:starter", "tr:guardian"):
        next(process for process in below if process.name() == name).kill()
    while await pid_of_actor(mailbox) in (actor, 0):  # noqa: ASYNC110  # nobody tells of it
        await trio.sleep(0.05)


async def spawned(mailbox: Mailbox) -> list[int]:
    result = await mailbox.insist(NAME, granted("spawn"), ToolResult)
    assert not result.failed, result.output
    return list(json.loads(result.output))


def granted(tool: str) -> RunGranted:
    return RunGranted(call=ToolCall(call_id=tool, name=f"fake___{tool}", arguments="{}"))


async def run(mailbox: Mailbox, _settings: Settings) -> None:
    async with trio.open_nursery() as nursery:

        async def report() -> None:
            os.write(1, msgspec.json.encode(await drive(mailbox)))
            mailbox.tell(SUPERVISOR, Exit(code=0))

        nursery.start_soon(report)
        async for _ in mailbox:
            continue


def main(home: Path) -> int:
    make_home(home)
    settings = Settings(home=str(home), cwd=str(home.parent), session_id="s", run_id="r", mcp=(server(sandbox=False),))
    spawner = Spawner("fork", str(ROOT / "tests" / "fakes" / "launch.py"), [*tree.MODULES])
    spawner.fork_zygote()
    specs = tree.session(tree.front("tests.fakes.mcp_session:run", terminal=False), main_agent=False)
    plan = Plan(
        tree=specs,
        start=tree.started_at_once(specs),
        settings=msgspec.Raw(msgspec.msgpack.encode(settings)),
        without_secrets=msgspec.Raw(msgspec.msgpack.encode(without_secrets(settings))),
        session_id="s",
        run_id="r",
        cwd=str(home.parent),
        home=home,
    )
    return trio.run(Supervisor(plan, spawner, Log(home, "s")).run)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
