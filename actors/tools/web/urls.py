"""URLs that may be fetched, read strictly: what programs could read differently is refused, not guessed. Pure."""

import re
from ipaddress import IPv4Address, IPv6Address
from typing import Literal
from urllib.parse import quote, unquote, urljoin, urlsplit

import msgspec

from actors.confinement.errors import ToolFailed
from actors.tools.web.addresses import is_public

Method = Literal["GET", "HEAD"]
LONGEST = 8192
"""Characters."""
LONGEST_HOST = 253
ODD = re.compile(r"[\x00-\x20\x7f-\xa0\\]|\s")
NETLOC = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\[\]:@%/]+)(?::(?P<port>[0-9]{0,5}))?")
LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""A last label like this makes a host an address, in one of several old ways of writing."""
NOT_PUBLIC_NAMES = (
    *(
        "localhost",
        "localdomain",
        "localdomain6",
        "local",
        "internal",
        "intranet",
        "private",
        "lan",
        "home",
        "corp",
        "svc",
    ),
    *("home.arpa", "in-addr.arpa", "ip6.arpa"),
)
"""They and all below them name machines of somebody's own network, whatever a resolver says."""
USUAL = {"http": 80, "https": 443}
FIRST_FREE_PORT = 1024
OTHER_PORTS = {
    *(1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6379, 6566, *range(6665, 6670), 6679, 6697, 10080),
    11211,
}
"""Of other services; most are the ones no browser connects to: https://fetch.spec.whatwg.org/#port-blocking"""
IN_PATH = "/%:@!$&'()*+,;=~-._"


class Url(msgspec.Struct, frozen=True):
    scheme: str
    host: str
    """A name in ASCII, or an address without brackets."""
    port: int
    target: str
    """Path and query, percent-encoded."""

    @property
    def path(self) -> str:
        """Decoded."""
        return unquote(self.target.partition("?")[0])

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == USUAL[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    def __str__(self) -> str:
        return self.origin + self.target


def parse(text: str) -> Url:
    """Raises ToolFailed."""
    if len(text) > LONGEST:
        raise ToolFailed(f"The URL is longer than {LONGEST} characters.")
    if ODD.search(text):
        raise ToolFailed("The URL has a space, a control character or a backslash in it. Percent-encode it.")
    try:
        parts = urlsplit(text)
    except ValueError as error:
        raise ToolFailed(f"That is no URL: {error}.") from error
    if parts.scheme not in USUAL:
        raise ToolFailed("Only http:// and https:// URLs can be fetched.")
    if "@" in parts.netloc:
        raise ToolFailed("A URL with a user name or password in it is not fetched. Leave them out.")
    found = NETLOC.fullmatch(parts.netloc)
    if found is None:
        raise ToolFailed("The URL names no host that could be read. Write https://HOST/PATH.")
    port = int(found["port"] or USUAL[parts.scheme])
    _check_port(parts.scheme, port)
    query = f"?{quote(parts.query, safe=IN_PATH + '?')}" if parts.query else ""
    return Url(parts.scheme, _host(found["host"]), port, quote(parts.path or "/", safe=IN_PATH) + query)


def redirected(url: Url, location: str) -> Url:
    """Where an answer sends us. Raises ToolFailed."""
    try:
        joined = urljoin(str(url), location.strip(" \t"))
    except ValueError as error:
        raise ToolFailed(f"{url} redirects to what is no URL.") from error
    try:
        new = parse(joined)
    except ToolFailed as refused:
        raise ToolFailed(f"{url} redirects to a place that is not fetched: {refused}") from refused
    if url.scheme == "https" and new.scheme == "http":
        raise ToolFailed(f"{url} redirects to unencrypted http, which is not followed.")
    return new


def not_public(host: str) -> ToolFailed:
    return ToolFailed(
        f"{host} is not a public address. web_fetch reaches the public web only, never this machine or its network; "
        "for a server of the workspace use bash."
    )


def _check_port(scheme: str, port: int) -> None:
    """Web servers have the usual port or a free one; another service might do what it is sent."""
    free = FIRST_FREE_PORT <= port < 2**16 and port not in OTHER_PORTS
    if not free and port not in USUAL.values():
        raise ToolFailed(f"Port {port} is not one of a web server. Use {USUAL[scheme]} or one from {FIRST_FREE_PORT}.")


def _host(given: str) -> str:
    """Raises ToolFailed."""
    if given.startswith("["):
        return _public_address(given, given[1:-1], IPv6Address)
    name = _ascii(given.lower()).removesuffix(".")
    labels = name.split(".")
    if NUMBER.fullmatch(labels[-1]):
        return _public_address(given, name, IPv4Address)
    if len(name) > LONGEST_HOST or not all(map(LABEL.fullmatch, labels)):
        raise ToolFailed(f'"{given}" is not the name of a host.')
    if len(labels) == 1 or any(f".{name}".endswith(f".{local}") for local in NOT_PUBLIC_NAMES):
        raise not_public(given)
    return name


def _ascii(name: str) -> str:
    """What would first have to be turned into other characters, such as full-width digits, is refused.

    Both standards for names of other alphabets have to agree: the gate judges by the older one.
    """
    if name.isascii():
        return name
    import idna

    try:
        found = idna.encode(name)
        same = found == name.encode("idna")
    except (idna.IDNAError, UnicodeError) as error:
        raise ToolFailed(f'"{name}" is not the name of a host.') from error
    if not same:
        raise ToolFailed(f'"{name}" means two names, {name.encode("idna").decode()} and {found.decode()}: use one.')
    return found.decode()


def _public_address(given: str, text: str, kind: type[IPv4Address | IPv6Address]) -> str:
    try:
        address = str(kind(text))
    except ValueError as error:
        raise ToolFailed(f"{given} is not an address as it is usually written, such as 93.184.215.14.") from error
    if not is_public(address):
        raise not_public(given)
    return address
