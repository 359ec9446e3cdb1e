"""Which addresses are of this machine or near it."""

import ipaddress
from urllib.parse import urlsplit

from actors.providers.faults.fault import ADDRESS, Fault, ServiceFailed

NO_URL = Fault("unreachable", f"{ADDRESS} is not a URL.", hint="Write http://HOST:PORT/v1 or https://HOST.")


def is_here(url: str) -> bool:
    """Does the URL name this machine? Raises ServiceFailed when it is none."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname or "", parts.port
        host.encode("idna")  # else the resolver fails on it
    except ValueError as error:
        raise ServiceFailed(NO_URL) from error
    if parts.scheme not in ("http", "https", "ws", "wss") or not host:
        raise ServiceFailed(NO_URL)
    return is_own(host)


def is_nearby(url: str) -> bool:
    """Does it name this machine, or one of the local network?"""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return False
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return is_own(host) or "." not in host or host.endswith((".local", ".lan", ".internal"))
    return address.is_private or address.is_unspecified


def is_own(host: str) -> bool:
    """Is it a name or an address of this machine?"""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified
