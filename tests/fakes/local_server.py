"""A server that runs models itself, on a loopback socket, as far as it is asked about them: a body for each path."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress

import msgspec
import trio

Answers = Mapping[str, object]
"""JSON by "GET /path" or "POST /path"; bytes are sent as they are, None is never answered, an int is a status."""


WORDS = {
    401: b'{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}',
    503: b'{"error":{"code":503,"message":"Loading model","type":"unavailable_error"}}',
}
"""As llama.cpp says it."""


class LocalServer:
    def __init__(self, answers: Answers) -> None:
        self.asked: list[tuple[str, object]] = []
        """What was asked, and the value that came with it."""
        self.headers: list[str] = []
        self.url = ""
        self._answers = answers

    async def serve(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.url = f"http://127.0.0.1:{listeners[0].socket.getsockname()[1]}"
        task_status.started()
        await trio.serve_listeners(self._talk, listeners)

    async def _talk(self, stream: trio.SocketStream) -> None:
        async with stream:
            head, body = await _request(stream)
            method, path, _ = head.split(" ", 2)
            self.asked.append((f"{method} {path}", msgspec.json.decode(body) if body else None))
            self.headers.append(head.lower())
            answer = self._answers.get(f"{method} {path}", b"")
            if answer is None:
                await trio.sleep_forever()
            content = answer if isinstance(answer, bytes) else msgspec.json.encode(answer)
            status = "200 OK" if content else "404 Not Found"
            if isinstance(answer, int):
                status, content = f"{answer} -", WORDS.get(answer, b"")
            start = f"HTTP/1.1 {status}\r\ncontent-length: {len(content)}\r\nconnection: close\r\n\r\n"
            with suppress(trio.BrokenResourceError):  # whoever asked has heard enough
                await stream.send_all(start.encode() + content)


async def _request(stream: trio.SocketStream) -> tuple[str, bytes]:
    received = b""
    while b"\r\n\r\n" not in received:
        received += await stream.receive_some()
    head, _, body = received.partition(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        body += await stream.receive_some()
    return head.decode("latin-1"), body


@asynccontextmanager
async def open_local_server(answers: Answers) -> AsyncIterator[LocalServer]:
    server = LocalServer(answers)
    async with trio.open_nursery() as nursery:
        await nursery.start(server.serve)
        yield server
        nursery.cancel_scope.cancel()
