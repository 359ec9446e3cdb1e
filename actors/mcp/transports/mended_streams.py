"""The two streams of a connection, with answers mended on their way in by what was asked."""

from collections import OrderedDict
from collections.abc import Callable
from types import TracebackType
from typing import Any

import anyio
from mcp.client._transport import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from mcp_types import PROTOCOL_VERSION_META_KEY
from mcp_types.jsonrpc import JSONRPCNotification, JSONRPCRequest, JSONRPCResponse

from actors.mcp.eras import FIRST_STATELESS
from actors.mcp.transports.mending import mended

MOST_OPEN = 10_000
"""Requests whose answers are waited for; of older ones nobody waits."""


class Asked:
    """What was asked under which id, and in which era."""

    def __init__(self) -> None:
        self._methods: OrderedDict[int | str, tuple[str, bool]] = OrderedDict()

    def note(self, message: SessionMessage) -> None:
        match message.message:
            case JSONRPCRequest(id=number, method=method, params=params):
                meta = (params or {}).get("_meta") or {}
                self._methods[number] = method, meta.get(PROTOCOL_VERSION_META_KEY, "") >= FIRST_STATELESS
                if len(self._methods) > MOST_OPEN:
                    self._methods.popitem(last=False)
            case JSONRPCNotification(method="notifications/cancelled", params={"requestId": number}):
                self._methods.pop(number, None)
            case _:
                return

    def mend(self, message: SessionMessage | Exception) -> SessionMessage | Exception:
        if isinstance(message, SessionMessage) and isinstance(message.message, JSONRPCResponse):
            response = message.message
            method, is_stateless = self._methods.pop(response.id, ("", False))
            response.result = mended(method, response.result, is_stateless=is_stateless)
        return message


class Written:
    def __init__(self, inner: WriteStream[SessionMessage], asked: Asked) -> None:
        self._inner = inner
        self._asked = asked

    async def send(self, item: SessionMessage, /) -> None:
        self._asked.note(item)
        await self._inner.send(item)

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def __aenter__(self) -> "Written":
        return self

    async def __aexit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.aclose()


class Read:
    def __init__(
        self, inner: ReadStream[SessionMessage | Exception], asked: Asked, ended: Callable[[], object]
    ) -> None:
        """ended: called when nothing more comes."""
        self._inner = inner
        self._asked = asked
        self._ended = ended

    async def receive(self) -> SessionMessage | Exception:
        try:
            return self._asked.mend(await self._inner.receive())
        except anyio.EndOfStream:
            self._ended()
            raise

    async def aclose(self) -> None:
        await self._inner.aclose()

    def __aiter__(self) -> "Read":
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return self._asked.mend(await self._inner.__anext__())
        except StopAsyncIteration:
            self._ended()
            raise

    async def __aenter__(self) -> "Read":
        return self

    async def __aexit__(self, *error: type[BaseException] | BaseException | TracebackType | None) -> None:
        await self.aclose()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401  # what the SDK's own streams have beside that
        return getattr(self._inner, name)
