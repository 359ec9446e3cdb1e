"""What one HTTP request looks like on the wire, and what is made of its answer."""

import base64
import gzip
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio

from actors.providers.faults.fault import ServiceFailed
from actors.providers.http.pools import Call, Pools, Response, address
from actors.providers.http.unpacking import AT_ONCE, Unpacking
from actors.version import AGENT
from tests.fakes.odd_server import open_odd_server

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx-a: 1\r\nX-A: 2\r\n\r\nok"


@asynccontextmanager
async def open_heard(host: str = "127.0.0.1") -> AsyncIterator[tuple[int, list[str]]]:
    """A port that answers anything with OK, and the lines of the requests that came."""
    heard: list[str] = []

    async def talk(stream: trio.SocketStream) -> None:
        received = b""
        while b"\r\n\r\n" not in received:
            received += await stream.receive_some()
        heard.extend(received.partition(b"\r\n\r\n")[0].decode().split("\r\n"))
        await stream.send_all(OK)
        await stream.receive_some()

    listeners = await trio.open_tcp_listeners(0, host=host)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, talk, listeners)
        yield listeners[0].socket.getsockname()[1], heard
        nursery.cancel_scope.cancel()


async def _sent(call: Call) -> tuple[Response, bytes]:
    pools, pieces = Pools(), []

    async def take(piece: bytes) -> None:
        await trio.lowlevel.checkpoint()
        pieces.append(piece)

    response = await pools.send(call)
    await response.read(take)
    await response.aclose()
    await pools.aclose()
    return response, b"".join(pieces)


async def test_a_request_says_where_it_goes_who_asks_and_what_it_takes() -> None:
    async with open_heard() as (port, heard):
        url = f"http://127.0.0.1:{port}/v1/a b?q=ü#there"
        response, body = await _sent(Call(url=url, headers={"Accept": "text/event-stream", "X-Key": "1"}))

    assert heard[0] == "GET /v1/a%20b?q=%C3%BC HTTP/1.1"
    assert {*heard[1:]} == {
        f"host: 127.0.0.1:{port}",
        "accept: text/event-stream",
        "accept-encoding: gzip",
        f"user-agent: {AGENT}",
        "x-key: 1",
    }
    assert (response.status, response.headers["x-a"], body) == (200, "1, 2", b"ok")


async def test_content_is_posted_with_its_length() -> None:
    async with open_heard() as (port, heard):
        await _sent(Call(url=f"http://localhost:{port}", content=b"{}"))

    assert heard[0] == "POST / HTTP/1.1"
    assert f"host: localhost:{port}" in heard
    assert "content-length: 2" in heard


async def test_what_is_escaped_already_is_not_escaped_again() -> None:
    async with open_heard() as (port, heard):
        await _sent(Call(url=f"http://127.0.0.1:{port}/v1/models/a%2Fb:c?key=x%20y&z=(1)"))

    assert heard[0] == "GET /v1/models/a%2Fb:c?key=x%20y&z=(1) HTTP/1.1"


async def test_an_address_of_ipv6_is_named_in_brackets() -> None:
    async with open_heard("::1") as (port, heard):
        await _sent(Call(url=f"http://[::1]:{port}/"))

    assert f"host: [::1]:{port}" in heard


async def test_a_user_in_the_address_is_authorised_by_it() -> None:
    async with open_heard() as (port, heard):
        await _sent(Call(url=f"http://me:p%40ss@127.0.0.1:{port}/", headers={"authorization": "Bearer key"}))

    assert f"authorization: Basic {base64.b64encode(b'me:p@ss').decode()}" in heard
    assert f"host: 127.0.0.1:{port}" in heard


async def test_little_that_unpacks_to_much_is_handed_over_in_pieces() -> None:
    sizes: list[int] = []

    async with open_odd_server(gzip.compress(b"x" * 5_000_000), {"content-encoding": "gzip"}) as url:
        pools = Pools()
        response = await pools.send(Call(url=url))
        unpacking = Unpacking(response.encoding)

        async def take(packed: bytes) -> None:
            await trio.lowlevel.checkpoint()
            sizes.extend(map(len, unpacking.unpack(packed)))

        await response.read(take)
        unpacking.end()
        await response.aclose()
        await pools.aclose()

    assert sum(sizes) == 5_000_000
    assert max(sizes) <= AT_ONCE


@pytest.mark.parametrize(
    "url",
    ["", "v1", "ftp://host/v1", "http://", "http://host:99999/", "http://[::1/", "http://ü..b/", "https://\u00ad/"],
)
def test_what_is_no_url_is_said_to_be_none(url: str) -> None:
    with pytest.raises(ServiceFailed):
        address(url)


def test_a_name_in_other_letters_is_sent_as_names_are() -> None:
    assert address("https://bücher.example/v1").host == "xn--bcher-kva.example"
