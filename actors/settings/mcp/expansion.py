"""Variables in what is said of an MCP server: filled in where it is started, and nowhere else. Pure."""

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import msgspec

from actors.errors import BadConfiguration
from actors.settings.mcp.servers import McpServer

VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?:(:-)([^}]*))?\}")
"""${NAME}, ${NAME:-default}; editors write ${env:NAME}."""


def names(server: McpServer) -> tuple[str, ...]:
    """Of all variables of the environment that it is given or that are sent to it."""
    texts = (server.command, server.cwd, server.url, *server.args, *server.env.values(), *server.headers.values())
    return tuple(dict.fromkeys(match[1] for text in texts for match in VARIABLE.finditer(text)))


def expanded(server: McpServer, environ: Mapping[str, str], workspace: Path) -> McpServer:
    """As it is started: no variables, and cwd and write are absolute. Raises BadConfiguration.

    environ: the user's, with secrets: what comes of it goes to this server alone.
    """
    fill = partial(_filled, server, environ)
    return msgspec.structs.replace(
        server,
        command=fill("command", server.command),
        args=tuple(fill("args", text) for text in server.args),
        env={name: fill(f"env.{name}", text) for name, text in server.env.items()},
        cwd=str(workspace / Path(fill("cwd", server.cwd)).expanduser()),
        url=fill("url", server.url),
        headers={name: fill(f"headers.{name}", text) for name, text in server.headers.items()},
        write=tuple(str(workspace / Path(text).expanduser()) for text in server.write),
    )


def _filled(server: McpServer, known: Mapping[str, str], key: str, text: str) -> str:
    """Raises BadConfiguration."""

    def value(found: re.Match[str]) -> str:
        name, has_default = found[1], found[2]
        said = known.get(name, "")
        if has_default:
            return said or found[3]
        if name not in known:
            why = f"{key} needs the variable {name}, which is not set. Set it, or write ${{{name}:-}}"
            raise BadConfiguration(f'{server.source}: the MCP server "{server.name}": {why}.')
        return said

    return VARIABLE.sub(value, text)
