"""The messages of MCP over stdin and stdout, a line each: bounded, and junk is answered and changes nothing."""

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import trio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types.jsonrpc import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from actors.common.plurals import how_many
from ui.headless.stdout import StdoutGone, write_bytes

STDIN = 0
PIECE = 64 * 1024
LONGEST = 8 * 1024 * 1024
"""Bytes of a line; the longest prompt is far below."""
Incoming = MemoryObjectSendStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]


class Lines:
    """Takes bytes of any amount, gives whole lines, of a line that is too long its size."""

    def __init__(self, longest: int = LONGEST) -> None:
        self._longest = longest
        self._open = bytearray()
        self._dropped = 0
        """Bytes of the open line that nobody will want."""

    def feed(self, data: bytes) -> list[bytes | int]:
        *whole, rest = data.split(b"\n")
        found: list[bytes | int] = []
        for piece in whole:
            self._add(piece)
            if line := self._dropped or bytes(self._open).strip():
                found.append(line)
            self._open.clear()
            self._dropped = 0
        self._add(rest)
        return found

    def _add(self, piece: bytes) -> None:
        if self._dropped or len(self._open) + len(piece) > self._longest:
            self._dropped += len(self._open) + len(piece)
            self._open.clear()
        else:
            self._open += piece


@asynccontextmanager
async def streams() -> AsyncIterator[tuple[MemoryObjectReceiveStream[SessionMessage | Exception], Outgoing]]:
    """From the client and to it. That from the client ends when it has closed stdin, or takes nothing any more."""
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    sys.stdout = sys.stderr  # the protocol alone goes to the client
    async with trio.open_nursery() as nursery:
        gone = trio.CancelScope()
        nursery.start_soon(_read, incoming, write.clone(), gone)
        nursery.start_soon(_write, outgoing, gone)
        try:
            yield read, write
        finally:
            nursery.cancel_scope.cancel()


async def _read(incoming: Incoming, errors: Outgoing, gone: trio.CancelScope) -> None:
    lines = Lines()
    with incoming, errors, gone:
        while data := await _received():
            for line in lines.feed(data):
                try:
                    message = jsonrpc_message_adapter.validate_json(line if isinstance(line, bytes) else b"")
                except ValueError:
                    await errors.send(refusal(line))
                else:
                    await incoming.send(SessionMessage(message))


def refusal(line: bytes | int) -> SessionMessage:
    """Of what is no message; an int: of a line of so many bytes."""
    if isinstance(line, int):
        return _error(None, PARSE_ERROR, f"the line has {how_many(line, 'byte')}; a message has at most {LONGEST}")
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return _error(None, PARSE_ERROR, "the line is not JSON; a message is one line of it")
    number = said.get("id") if isinstance(said, dict) else None
    known = number if isinstance(number, int | str) else None
    return _error(known, INVALID_REQUEST, "this is JSON, but no message of JSON-RPC 2.0")


def _error(number: int | str | None, code: int, why: str) -> SessionMessage:
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=ErrorData(code=code, message=why)))


async def _received() -> bytes:
    """b"" at the end."""
    try:
        await trio.lowlevel.wait_readable(STDIN)
    except OSError:  # a regular file is always ready
        await trio.lowlevel.checkpoint()
    while True:
        try:
            return os.read(STDIN, PIECE)
        except BlockingIOError:
            await trio.lowlevel.wait_readable(STDIN)
        except OSError:
            return b""


async def _write(outgoing: MemoryObjectReceiveStream[SessionMessage], gone: trio.CancelScope) -> None:
    with outgoing:
        async for each in outgoing:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            try:
                await write_bytes(text.encode("utf-8", "replace") + b"\n")
            except StdoutGone:
                gone.cancel()
                return
