"""One call of a tool of a server, from its arguments to its result; whatever goes wrong is a result, too."""

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, TypeVar

import msgspec
import trio
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult

from actors.mailbox import Request
from actors.mcp import limits, tasks
from actors.mcp.connection import Connection
from actors.mcp.eras import FIRST_STATELESS
from actors.mcp.errors import NotConnected, Refused
from actors.mcp.failures import FOREIGN, is_lost, words
from actors.mcp.results import content
from actors.mcp.results.content import encodable, one_line, plain, shortened
from actors.mcp.server import Server
from actors.messages.conversation import ToolCall, ToolResult
from actors.messages.mcp import McpTool
from actors.messages.tool import ToolProgress
from actors.settings.mcp.names import wire_name

Tell = Callable[[str], Awaitable[None]]
T = TypeVar("T")
SETTLES_S = 2.0
"""Until it is known how a connection ended."""
UNKNOWN_OUTCOME = "Whether the call took effect is not known."


class BadArguments(Refused):
    """They are no JSON object."""


def arguments_of(call: ToolCall) -> dict[str, Any]:
    """What is wrong with them beside is the server's to tell. Raises BadArguments."""
    try:
        given = json.loads(call.arguments.strip() or "{}")
    except (ValueError, RecursionError) as error:
        raise BadArguments(f"Malformed arguments for {call.name}: {error}. Expected a JSON object.") from error
    if not isinstance(given, dict):
        raise BadArguments(f"Malformed arguments for {call.name}: expected a JSON object.")
    return given


def named(server: Server, wire: str) -> McpTool | None:
    return next((tool for tool in server.listing.tools if wire_name(server.server.name, tool.name) == wire), None)


async def serve(server: Server, call: ToolCall, request: Request) -> None:
    started = time.monotonic()
    result = await _result(server, call, request)
    request.reply(msgspec.structs.replace(result, ms=round((time.monotonic() - started) * 1000)))


async def _result(server: Server, call: ToolCall, request: Request) -> ToolResult:
    async def progress(text: str) -> None:
        await request.send(ToolProgress(call_id=call.call_id, text=encodable(text)))

    async with _told(progress) as tell:
        result = await _called_or_why(server, call, tell)
    if isinstance(result, NotConnected | Refused):
        return _failed(call, server, str(result))
    tool = named(server, call.name)
    own = tool.name if tool is not None else call.name
    given = content.of_result(result, own)
    text = given.text()
    return ToolResult(
        call_id=call.call_id,
        name=call.name,
        output=text or ("(it failed and says nothing)" if result.is_error else "(no output)"),
        failed=bool(result.is_error),
        summary=one_line([plain(text)]) or "done",
        attachments=tuple(given.attachments),
    )


@asynccontextmanager
async def _told(progress: Tell) -> AsyncIterator[Tell]:
    """Takes what there is to tell without ever waiting for who is told; what is too much is dropped."""
    put, take = trio.open_memory_channel[str](limits.PROGRESS)

    async def tell(text: str) -> None:
        with suppress(trio.WouldBlock, trio.BrokenResourceError):
            put.send_nowait(text)

    async def hand_on() -> None:
        async for text in take:
            await progress(text)

    async with trio.open_nursery() as nursery:
        nursery.start_soon(hand_on)
        yield tell
        put.close()


def _failed(call: ToolCall, server: Server, why: str) -> ToolResult:
    text = shortened(plain(server.log.without_secrets(why)))
    return ToolResult(call_id=call.call_id, name=call.name, output=text, failed=True, summary=one_line([text]))


async def _tool(server: Server, wire: str) -> McpTool:
    """Raises NotConnected, Refused."""
    await server.connection()
    if (tool := named(server, wire)) is not None:
        return tool
    there = ", ".join(wire_name(server.server.name, tool.name) for tool in server.listing.tools)
    raise Refused(f"The MCP server {server.server.name} has no tool {wire} (any more). There are: {there or 'none'}.")


async def _called_or_why(server: Server, call: ToolCall, tell: Tell) -> CallToolResult | NotConnected | Refused:
    """For where raising would make a group of it."""
    try:
        arguments = arguments_of(call)
        return await called(server, await _tool(server, call.name), arguments, tell)
    except (NotConnected, Refused) as error:
        return error


async def called(server: Server, tool: McpTool, arguments: dict[str, Any], tell: Tell) -> CallToolResult:
    """Raises NotConnected, Refused."""
    return await asked_of(server, partial(_ask, tool, arguments, tell))


async def asked_of(server: Server, ask: Callable[[Connection], Awaitable[T]]) -> T:
    """Once more where the server has forgotten the session: then nothing has run. Raises NotConnected, Refused."""
    connection = await server.connection()
    try:
        return await asked(server, connection, ask)
    except Refused:
        if not server.forgot_us(connection):
            raise
    return await asked(server, await server.connection(), ask)


async def _ask(tool: McpTool, arguments: dict[str, Any], tell: Tell, connection: Connection) -> CallToolResult:
    async def on_progress(progress: float, total: float | None, message: str | None) -> None:
        share = f"{progress:g}/{total:g}" if total else f"{progress:g}"
        await tell(f"{share}{f' {message}' if message else ''}\n")

    client = connection.client
    if tool.as_task and client.protocol_version < FIRST_STATELESS:
        return await tasks.call(client, tool.name, arguments, tell)
    result = await client.call_tool(tool.name, arguments, progress_callback=on_progress)
    return await tasks.finished(client, result, tell)


async def asked(server: Server, connection: Connection, ask: Callable[[Connection], Awaitable[T]]) -> T:
    """In the time that the server has for a call, not counting what the user needs. Raises NotConnected, Refused."""
    answers: list[T | NotConnected | Refused] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_run_out, server, nursery.cancel_scope)
        answers.append(await _answer(server, connection, ask))
        nursery.cancel_scope.cancel()
    within_s = server.server.call_timeout_s
    late = f"{server.server.name} did not answer within {within_s:g} s, so the call was cancelled. {UNKNOWN_OUTCOME}"
    answer = answers[0] if answers else Refused(late)
    if isinstance(answer, NotConnected | Refused):
        raise answer
    return answer


async def _run_out(server: Server, scope: trio.CancelScope) -> None:
    """Of time: but for that in which the user was asked something."""
    while True:
        waited = server.questions.open
        await trio.sleep(server.server.call_timeout_s)
        if not (waited or server.questions.open):
            scope.cancel()


async def _answer(
    server: Server, connection: Connection, ask: Callable[[Connection], Awaitable[T]]
) -> T | NotConnected | Refused:
    name = server.server.name
    try:
        return await connection.during(partial(ask, connection))
    except (NotConnected, Refused) as error:
        if isinstance(error, Refused):
            return error
        return _broken(name, str(error))
    except MCPError as error:
        if not is_lost(error):
            return Refused(f"{name} says: {words(error)}")
        with trio.move_on_after(SETTLES_S):
            await connection.heard.ended.wait()
        return _broken(name, connection.heard.why or words(error))
    except FOREIGN as error:
        return Refused(f"{name} has answered, and the answer cannot be read: {words(error)}. {UNKNOWN_OUTCOME}")


def _broken(name: str, why: str) -> NotConnected:
    return NotConnected(f"The MCP server {name} was lost during the call: {why}. {UNKNOWN_OUTCOME}")
