"""A server over HTTP that refuses one request and is gone later: gone is not the same as asking for a sign-in."""

from pathlib import Path

import pytest
import trio

from tests.fakes.mcp_actor import asking
from tests.fakes.mcp_http import HEAD, McpHttp, reached

pytestmark = pytest.mark.filterwarnings("ignore:Async generator '(httpx2|httpcore2)[.]:ResourceWarning")
# the SDK leaves a stream in the middle once it has its answer


class RefusesOnce(McpHttp):
    def __init__(self) -> None:
        super().__init__(())
        self.refused = False

    async def answer(self, stream: trio.SocketStream, method: str, headers: dict[str, str], body: bytes) -> None:
        if b"tools/call" in body and not self.refused:
            self.refused = True
            await stream.send_all(HEAD % (403, b"Content-Length: 0\r\n"))
        else:
            await super().answer(stream, method, headers, body)


async def test_who_refused_a_request_once_and_is_gone_later_is_gone(tmp_path: Path) -> None:
    http = RefusesOnce()
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    http.url = f"http://127.0.0.1:{listener.socket.getsockname()[1]}/mcp"
    async with trio.open_nursery() as nursery, asking(reached(http), tmp_path) as asker:
        there = trio.CancelScope()

        async def serve() -> None:
            with there:
                await trio.serve_listeners(http.serve, [listener])

        nursery.start_soon(serve)
        refused = await asker.call("echo")
        fine = await asker.call("echo")
        there.cancel()
        gone = await asker.call("echo")
        state = (await asker.describe()).state

    assert (refused.failed, fine.failed, gone.failed) == (True, False, True)
    assert state == "failed"
