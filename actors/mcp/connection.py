"""One connection to a server through the SDK, from the handshake to its end. Nothing else knows the SDK's client."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import TypeVar

import httpx2
import trio
from mcp import Client
from mcp.client._transport import TransportStreams
from mcp.client.auth import OAuthFlowError
from mcp.client.session import IncomingMessage
from mcp_types import (
    Implementation,
    LoggingMessageNotificationParams,
    PromptListChangedNotification,
    ResourceListChangedNotification,
    ToolListChangedNotification,
)

from actors.mcp import tasks
from actors.mcp.eras import Mode
from actors.mcp.errors import NotConnected, Refused
from actors.mcp.failures import FOREIGN, words
from actors.mcp.process import child
from actors.mcp.process.server_log import ServerLog
from actors.mcp.questions import Questions, tells_roots
from actors.mcp.sampling import Sampling
from actors.mcp.sign_in.way import Way
from actors.mcp.transports import network, stdio
from actors.mcp.transports.mended_streams import Asked, Read, Written
from actors.mcp.transports.stdio import Heard
from actors.settings.config import Settings
from actors.settings.mcp.servers import McpServer
from actors.version import VERSION

LISTS_CHANGED = (ToolListChangedNotification, PromptListChangedNotification, ResourceListChangedNotification)
LOGGED_CHARS = 2000
T = TypeVar("T")


@dataclass(frozen=True)
class Asking:
    """What a server may ask of us."""

    questions: Questions
    sampling: Sampling
    way: Way
    """To be let in."""


@dataclass
class Connection:
    client: Client
    heard: Heard
    stale: trio.Event
    """Its lists are not what they were; replaced by whoever has looked at them again."""

    async def during(self, ask: Callable[[], Awaitable[T]]) -> T:
        """What is asked while there is somebody to answer. Raises NotConnected, and what asking raises."""
        if self.heard.ended.is_set():
            raise NotConnected("there is no connection any more")
        answers: list[T] = []
        failures: list[Exception] = []
        async with trio.open_nursery() as nursery:

            async def give_up() -> None:
                await self.heard.ended.wait()
                nursery.cancel_scope.cancel()

            nursery.start_soon(give_up)
            try:
                answers.append(await ask())
            except (Refused, *FOREIGN) as error:
                failures.append(error)
            nursery.cancel_scope.cancel()
        if failures:
            raise failures[0]
        if not answers:
            raise NotConnected(self.heard.why or "the connection broke")
        return answers[0]


@asynccontextmanager
async def connected(
    server: McpServer, settings: Settings, mode: Mode, log: ServerLog, asking: Asking
) -> AsyncIterator[Connection]:
    """server: its variables filled in. Raises NotConnected, from the beginning to the end of it."""
    heard = Heard(log)
    try:
        async with _open(server, settings, mode, heard, asking) as connection:
            yield connection
    except (NotConnected, *FOREIGN, ExceptionGroup) as error:
        why = _why(error, heard)
        heard.why = heard.why or str(why)
        raise why from error
    finally:
        heard.ended.set()


@asynccontextmanager
async def _open(
    server: McpServer, settings: Settings, mode: Mode, heard: Heard, asking: Asking
) -> AsyncIterator[Connection]:
    stale = trio.Event()

    async def notice(message: IncomingMessage) -> None:
        if isinstance(message, LISTS_CHANGED):
            connection.stale.set()

    async def log(params: LoggingMessageNotificationParams) -> None:
        said = str(params.data)[:LOGGED_CHARS]
        heard.log.write(f"[{params.level}{f' {params.logger}' if params.logger else ''}] {said}\n")

    client = Client(
        _mended(server, settings, heard, asking.way),
        mode=mode,
        cache=None,  # what is kept of lists is kept here, and a result is asked for because it is wanted
        client_info=Implementation(name="trouper", version=VERSION),
        list_roots_callback=asking.questions.roots if tells_roots(server, settings.cwd) else None,
        elicitation_callback=asking.questions.elicit,
        sampling_callback=asking.sampling.sample if asking.sampling.is_offered else None,
        logging_callback=log,
        message_handler=notice,
        extensions=[tasks.Extension()],
    )
    connection = Connection(client, heard, stale)
    async with client:
        yield connection


@asynccontextmanager
async def _mended(server: McpServer, settings: Settings, heard: Heard, way: Way) -> AsyncIterator[TransportStreams]:
    asked = Asked()
    async with AsyncExitStack() as stack:
        nursery = await stack.enter_async_context(trio.open_nursery())
        if server.transport == "stdio":
            started = await child.start(server, settings, heard.log, nursery)
            read, write = await stack.enter_async_context(stdio.streams(started, heard))
        else:
            read, write = await stack.enter_async_context(network.streams(server, heard, way))
        yield Read(read, asked, heard.ended.set), Written(write, asked)
        nursery.cancel_scope.cancel()


def _why(error: BaseException, heard: Heard) -> NotConnected:
    """What counts of all that went wrong at once. Raises the error itself where it is no server's doing."""
    leaves = list(_leaves(error))
    if refused := [leaf for leaf in leaves if isinstance(leaf, OAuthFlowError)]:
        return NotConnected(f"its sign-in failed: {words(refused[0])}", needs_login=True)
    if heard.status and (lost := [leaf for leaf in leaves if isinstance(leaf, httpx2.HTTPError)]):
        return NotConnected(f"its sign-in failed: {words(lost[0])}", needs_login=True)
    if heard.status:
        return NotConnected(f"it answered HTTP {heard.status}: it wants you to sign in", needs_login=True)
    if ours := [leaf for leaf in leaves if isinstance(leaf, NotConnected)]:
        return ours[0]
    if any(not isinstance(leaf, FOREIGN) for leaf in leaves):
        raise error
    return NotConnected(heard.why or words(error))


def _leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [leaf for inner in error.exceptions for leaf in _leaves(inner)]
    return [error]
