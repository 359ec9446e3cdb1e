"""Fetching over real sockets: where redirects and resolvers may lead, and how much of an answer is taken."""

import gzip
import ssl
import zlib
from collections.abc import Mapping

import httpcore
import pytest
import trio
from trio.testing import MockClock

from actors.confinement.errors import ToolFailed
from actors.tools import limits
from actors.tools.web.exchange import Answer, ask
from actors.tools.web.network import Network, connected
from actors.tools.web.urls import parse
from tests.fakes.public_web import PUBLIC, Page, PublicWeb, answer, open_public_web, redirect

SETTLE_S = 0.01
"""Waits are skipped, but real sockets get the moment they need."""
START = "http://example.com/"


async def fetched(
    pages: Mapping[str, Page], url: str = START, headers: Mapping[str, str] | None = None, **names: list[list[str]]
) -> tuple[Answer | str, PublicWeb]:
    """The answer, or why there is none."""
    async with open_public_web(pages, {name.replace("_", "."): found for name, found in names.items()}) as web:
        try:
            return await ask(parse(url), "GET", headers or {}, web.network), web
        except ToolFailed as failure:
            return str(failure), web


def body_of(found: Answer | str) -> bytes:
    assert isinstance(found, Answer), found
    return found.body


async def test_a_redirect_of_the_same_host_is_followed() -> None:
    pages = {START: redirect("/next"), "http://example.com/next": answer(b"here")}

    found, web = await fetched(pages)

    assert body_of(found) == b"here"
    assert [asked.url for asked in web.asked] == [START, "http://example.com/next"]


async def test_a_redirect_to_another_host_is_told() -> None:
    found, web = await fetched({START: redirect("https://other.example.com/x", "301 Moved")})

    assert isinstance(found, Answer)
    assert (str(found.url), found.status, str(found.leads_to)) == (START, 301, "https://other.example.com/x")
    assert web.resolved == ["example.com"]


async def test_over_tls_it_is_still_the_name_that_counts() -> None:
    found, web = await fetched({"https://example.com/": answer(b"secure")}, "https://example.com/")
    wrong, _ = await fetched({}, "https://example.org/")

    assert body_of(found) == b"secure"
    assert web.dialled == [PUBLIC]
    assert isinstance(wrong, str)
    assert "certificate" in wrong


@pytest.mark.parametrize(
    "to",
    [
        "http://127.0.0.1/",
        "http://127.0.0.1:8080/",
        "http://localhost/",
        "//169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://2130706433/",
        "http://user@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://metadata.google.internal/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "http://example.com:22/",
        "http://[::1",
        "http://exa mple.com/",
    ],
)
async def test_a_redirect_into_somebodys_network_is_not_followed(to: str) -> None:
    found, web = await fetched({START: redirect(to)})

    assert isinstance(found, str)
    assert "redirects to" in found
    assert (web.dialled, len(web.asked)) == ([PUBLIC], 1)


async def test_a_redirect_to_plain_http_is_not_followed() -> None:
    found, web = await fetched({"https://example.com/": redirect(START)}, "https://example.com/")

    assert isinstance(found, str)
    assert "unencrypted" in found
    assert len(web.asked) == 1


async def test_headers_go_to_their_own_origin_only() -> None:
    pages = {START: redirect("/same"), "http://example.com/same": redirect("https://example.com/"),
             "https://example.com/": answer(b"here")}  # fmt: skip

    _, web = await fetched(pages, headers={"x-mine": "1"})

    assert [asked.headers.get("x-mine") for asked in web.asked] == ["1", "1", None]


async def test_nothing_of_ours_is_sent_along() -> None:
    _, web = await fetched({START: answer(b"", set_cookie="a=1")})

    (asked,) = web.asked
    assert set(asked.headers) == {"host", "user-agent", "accept", "accept-encoding"}


async def test_redirects_without_end_end() -> None:
    found, web = await fetched({START: redirect("/")})

    assert isinstance(found, str)
    assert f"more than {limits.WEB_HOPS} times" in found
    assert len(web.asked) == limits.WEB_HOPS + 1


async def test_a_name_that_is_rebound_between_two_hops_is_not_followed() -> None:
    pages = {START: redirect("/next"), "http://example.com/next": answer(b"secret")}

    found, web = await fetched(pages, example_com=[[PUBLIC], ["127.0.0.1"]])

    assert isinstance(found, str)
    assert "not a public address" in found
    assert (web.dialled, len(web.asked)) == ([PUBLIC], 1)


