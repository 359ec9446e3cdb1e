"""Which proxy of the environment stands between us and a service: read as Python's own urllib reads them."""

import os
import sys
from importlib import import_module
from urllib.parse import unquote, urlsplit

from actors.providers.faults.fault import Fault, ServiceFailed
from actors.providers.http import transport_rules
from actors.providers.http.httpcore_library import httpcore
from actors.providers.services.addresses import is_here

SOCKS = ("socks5", "socks5h")
HTTP = ("http", "https")
NAMES = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY"


def url_of(service: str) -> str:
    """Of the proxy for this URL, "" where there is none: none can reach this machine's own servers."""
    if not _may_be_set() or is_here(service):
        return ""
    from urllib.request import getproxies, proxy_bypass  # late: few have one, and it takes 10 ms

    parts, proxies = urlsplit(service), getproxies()
    named = proxies.get(parts.scheme) or proxies.get("all") or ""
    if not named or proxy_bypass(parts.netloc.rpartition("@")[2]):
        return ""
    return named if "://" in named else f"http://{named}"


def _may_be_set() -> bool:
    """macOS (untested) keeps them in its settings, too."""
    named = any(value and name.lower().endswith("_proxy") for name, value in os.environ.items())
    return named or sys.platform == "darwin"


def proxy(url: str) -> httpcore.Proxy:
    """Raises ServiceFailed for one that cannot be used."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").encode("ascii"), parts.port
    except ValueError as error:
        raise ServiceFailed(_bad("is not a URL.")) from error
    if not host or parts.scheme not in (*HTTP, *SOCKS):
        raise ServiceFailed(_bad("is not a URL of a proxy."))
    if parts.scheme in SOCKS:
        _check_socks()
    auth = (unquote(parts.username).encode(), unquote(parts.password or "").encode()) if parts.username else None
    context = transport_rules.ssl_context() if parts.scheme == "https" else None
    address = httpcore.URL(scheme=parts.scheme, host=host, port=port, target=b"/")
    return httpcore.Proxy(address, auth, ssl_context=context)


def _check_socks() -> None:
    try:
        import_module("socksio")  # httpcore would only miss it with the first request
    except ImportError as error:
        why = "the environment names a SOCKS proxy, for which the package socksio is missing."
        raise ServiceFailed(Fault("bad_configuration", why, hint="Install it, or unset ALL_PROXY.")) from error


def _bad(what: str) -> Fault:
    return Fault("bad_configuration", f"the proxy that {NAMES} names {what}", hint="Correct or unset it.")
