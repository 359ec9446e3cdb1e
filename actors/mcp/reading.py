"""What is asked of a server beside calls for the model: raw calls for the command line, resources, prompts."""

import time
from collections.abc import Awaitable, Callable
from pathlib import PurePosixPath
from typing import TypeVar

import msgspec
from mcp_types import CallToolResult, GetPromptResult, ReadResourceResult

from actors.errors import Failed, failed
from actors.mailbox import Request
from actors.mcp import calls
from actors.mcp.calls import UNKNOWN_OUTCOME, BadArguments, arguments_of, asked_of
from actors.mcp.connection import Connection
from actors.mcp.errors import NotConnected, Refused
from actors.mcp.results import content
from actors.mcp.results.content import Content, one_line, plain
from actors.mcp.server import Server
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.mcp import CallRaw, GetPrompt, McpTool, PromptText, RawResult, ReadResource, ResourceRead
from actors.settings.mcp.names import READ_TOOL, shown

NAME_CHARS = 40
T = TypeVar("T")


async def call_raw(server: Server, wanted: CallRaw, request: Request) -> None:
    """Raises Failed."""

    async def ignore(_text: str) -> None:
        return

    try:
        arguments = arguments_of(ToolCall(call_id="", name=wanted.tool, arguments=wanted.arguments))
        await server.connection()
        there = {tool.name: tool for tool in server.listing.tools}
        tool = there.get(wanted.tool, McpTool(name=wanted.tool))  # the server says what is wrong with it
        with server.questions.answered(wanted.elicit):
            result: CallToolResult = await calls.called(server, tool, arguments, ignore)
    except BadArguments as error:
        raise failed("bad_arguments", str(error)) from error
    except (NotConnected, Refused) as error:
        raise _failed(server, error) from error
    text = result.model_dump_json(by_alias=True, exclude_none=True)
    request.reply(RawResult(json=text, failed=bool(result.is_error)))


async def read(server: Server, wanted: ReadResource, request: Request) -> None:
    """Raises Failed."""
    given = await _read(server, wanted.uri)
    request.reply(ResourceRead(text=given.text(), attachments=tuple(given.attachments)))


async def serve(server: Server, call: ToolCall, request: Request) -> None:
    """A model's call: what goes wrong is a result, too."""
    started = time.monotonic()
    result = ToolResult(call_id=call.call_id, name=READ_TOOL, output="")
    try:
        uri = str(arguments_of(call).get("uri", ""))
        given = await _read(server, uri)
    except (BadArguments, Failed) as error:
        why = error.problem.text if isinstance(error, Failed) else str(error)
        result = msgspec.structs.replace(result, output=why, failed=True, summary=one_line([why]))
    else:
        whose = shown(server.server.name, one_line([plain(uri)]))
        output, attachments = given.text() or "(it is empty)", tuple(given.attachments)
        result = msgspec.structs.replace(result, output=output, attachments=attachments, summary=whose)
    request.reply(msgspec.structs.replace(result, ms=round((time.monotonic() - started) * 1000)))


async def _read(server: Server, uri: str) -> Content:
    """Raises Failed."""

    async def ask(connection: Connection) -> ReadResourceResult:
        return await connection.client.read_resource(uri)

    return content.of_resource(await _asked(server, ask), _file_name(uri))


def _file_name(uri: str) -> str:
    """What attachments are called after."""
    return one_line([plain(PurePosixPath(uri).stem)], NAME_CHARS) or "resource"


async def prompt(server: Server, wanted: GetPrompt, request: Request) -> None:
    """Raises Failed."""

    async def ask(connection: Connection) -> GetPromptResult:
        return await connection.client.get_prompt(wanted.name, dict(wanted.arguments))

    given = content.of_prompt(await _asked(server, ask))
    request.reply(PromptText(text=given.text(), attachments=tuple(given.attachments)))


async def _asked(server: Server, ask: Callable[[Connection], Awaitable[T]]) -> T:
    """Of what changes nothing, so that nobody has to wonder whether it did. Raises Failed."""
    try:
        return await asked_of(server, ask)
    except (NotConnected, Refused) as error:
        raise _failed(server, type(error)(str(error).removesuffix(UNKNOWN_OUTCOME).strip())) from error


def _failed(server: Server, error: NotConnected | Refused) -> Failed:
    return failed("tool_failed", plain(server.log.without_secrets(str(error))))
