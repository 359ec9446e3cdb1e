"""How `trouper mcp` writes of a server: one line of it, and what is said where a secret stands in clear."""

import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path

from actors.settings.mcp import expansion, words
from actors.settings.mcp.servers import McpServer
from actors.settings.redaction import MARK, redacted
from ui.common.harmless import exposed_line
from ui.headless.one_answer import complain


def brief(server: McpServer) -> str:
    """What it runs or reaches, without what looks like a secret."""
    said = shlex.join((server.command, *server.args)) if server.command else server.url
    return exposed_line(redacted(said))


def values(pairs: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Of variables and headers: references as they are, all else hidden."""
    for name, text in pairs.items():
        yield name, text if not text or expansion.variables(text) else MARK


def warn(server: McpServer, here: Path) -> None:
    """Of what whoever wrote it may not have meant. here: the folder that it was written in."""
    for word in _not_looked_for(server, here):
        complain(
            f"{server.name}: {word} is not looked for in this folder, for a server of yours starts in one of its own. "
            f"Give the whole path; or, for that of whichever folder you work in: '{_in_workspace(word)}'"
        )
    for key, reference in words.in_clear(server):
        complain(
            f"{server.name}: {key} looks like a secret in clear. By reference, with the secret in your environment: "
            f"'{reference}'"
        )
    if server.url.startswith("http://") and not is_local(server.url):
        complain(f"{server.name}: its url is http, not https: whatever is sent can be read on the way.")


def _not_looked_for(server: McpServer, here: Path) -> Iterator[str]:
    if server.cwd or server.scope == "workspace":
        return
    is_place = "/" in server.command and not server.command.startswith(("/", "~", "$"))
    yield from (server.command,) if is_place else ()
    yield from (word for word in server.args if not word.startswith(("/", "-")) and word and (here / word).exists())


def _in_workspace(word: str) -> str:
    return str(Path(f"${{{expansion.WORKSPACE}}}", word))


def is_local(url: str) -> bool:
    from urllib.parse import urlsplit

    return urlsplit(url).hostname in ("127.0.0.1", "::1", "localhost")
