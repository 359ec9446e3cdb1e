"""The socket on this machine to which a browser is sent at the end of a sign-in. HTTP as far as that needs it."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from urllib.parse import parse_qs, urlsplit

import trio
from mcp.client.auth import OAuthFlowError
from mcp.shared.auth import AuthorizationCodeResult

HERE = "127.0.0.1"
PATH = "/callback"
LONGEST_REQUEST = 16 * 1024
REQUEST_S = 10.0
"""Browsers open connections that they may never use."""
WAITING = 8
PAGE = (
    b"HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nCache-Control: no-store\r\n"
    b"Referrer-Policy: no-referrer\r\nConnection: close\r\n\r\n%s"
)
DONE = b"Trouper has heard of it. This page can be closed."
NOTHING = b"There is nothing here."


class Redirects:
    """Where the browser ended: as it came to the socket, or as the user has copied it."""

    def __init__(self, port: int) -> None:
        self.address = f"http://{HERE}:{port}{PATH}"
        self._hosts = (f"{HERE}:{port}", f"localhost:{port}")
        self._put, self._take = trio.open_memory_channel[str](WAITING)
        self._state = ""

    def expect(self, state: str) -> None:
        """Of the sign-in that begins now, which nobody else knows."""
        self._state = state

    def put(self, url: str) -> bool:
        """False: it is no end of this sign-in. Any page can send a browser here; some services refuse without state."""
        query = urlsplit(url).query
        said = parse_qs(query)
        state = said.get("state", [""])[0]
        if not self._state or (state != self._state and (state or "error" not in said)):
            return False
        if not {"code", "error"} & set(said):
            return False
        with suppress(trio.WouldBlock):
            self._put.send_nowait(query)
        return True

    async def result(self) -> AuthorizationCodeResult:
        """Raises OAuthFlowError: it was refused."""
        said = {name: values[0] for name, values in parse_qs(await self._take.receive()).items()}
        if "code" not in said:
            raise OAuthFlowError(f"the sign-in was refused: {said.get('error_description') or said.get('error')}")
        return AuthorizationCodeResult(code=said["code"], state=said.get("state"), iss=said.get("iss"))

    async def talk(self, stream: trio.SocketStream) -> None:
        """With one browser: one request, one page."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError), trio.move_on_after(REQUEST_S):
            async with stream:
                head = b""
                while b"\r\n\r\n" not in head and len(head) < LONGEST_REQUEST:
                    more = await stream.receive_some(4096)
                    if not more:
                        return
                    head += more
                good = self._is_meant(head.decode("latin-1"))
                page = DONE if good else NOTHING
                await stream.send_all(PAGE % (b"200 OK" if good else b"404 Not Found", len(page), page))

    def _is_meant(self, head: str) -> bool:
        """Any page can make a browser ask this machine under a name of its own."""
        first, *lines = head.partition("\r\n\r\n")[0].split("\r\n")
        method, _, rest = first.partition(" ")
        hosts = [line.partition(":")[2].strip().lower() for line in lines if line.lower().startswith("host:")]
        target = rest.partition(" ")[0]
        meant = method == "GET" and urlsplit(target).path == PATH and len(hosts) == 1 and hosts[0] in self._hosts
        return meant and self.put(target)


@asynccontextmanager
async def listening(ports: Iterable[int]) -> AsyncIterator[Redirects]:
    """At the first of the ports that can be had; 0 is any. Raises OSError: none can."""
    listener = await _listener(tuple(ports))
    redirects = Redirects(listener.socket.getsockname()[1])
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, redirects.talk, [listener])
        yield redirects
        nursery.cancel_scope.cancel()


async def _listener(ports: tuple[int, ...]) -> trio.SocketListener:
    for port in ports[:-1]:
        with suppress(OSError):
            return (await trio.open_tcp_listeners(port, host=HERE))[0]
    return (await trio.open_tcp_listeners(ports[-1], host=HERE))[0]
