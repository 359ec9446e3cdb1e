"""What is said to people of an MCP server: what it would do, and where a secret stands in clear. Pure."""

import re
import shlex
from collections.abc import Iterator
from urllib.parse import urlsplit

from actors.settings.mcp import expansion
from actors.settings.mcp.servers import McpServer
from actors.settings.redaction import KEYS
from actors.settings.secret_variables import SECRET, credentials

HEADERS = re.compile(r"authorization|cookie|key|token|secret|auth", re.IGNORECASE)
"""What is in the names of headers that hold a secret."""


def does(server: McpServer) -> tuple[str, ...]:
    """A line each, whatever is in its texts: a second one could pass for something that we say."""
    run = shlex.join((server.command, *server.args))
    lines = [f"run {run}" if server.command else f"reach {server.url}{host_of(server.url)}"]
    if server.command:
        where = "in the sandbox" if server.sandbox else "outside the sandbox"
        lines.append(f"do so {where}, {'with' if server.network else 'without'} a network")
    if server.cwd:
        lines.append(f"do so in {server.cwd}")
    given, how = expansion.names(server), "be given" if server.command else "be sent"
    if secret := [name for name in given if SECRET.search(name)]:
        lines.append(f"{how} your SECRETS {', '.join(secret)}")
    if others := [name for name in given if name not in secret]:
        lines.append(f"{how} your variables {', '.join(others)}")
    return tuple(line.replace("\n", "\\n") for line in lines)


def host_of(url: str) -> str:
    """Behind an address: its host, where a person may take it for another one; "" where that is plain."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    if host.isascii() and "@" not in parts.netloc:
        return ""
    try:
        named = host.encode("idna").decode()
    except UnicodeError:
        named = ascii(host)
    return f" (the host is {named})"


def in_clear(server: McpServer) -> Iterator[tuple[str, str]]:
    """Where a secret itself is written, and how it would be by reference. The secret is not in it."""
    for name, text in server.env.items():
        if text and not expansion.variables(text) and (SECRET.search(name) or KEYS.search(text)):
            yield f"env.{name}", f"${{{name}}}"
    for name, text in server.headers.items():
        if text and not expansion.variables(text) and (HEADERS.search(name) or KEYS.search(text)):
            scheme = re.match(r"(?:bearer|basic|token) ", text, re.IGNORECASE)
            variable = f"{server.name}_{'TOKEN' if scheme else name}"
            yield f"headers.{name}", f"{scheme[0] if scheme else ''}${{{re.sub('[^A-Z0-9]', '_', variable.upper())}}}"
    for key, texts in (("args", server.args), ("url", (server.url,))):
        if any(KEYS.search(text) or any(True for _ in credentials(text)) for text in texts):
            yield key, "${NAME}"
