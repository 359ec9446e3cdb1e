"""A public web on loopback sockets: names resolve as a test says, and public addresses lead to one real server."""

import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

import httpcore
import trio
import trustme

from actors.tools.web.network import Network, connected

PUBLIC = "93.184.215.14"
OURS = ("192.168.1.5", 50000)
"""Where connections seem to come from."""
Page = bytes | Callable[[trio.abc.Stream], Awaitable[None]]
"""A whole answer as it is sent, or what is done with the connection."""


@dataclass(frozen=True)
class Asked:
    method: str
    url: str
    headers: dict[str, str]


@dataclass
class PublicWeb:
    pages: Mapping[str, Page]
    """By URL; of what is not there the answer is 404."""
    names: Mapping[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    """What a name resolves to, answer after answer; the last one stays. Others resolve to PUBLIC."""
    asked: list[Asked] = field(default_factory=list)
    dialled: list[str] = field(default_factory=list)
    resolved: list[str] = field(default_factory=list)
    authority: trustme.CA = field(default_factory=trustme.CA)
    _ports: dict[str, int] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        return Network(self._resolve, self._dial, self._trust)

    async def _resolve(self, host: str, _port: int) -> Sequence[str]:
        await trio.lowlevel.checkpoint()
        answers = self.names.get(host, [[PUBLIC]])
        self.resolved.append(host)
        return answers[min(self.resolved.count(host), len(answers)) - 1]

    async def _dial(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        self.dialled.append(address)
        scheme = "https" if port == 443 else "http"
        return Led(await connected("127.0.0.1", self._ports[scheme]), (address, port))

    def _trust(self) -> ssl.SSLContext:
        context = ssl.create_default_context()
        self.authority.configure_trust(context)
        return context

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self.authority.issue_cert("*.example.com", "example.com").configure_cert(context)
        plain, secure = [(await trio.open_tcp_listeners(0, host="127.0.0.1"))[0] for _ in range(2)]
        self._ports.update(http=plain.socket.getsockname()[1], https=secure.socket.getsockname()[1])
        task_status.started()

        async def talk(stream: trio.SocketStream) -> None:
            await self._talk("http", stream)

        async def talk_secretly(stream: trio.SocketStream) -> None:
            await self._talk("https", trio.SSLStream(stream, context, server_side=True, https_compatible=True))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(trio.serve_listeners, talk, [plain])
            nursery.start_soon(trio.serve_listeners, talk_secretly, [secure])

    async def _talk(self, scheme: str, stream: trio.abc.Stream) -> None:
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):  # whoever asked has heard enough
            async with stream:
                head = b""
                while b"\r\n\r\n" not in head:
                    piece = await stream.receive_some()
                    if not piece:
                        return
                    head += piece
                first, *lines = head.decode("latin-1").strip().split("\r\n")
                method, target, _ = first.split(" ")
                headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
                url = f"{scheme}://{headers['host']}{target}"
                self.asked.append(Asked(method, url, headers))
                page = self.pages.get(url, answer(b"no such page", "text/plain", "404 Not Found"))
                await (stream.send_all(page) if isinstance(page, bytes) else page(stream))


class Led(httpcore.AsyncNetworkStream):
    """A connection to this machine that seems to be one to somewhere else."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, peer: tuple[str, int]) -> None:
        self._stream, self._peer = stream, peer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        return await self._stream.read(max_bytes, timeout)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        await self._stream.write(buffer, timeout)

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        return await self._stream.start_tls(ssl_context, server_hostname, timeout)

    def get_extra_info(self, info: str) -> object:
        return {"server_addr": self._peer, "client_addr": OURS}.get(info) or self._stream.get_extra_info(info)


def answer(body: bytes, media_type: str = "text/html; charset=utf-8", status: str = "200 OK", **headers: str) -> bytes:
    lines = {"content-type": media_type, "content-length": str(len(body)), "connection": "close"}
    lines |= {name.replace("_", "-"): value for name, value in headers.items()}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items() if value)
    return f"HTTP/1.1 {status}\r\n{head}\r\n".encode("latin-1") + body


def redirect(to: str, status: str = "302 Found") -> bytes:
    return answer(b"", status=status, location=to)


@asynccontextmanager
async def open_public_web(
    pages: Mapping[str, Page], names: Mapping[str, Sequence[Sequence[str]]] | None = None
) -> AsyncIterator[PublicWeb]:
    web = PublicWeb(pages, names or {})
    async with trio.open_nursery() as nursery:
        await nursery.start(web.serve)
        yield web
        nursery.cancel_scope.cancel()
