"""What is asked of the actor of an MCP server: to start it anew, and to forget the sign-in."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import trio

from actors.errors import Failed
from actors.mailbox import Mailbox
from actors.messages.auth import LoggedOut, LogOut
from actors.messages.base import Done
from actors.messages.mcp import DescribeServer, RestartServer, ServerIs
from actors.messages.system import StartActor, StopActor
from actors.settings.mcp.servers import McpServer
from ui.common import server_logs
from ui.screen.servers.news import News, outcome
from ui.screen.servers.standing import Standing

MORE_S = 5.0
"""Beside a server's own time to start: for its actor, which takes a second itself."""
LOG_LINES = 20


@dataclass(frozen=True)
class Orders:
    mailbox: Mailbox
    home: Path
    standing: Standing
    news: News
    say: Callable[[str, str], None]
    """text, level."""

    async def restart(self, server: McpServer) -> None:
        self.say(f"starting {server.name} anew …", "info")
        try:
            with self.news.awaited(server.name):
                await self.start(server)
                await self.mailbox.insist(actor_of(server), RestartServer(), Done)
                within = DescribeServer(within_s=server.start_timeout_s + MORE_S)
                now = await self.mailbox.insist(actor_of(server), within, ServerIs)
                self.standing.is_now(now)
        except Failed as failure:
            self.say(str(failure), "error")
            return
        self.say(*outcome(now, "is ready"))

    async def log_out(self, server: McpServer) -> None:
        try:
            with self.news.awaited(server.name):
                await self.start(server)
                done = await self.mailbox.insist(actor_of(server), LogOut(provider=server.name), LoggedOut)
        except Failed as failure:
            self.say(str(failure), "error")
            return
        self.say(f"{'signed out of' if done.forgotten else 'there was no sign-in to'} {server.name}", "info")

    async def start(self, server: McpServer) -> None:
        """Its actor, also one that died too often: the user wants it again. Raises Failed."""
        try:
            await self.mailbox.insist("supervisor", StartActor(name=actor_of(server)), Done)
        except Failed as failure:
            if failure.problem.code != "gone":
                raise
            await self.mailbox.insist("supervisor", StopActor(name=actor_of(server)), Done)
            await self.mailbox.insist("supervisor", StartActor(name=actor_of(server)), Done)

    async def show_log(self, server: McpServer) -> None:
        where = server_logs.file(self.home, server.name)
        try:
            lines = await trio.to_thread.run_sync(server_logs.last_lines, self.home, server.name, LOG_LINES)
        except FileNotFoundError:
            self.say(f"{server.name} has logged nothing yet ({where})", "info")
        except OSError as error:
            self.say(f"{where} cannot be read: {error.strerror or error}", "error")
        else:
            self.say("\n".join([f"the last lines of {where}:", *lines]), "info")


def actor_of(server: McpServer) -> str:
    return f"mcp:{server.name}"
