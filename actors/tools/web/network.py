"""Connections to public addresses and to nothing else. Importing it loads httpcore.

A name is resolved here, each of its addresses is checked, and what is dialled is the checked address: no resolver is
asked a second time. Who answers is looked at once more before anything is sent. Proxies are not used, see DECISIONS.
"""

import os
import socket
import ssl
import sys
from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import ip_address
from pathlib import Path

import httpcore
import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.tools import limits
from actors.tools.web.addresses import is_public
from actors.tools.web.urls import not_public

Option = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]
PROXIES = ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "HTTP_PROXY", "http_proxy")


async def addresses_of(host: str, port: int) -> Sequence[str]:
    """As the system resolves it. Raises OSError."""
    found = await trio.socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[4][0]) for place in found))


async def connected(address: str, port: int) -> httpcore.AsyncNetworkStream:
    """Raises httpcore's errors."""
    return await httpcore.TrioBackend().connect_tcp(address, port, timeout=limits.WEB_CONNECT_S)


def trusted() -> ssl.SSLContext:
    """Whom the system believes, or SSL_CERT_FILE and SSL_CERT_DIR name; else the authorities that httpx brings."""
    if sys.platform == "darwin":
        import truststore  # asks the keychain

        return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context = ssl.create_default_context()
    folder = ssl.get_default_verify_paths().capath  # None when it does not exist; read by OpenSSL when needed
    if not context.cert_store_stats()["x509_ca"] and not (folder and any(Path(folder).iterdir())):
        import certifi

        context.load_verify_locations(certifi.where())
    return context


class Network(msgspec.Struct, frozen=True):
    resolve: Callable[[str, int], Awaitable[Sequence[str]]] = addresses_of
    dial: Callable[[str, int], Awaitable[httpcore.AsyncNetworkStream]] = connected
    """Takes an address, never a name."""
    trust: Callable[[], ssl.SSLContext] = trusted


class Public(httpcore.AsyncNetworkBackend):
    """httpcore's network, which connects to a host only where all of its addresses are public."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109  # httpcore's signature
        local_address: str | None = None,  # noqa: ARG002
        socket_options: Iterable[Option] | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        """Raises ToolFailed, and httpcore's errors where no address can be connected to."""
        refused: httpcore.ConnectError | httpcore.ConnectTimeout | None = None
        for address in await self._checked(host, port):
            try:
                stream = await self._network.dial(address, port)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                refused = error
                continue
            if not _is_who_was_called(stream, address):
                await stream.aclose()
                raise not_public(host)
            return stream
        raise refused or httpcore.ConnectError("no address")

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
        socket_options: Iterable[Option] | None = None,  # noqa: ARG002
    ) -> httpcore.AsyncNetworkStream:
        raise not_public(path)

    async def sleep(self, seconds: float) -> None:
        await trio.sleep(seconds)

    async def _checked(self, host: str, port: int) -> Sequence[str]:
        """Public ones only: a name that also has another is not believed at all. Raises ToolFailed."""
        found = [host] if _is_address(host) else await self._resolved(host, port)
        if not all(map(is_public, found)):
            raise not_public(host)
        return found[: limits.WEB_ADDRESSES]

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            found = await self._network.resolve(host, port)
        except (OSError, UnicodeError) as error:
            raise ToolFailed(f"No host named {host} was found.{without_proxy()}") from error
        if not found:
            raise ToolFailed(f"The host {host} has no address.")
        return found


def without_proxy() -> str:
    """For people behind a proxy: why nothing can be reached."""
    named = next((name for name in PROXIES if os.environ.get(name)), "")
    return f" ({named} is set; web_fetch does not use proxies. bash with a network does.)" if named else ""


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_who_was_called(stream: httpcore.AsyncNetworkStream, address: str) -> bool:
    """Also not ourselves, by a public address of our own: then both ends have the same."""
    peer, own = stream.get_extra_info("server_addr"), stream.get_extra_info("client_addr")
    if not peer or not own:
        return False
    return ip_address(peer[0]) == ip_address(address) != ip_address(own[0])
