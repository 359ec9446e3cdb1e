"""A table of URLs: which are fetched, and that the others reach nothing, least of all who listens on this machine."""

import tomllib
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from ipaddress import IPv4Address

import httpcore
import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from actors.confinement.errors import ToolFailed
from actors.tools.web import network
from actors.tools.web.exchange import ask
from actors.tools.web.network import Network
from actors.tools.web.urls import parse
from tests import ROOT
from tests.fakes.public_web import answer, open_public_web

TABLE = tomllib.loads((ROOT / "tests" / "data" / "urls.toml").read_text(encoding="utf-8"))


class Watch:
    """The real network, but for the names of the table; remembers what was asked of it."""

    def __init__(self) -> None:
        self.resolved: list[str] = []
        self.dialled: list[str] = []
        self.connections = 0
        self.port = 0
        self.network = Network(self._resolve, self._dial)

    async def _resolve(self, host: str, _port: int) -> Sequence[str]:
        await trio.lowlevel.checkpoint()
        self.resolved.append(host)
        found: list[str] = TABLE["names"][host]
        return found

    async def _dial(self, address: str, port: int) -> httpcore.AsyncNetworkStream:
        self.dialled.append(address)
        return await network.connected(address, port)

    async def listen(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        self.port = listeners[0].socket.getsockname()[1]
        task_status.started()
        await trio.serve_listeners(self._connected, listeners)

    async def _connected(self, _stream: trio.SocketStream) -> None:
        self.connections += 1
        await trio.lowlevel.checkpoint()


@asynccontextmanager
async def watched() -> AsyncIterator[Watch]:
    watch = Watch()
    async with trio.open_nursery() as nursery:
        await nursery.start(watch.listen)
        yield watch
        nursery.cancel_scope.cancel()


async def test_what_is_refused_as_it_is_written_reaches_nothing() -> None:
    fetched = []
    async with watched() as watch:
        for url in TABLE["refused"]:
            try:
                await ask(parse(url.replace("{port}", str(watch.port))), "GET", {}, watch.network)
            except ToolFailed:
                continue
            fetched.append(url)

    assert fetched == []
    assert (watch.resolved, watch.dialled, watch.connections) == ([], [], 0)


@pytest.mark.parametrize("url", TABLE["refused_when_resolved"])
async def test_a_name_that_leads_to_no_public_address_is_not_dialled(url: str) -> None:
    async with watched() as watch:
        with pytest.raises(ToolFailed, match="not a public address"):
            await ask(parse(url.replace("{port}", str(watch.port))), "GET", {}, watch.network)

    assert (len(watch.resolved), watch.dialled, watch.connections) == (1, [], 0)


@pytest.mark.parametrize(("given", "asked_for"), TABLE["allowed"].items())
async def test_the_public_web_is_reached(given: str, asked_for: str) -> None:
    async with open_public_web({asked_for: answer(b"hello", "text/plain")}) as web:
        answered = await ask(parse(given), "GET", {}, web.network)

    assert (answered.body, [asked.url for asked in web.asked]) == (b"hello", [asked_for])


NETWORKS = ("127.0.0.0/8", "10.0.0.0/8", "192.168.0.0/16", "169.254.0.0/16", "172.16.0.0/12", "100.64.0.0/10")
NOBODYS = st.one_of([st.ip_addresses(network=network) for network in NETWORKS])
SPELLINGS: tuple[Callable[[int], str], ...] = (
    str,
    hex,
    lambda number: f"0{number:o}",
    lambda number: f"0x{number:010X}",
    lambda number: f"{number >> 24}.{number & 0xFFFFFF}",
    lambda number: f"{number >> 24:#x}.{number >> 16 & 0xFF:#o}.{number & 0xFFFF}".replace("0o", "0"),
    lambda number: ".".join(f"0{part:o}" for part in number.to_bytes(4, "big")),
    lambda number: ".".join(f"{part:03d}" for part in number.to_bytes(4, "big")),
    lambda number: ".".join(map(str, number.to_bytes(4, "big"))),
    lambda number: "。".join(map(str, number.to_bytes(4, "big"))),
    lambda number: ".".join(map(str, number.to_bytes(4, "big"))) + ".",
    lambda number: f"[::ffff:{number:x}]",
    lambda number: f"[::ffff:{number >> 16:x}:{number & 0xFFFF:x}]",
    lambda number: f"[64:ff9b::{number >> 16:x}:{number & 0xFFFF:x}]",
    lambda number: f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::]",
)


@given(NOBODYS, st.sampled_from(SPELLINGS), st.sampled_from(["http", "HTTPS"]), st.sampled_from(["", ":", ":8080"]))
def test_an_address_of_somebodys_network_is_refused_in_every_spelling(
    address: IPv4Address, spelled: Callable[[int], str], scheme: str, port: str
) -> None:
    with pytest.raises(ToolFailed):
        parse(f"{scheme}://{spelled(int(address))}{port}/")


def test_the_table_is_large() -> None:
    assert len(TABLE["refused"]) + len(TABLE["refused_when_resolved"]) >= 200
