"""The hosts of URLs, and the domains of rules that are about them."""

import re
from urllib.parse import urlsplit


def host(url: str) -> str:
    """In lower case, names of other alphabets as they are sent; "" where others might read it differently."""
    before_query = url.partition("?")[0]
    if any(char.isspace() or char in "\\%" or not char.isprintable() for char in before_query):
        return ""
    try:
        return _as_sent((urlsplit(url).hostname or "").rstrip("."))
    except (ValueError, UnicodeError):
        return ""


def is_domain(pattern: str, host: str) -> bool:
    """*.example.com is example.com and all below it; ports do not count."""
    below = pattern.startswith("*.")
    try:
        wanted = _as_sent(re.sub(r":\d+$", "", pattern.removeprefix("*.")).rstrip("."))
    except UnicodeError:
        return False
    return wanted == "*" or host == wanted or (below and host.endswith(f".{wanted}"))


def _as_sent(name: str) -> str:
    return (name if name.isascii() else name.encode("idna").decode()).casefold()
