"""Variables in what is said of an MCP server: filled in where it is started, and nowhere else. Pure."""

import re
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import msgspec

from actors.errors import BadConfiguration
from actors.settings.mcp.entries import STEERS, mistaken_url
from actors.settings.mcp.servers import McpServer

VARIABLE = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*+)(?:(:-)([^}]{0,1000}))?\}")
"""${NAME}, ${NAME:-default}; editors write ${env:NAME}. A longer default is none."""
WORKSPACE, HOME = "workspaceFolder", "userHome"
"""What editors call these places."""


def variables(*texts: str) -> tuple[str, ...]:
    """The names of those of the environment that are in them, each once."""
    found = dict.fromkeys(match[1] for text in texts for match in VARIABLE.finditer(text))
    return tuple(name for name in found if name not in (WORKSPACE, HOME))


def names(server: McpServer) -> tuple[str, ...]:
    """Of all variables of the environment that it is given or that are sent to it."""
    secret = (server.oauth.client_secret_env,) if server.oauth.client_secret_env else ()
    return (*variables(*(text for _, text in _texts(server))), *secret)


def expanded(server: McpServer, environ: Mapping[str, str], workspace: Path) -> McpServer:
    """As it is started: no variables, and write and, where it says one, cwd are absolute. Raises BadConfiguration.

    environ: the user's, with secrets: what comes of it goes to this server alone.
    """
    own = {WORKSPACE: str(workspace), HOME: str(Path.home())}
    fill = partial(_filled, server, {**environ, **own})
    made = msgspec.structs.replace(
        server,
        command=fill("command", server.command),
        args=tuple(fill("args", text) for text in server.args),
        env={name: fill(f"env.{name}", text) for name, text in server.env.items()},
        cwd=_folder(server, workspace, fill("cwd", server.cwd)) if server.cwd else "",
        url=fill("url", server.url),
        headers={name: fill(f"headers.{name}", text) for name, text in server.headers.items()},
        write=tuple(_folder(server, workspace, fill("write", text)) for text in server.write),
    )
    if why := _mistake(made):
        raise _bad(server, f"{why}, once its variables are filled in")
    return made


def _texts(server: McpServer) -> Iterator[tuple[str, str]]:
    yield from (("command", server.command), ("cwd", server.cwd), ("url", server.url))
    yield from (("args", text) for text in server.args)
    yield from ((f"env.{name}", text) for name, text in server.env.items())
    yield from ((f"headers.{name}", text) for name, text in server.headers.items())


def _folder(server: McpServer, workspace: Path, said: str) -> str:
    """Raises BadConfiguration."""
    try:
        return str(workspace / Path(said).expanduser())
    except RuntimeError as error:
        raise _bad(server, f"{said}: there is no such home folder") from error


def _filled(server: McpServer, known: Mapping[str, str], key: str, text: str) -> str:
    """Raises BadConfiguration."""

    def value(found: re.Match[str]) -> str:
        name, has_default = found[1], found[2]
        said = known.get(name, "")
        if has_default:
            return said or found[3]
        if name not in known:
            raise _bad(server, f"{key} needs the variable {name}, which is not set. Set it, or write ${{{name}:-}}")
        return said

    return VARIABLE.sub(value, text)


def _mistake(made: McpServer) -> str:
    """Of what a variable has brought; nothing of it is quoted."""
    if made.url and (why := mistaken_url(made.url)):
        return why
    if any("\x00" in text for _, text in _texts(made)):
        return "it has the control character 0x00"
    broken = [name for name, text in made.headers.items() if STEERS.search(text)]
    return f"headers.{broken[0]} has a control character" if broken else ""


def _bad(server: McpServer, why: str) -> BadConfiguration:
    return BadConfiguration(f'{server.source}: the MCP server "{server.name}": {why}.')