async def test_the_checked_address_is_dialled_and_nobody_is_asked_again() -> None:
    found, web = await fetched({START: answer(b"public")}, example_com=[[PUBLIC], ["127.0.0.1"]])

    assert body_of(found) == b"public"
    assert (web.resolved, web.dialled) == (["example.com"], [PUBLIC])


async def test_who_answers_is_looked_at_before_anything_is_sent() -> None:
    """The address was public, and the connection led to this machine all the same."""

    async def dial(_address: str, port: int) -> httpcore.AsyncNetworkStream:
        return await connected("127.0.0.1", port)

    heard = bytearray()
    over = trio.Event()

    async def listen(stream: trio.SocketStream) -> None:
        async for piece in stream:
            heard.extend(piece)
        over.set()

    async with open_public_web({}) as web, trio.open_nursery() as nursery:
        (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, listen, [listener])
        network = Network(web.network.resolve, dial)
        with pytest.raises(ToolFailed, match="not a public address"):
            await ask(parse(f"http://example.com:{listener.socket.getsockname()[1]}/"), "GET", {}, network)
        await over.wait()
        nursery.cancel_scope.cancel()

    assert heard == b""


async def test_another_address_of_the_host_is_tried() -> None:
    async with open_public_web({START: answer(b"here")}, {"example.com": [["1.1.1.1", PUBLIC]]}) as web:
        real = web.network

        async def dial(address: str, port: int) -> httpcore.AsyncNetworkStream:
            if address == "1.1.1.1":
                raise httpcore.ConnectError("refused")
            return await real.dial(address, port)

        found = await ask(parse(START), "GET", {}, Network(real.resolve, dial))

    assert found.body == b"here"


async def test_a_packed_answer_is_unpacked() -> None:
    packed = answer(gzip.compress(b"hello " * 1000), content_encoding="gzip")

    found, _ = await fetched({START: packed})

    assert body_of(found) == b"hello " * 1000


async def test_a_bomb_is_cut() -> None:
    packer = zlib.compressobj(wbits=31)
    bomb = b"".join(packer.compress(bytes(1024 * 1024)) for _ in range(256)) + packer.flush()

    found, _ = await fetched({START: answer(bomb, content_encoding="gzip")})

    assert isinstance(found, Answer)
    assert (len(found.body), found.cut) == (limits.WEB_BYTES, True)


async def test_an_answer_without_end_is_cut() -> None:
    async def pour(stream: trio.abc.Stream) -> None:
        await stream.send_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
        while True:
            await stream.send_all(b"x" * 65_536)

    found, _ = await fetched({START: pour})

    assert isinstance(found, Answer)
    assert (len(found.body), found.cut) == (limits.WEB_BYTES, True)


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (answer(b"x", content_encoding="br"), "encoding it was not asked for"),
        (answer(b"no gzip", content_encoding="gzip"), "damaged"),
        (b"SSH-2.0-OpenSSH_9.6\r\n", "did not answer with HTTP"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort", "did not answer with HTTP"),
        (b"HTTP/1.1 200 OK\r\n" + b"x-long: " + b"x" * 200_000, "did not answer with HTTP"),
        (b"", "did not answer with HTTP"),
    ],
)
async def test_what_cannot_be_read_is_said(page: bytes, why: str) -> None:
    found, _ = await fetched({START: page})

    assert isinstance(found, str)
    assert why in found


async def test_a_drip_does_not_last_for_ever(autojump_clock: MockClock) -> None:
    autojump_clock.autojump_threshold = SETTLE_S

    async def drip(stream: trio.abc.Stream) -> None:
        await stream.send_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n")
        while True:
            await trio.sleep(1)
            await stream.send_all(b".")

    found, _ = await fetched({START: drip})

    assert found == f"example.com has not answered whole within {limits.WEB_S:g} s."


async def test_a_resolver_that_says_nothing_is_not_waited_for(autojump_clock: MockClock) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        await trio.sleep_forever()
        return []

    del autojump_clock
    with pytest.raises(ToolFailed, match="has not answered"):
        await ask(parse(START), "GET", {}, Network(resolve))


async def test_certificates_of_the_system_are_believed() -> None:
    context = Network().trust()

    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname
