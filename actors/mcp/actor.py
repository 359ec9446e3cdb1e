"""The actor of one MCP server: keeps it up, says what it has, and runs calls of its tools side by side."""

import json
import logging
import os
import warnings
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path

import trio
from mcp.shared.exceptions import MCPDeprecationWarning

from actors.errors import UnexpectedMessage, failed
from actors.mailbox import Mailbox, Request
from actors.mcp import calls, log_in, reading
from actors.mcp.calls import BadArguments
from actors.mcp.connection import Asking
from actors.mcp.process import starter
from actors.mcp.process.server_log import ServerLog
from actors.mcp.questions import Questions
from actors.mcp.results.content import encodable
from actors.mcp.sampling import Sampling
from actors.mcp.server import Server
from actors.mcp.sign_in.way import Way
from actors.messages.auth import GiveRedirect, LogIn, LogOut
from actors.messages.base import Done, Message, Problem
from actors.messages.conversation import ToolCall
from actors.messages.mcp import CallRaw, DescribeServer, GetPrompt, ReadResource, RestartServer, ServerChanged
from actors.messages.tool import MOST_SHOWN, CheckArguments, Preview, PreviewTool, RunGranted
from actors.settings.brought import server_named
from actors.settings.config import Settings
from actors.settings.mcp import expansion
from actors.settings.mcp.names import reading_call, shown
from actors.settings.mcp.servers import McpServer


async def run(mailbox: Mailbox, settings: Settings) -> None:
    """Of the server that this actor is named after: mcp:NAME."""
    _quieten()
    configured = _configured(settings, mailbox.name.partition(":")[2])
    if configured.transport != "stdio":
        starter.dismiss()
    expand = partial(expansion.expanded, configured, os.environ, Path(settings.cwd))
    log = ServerLog(settings.home, configured.name, _secrets(configured))
    questions = Questions(mailbox, settings, configured, log)
    way = Way(settings.home, os.environ)
    asking = Asking(questions, Sampling(mailbox, settings, questions), way)
    server = Server(configured, settings, log, asking, expand)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(server.run)
        nursery.start_soon(_tell_changes, server, mailbox)
        async for request in mailbox:
            match request.message:
                case CheckArguments(call=call):
                    check(call, request)
                case PreviewTool(call=call):
                    request.reply(preview(server, call))
                case RestartServer():
                    server.restart()
                    request.reply(Done())
                case message:
                    nursery.start_soon(request.serve, _work(message, server, way))
        nursery.cancel_scope.cancel()


def _work(message: Message, server: Server, way: Way) -> Callable[[Request], Awaitable[None]]:  # a table
    """What takes its time, beside whatever else is asked."""
    match message:
        case RunGranted(call=call) if call.name == reading_call(server.server.name):
            return partial(reading.serve, server, call)
        case RunGranted(call=call):
            return partial(calls.serve, server, call)
        case DescribeServer(within_s=within_s):
            return partial(_describe, server, within_s)
        case CallRaw():
            return partial(reading.call_raw, server, message)
        case ReadResource():
            return partial(reading.read, server, message)
        case GetPrompt():
            return partial(reading.prompt, server, message)
        case LogIn():
            return partial(log_in.log_in, server, way)
        case GiveRedirect():
            return partial(log_in.give_redirect, server, way, message)
        case LogOut():
            return partial(log_in.log_out, server, way)
        case _:
            raise UnexpectedMessage(message)


def _configured(settings: Settings, name: str) -> McpServer:
    """Raises Failed: nobody has vouched for it. The gate knows that; this holds whoever asks."""
    server = server_named(settings, name)
    if server is None:
        raise failed("not_allowed", f"there is no MCP server {name} that counts here.", "See: trouper mcp list")
    return server


def _quieten() -> None:
    """What the SDK logs may quote messages; that servers of both eras are spoken to is no news."""
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    for name in ("mcp", "client"):
        logging.getLogger(name).addHandler(logging.NullHandler())
        logging.getLogger(name).propagate = False


def _secrets(server: McpServer) -> Iterator[str]:
    """Values that are nobody's but the server's."""
    yield from (os.environ[name] for name in expansion.names(server) if name in os.environ)
    yield from server.env.values()
    yield from server.headers.values()


async def _tell_changes(server: Server, mailbox: Mailbox) -> None:
    while True:
        await server.changed()
        mailbox.tell("gate", ServerChanged(server=server.described()))


async def _describe(server: Server, within_s: float, request: Request) -> None:
    await server.settled(within_s)
    request.reply(server.described())


def check(call: ToolCall, request: Request) -> None:
    try:
        calls.arguments_of(call)
    except BadArguments as error:
        request.fail(Problem(code="bad_arguments", text=encodable(str(error))))
    else:
        request.reply(Done())


def preview(server: Server, call: ToolCall) -> Preview:
    """Nobody but the server knows what a call would do: its arguments are all that can be shown."""
    tool = calls.named(server, call.name)
    title = shown(server.server.name, tool.name) if tool is not None else call.name
    try:
        detail = json.dumps(calls.arguments_of(call), ensure_ascii=False, indent=2)
    except BadArguments as error:
        return Preview(title=f"{title} (will fail)", detail=encodable(f"{error}\n{call.arguments}"[: MOST_SHOWN + 1]))
    return Preview(title=encodable(title), detail=encodable(detail[: MOST_SHOWN + 1]))
