"""What is asked of a server beside calls for the model: raw calls for the command line, resources, prompts."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from mcp_types import CallToolResult, GetPromptResult, ReadResourceResult

from actors.errors import Failed, failed
from actors.mailbox import Request
from actors.mcp import calls
from actors.mcp.calls import BadArguments, arguments_of, asked_of
from actors.mcp.connection import Connection
from actors.mcp.errors import NotConnected, Refused
from actors.mcp.results import content
from actors.mcp.results.content import plain
from actors.mcp.server import Server
from actors.messages.conversation import ToolCall
from actors.messages.mcp import CallRaw, GetPrompt, McpTool, PromptText, RawResult, ReadResource, ResourceRead

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

    async def ask(connection: Connection) -> ReadResourceResult:
        return await connection.client.read_resource(wanted.uri)

    given = content.of_resource(await _asked(server, ask), "resource")
    request.reply(ResourceRead(text=given.text(), attachments=tuple(given.attachments)))


async def prompt(server: Server, wanted: GetPrompt, request: Request) -> None:
    """Raises Failed."""

    async def ask(connection: Connection) -> GetPromptResult:
        return await connection.client.get_prompt(wanted.name, dict(wanted.arguments))

    request.reply(PromptText(text=content.of_prompt(await _asked(server, ask))))


async def _asked(server: Server, ask: Callable[[Connection], Awaitable[T]]) -> T:
    """Raises Failed."""
    try:
        return await asked_of(server, ask)
    except (NotConnected, Refused) as error:
        raise _failed(server, error) from error


def _failed(server: Server, error: NotConnected | Refused) -> Failed:
    return failed("tool_failed", plain(server.log.without_secrets(str(error))))
