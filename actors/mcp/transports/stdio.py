"""Messages over the pipes of a server's process: a line each, as JSON. Junk is counted, logged, and changes nothing."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import anyio
import trio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client._transport import TransportStreams
from mcp.shared.message import SessionMessage
from mcp_types.jsonrpc import PARSE_ERROR, ErrorData, JSONRPCError, jsonrpc_message_adapter

from actors.common.plurals import how_many
from actors.mcp.process.child import READ_BYTES, Child
from actors.mcp.process.server_log import ServerLog
from actors.mcp.transports.lines import Lines, TooLong

JUNK_CHARS = 300
"""Of a line that is no message, in the log."""
JUNK_LINES = 50
"""That are logged; the others are counted."""
EXIT_S = 1.0
"""Between the end of what a process prints and its own."""
Incoming = MemoryObjectSendStream[SessionMessage | Exception]


@dataclass
class Heard:
    """What of a connection is known beside its messages."""

    log: ServerLog
    ended: trio.Event = field(default_factory=trio.Event)
    """There is nobody at the other end any more."""
    junk: int = 0
    why: str = ""
    """How that came, where it is known."""
    status: int = 0
    """The HTTP status that says to sign in; 0 for none."""
    is_ready: bool = False
    """It has told what it has."""
    forgotten: bool = False
    """The server does not know our session any more."""

    def note_junk(self, line: bytes) -> None:
        self.junk += 1
        if self.junk <= JUNK_LINES:
            self.log.write(f"[no message: {line[:JUNK_CHARS].decode('utf-8', 'replace')}]\n")


@asynccontextmanager
async def streams(child: Child, heard: Heard) -> AsyncIterator[TransportStreams]:
    """The child is ended with them."""
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_read, child, incoming, heard)
        nursery.start_soon(_write, child, outgoing, heard)
        nursery.start_soon(_watch, child, heard)
        try:
            yield read, write
        finally:
            nursery.cancel_scope.cancel()
            await child.end()
            for stream in (incoming, read, write, outgoing):
                stream.close()


async def _read(child: Child, incoming: Incoming, heard: Heard) -> None:
    lines = Lines()
    async with incoming:
        try:
            while data := await child.stdout.receive_some(READ_BYTES):
                for line in lines.feed(bytes(data)):
                    if (message := understood(line, heard)) is not None:
                        await incoming.send(message)
        except (trio.BrokenResourceError, trio.ClosedResourceError, anyio.BrokenResourceError):
            pass
        await _note_end(child, heard)


async def _watch(child: Child, heard: Heard) -> None:
    """When its guardian was killed, what it has left may hold the pipes for ever."""
    await child.process.wait()
    await trio.sleep(EXIT_S)  # for what it has printed to be read
    await _note_end(child, heard)


async def _note_end(child: Child, heard: Heard) -> None:
    if heard.ended.is_set():
        return
    with trio.move_on_after(EXIT_S):
        await child.process.wait()
    told = heard.log.take_last()
    heard.why = child.why_ended + (f". It said last:\n{told}" if told else "")
    heard.ended.set()


async def _write(child: Child, outgoing: MemoryObjectReceiveStream[SessionMessage], heard: Heard) -> None:
    try:
        async for each in outgoing:
            text = each.message.model_dump_json(by_alias=True, exclude_unset=True)
            await child.stdin.send_all(text.encode("utf-8", "replace") + b"\n")
    except (trio.BrokenResourceError, trio.ClosedResourceError):
        heard.ended.set()  # it may live on, but it listens no more


def understood(line: bytes | TooLong, heard: Heard) -> SessionMessage | None:
    """None: it is no message. An answer that cannot be read is one that says so, for somebody waits for it."""
    if isinstance(line, TooLong):
        heard.note_junk(b"a line of %d bytes, of which this is the beginning: %s" % (line.size, line.head))
        return _unreadable(line.id, f"the answer is too long: {how_many(line.size, 'byte')}")
    try:
        return SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError:
        heard.note_junk(line)
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    number = said.get("id") if isinstance(said, dict) and "method" not in said else None
    return _unreadable(number if isinstance(number, int | str) else None, "the answer cannot be read")


def _unreadable(number: int | str | None, why: str) -> SessionMessage | None:
    if number is None:
        return None
    error = ErrorData(code=PARSE_ERROR, message=why)
    return SessionMessage(JSONRPCError(jsonrpc="2.0", id=number, error=error))
