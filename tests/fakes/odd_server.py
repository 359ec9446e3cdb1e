"""A server on a loopback socket that answers everything with the same bytes and headers, however odd."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

import trio


@asynccontextmanager
async def open_odd_server(content: bytes, headers: Mapping[str, str]) -> AsyncIterator[str]:
    """Its URL."""
    lines = {**headers, "content-length": str(len(content)), "connection": "close"}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())

    async def talk(stream: trio.SocketStream) -> None:
        async with stream:
            try:
                await _receive(stream)
                await stream.send_all(f"HTTP/1.1 200 OK\r\n{head}\r\n".encode() + content)
            except trio.BrokenResourceError:
                pass  # whoever asked has heard enough

    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, talk, listeners)
        yield f"http://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        nursery.cancel_scope.cancel()


async def _receive(stream: trio.SocketStream) -> None:
    received = b""
    while b"\r\n\r\n" not in received:
        received += await stream.receive_some()
    head, _, body = received.lower().partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += await stream.receive_some()
