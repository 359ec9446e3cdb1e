"""Which addresses are believed that a server and its sign-in service name. Pure."""

from ipaddress import ip_address
from urllib.parse import urlsplit

from mcp.client.auth import OAuthFlowError


def check(url: str, server: str) -> None:
    """server: its own address, which the user has chosen. Raises OAuthFlowError: nothing is sent there.

    Secrets go over https. Plain http is for this machine, and then for a server on it: else it could have us ask what
    listens here. Or for its own host, where the user speaks plain http to it already.
    """
    try:
        to, own = urlsplit(url), urlsplit(server)
        host, here = to.hostname or "", own.hostname or ""
        secret = to.username is not None or to.password is not None
        _ = to.port
    except ValueError:
        raise OAuthFlowError("an address of its sign-in is none") from None
    if secret or not host or to.scheme not in ("https", "http"):
        raise OAuthFlowError("an address of its sign-in is none of the web")
    plain = (_is_here(host) and _is_here(here)) or (own.scheme == "http" and host == here)
    if to.scheme == "http" and not plain:
        raise OAuthFlowError(f"its sign-in at {host} is not over https")


def _is_here(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
