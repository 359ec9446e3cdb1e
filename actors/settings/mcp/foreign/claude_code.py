"""Claude Code's: ~/.claude.json, for all folders and for this one. What .mcp.json has is read as it is."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from actors.errors import BadConfiguration
from actors.settings import toml_files
from actors.settings.mcp.foreign.translation import Change, Translated, as_key, oauth, translated, unused

MOST_BYTES = 64 * 1024 * 1024
"""It keeps its history there, too."""
KEYS: Mapping[str, Change] = {
    "timeout": as_key("call_timeout_s", per=1000),
    "oauth": oauth({"clientId": "client_id", "callbackPort": "redirect_port", "scopes": "scopes"}),
    "headersHelper": unused("a command that makes headers (headersHelper) is not run here"),
    "alwaysLoad": unused("alwaysLoad has no meaning here"),
}


class Project(msgspec.Struct, frozen=True, rename="camel"):
    mcp_servers: dict[str, object] = {}
    disabled_mcp_servers: tuple[str, ...] = ()


class File(msgspec.Struct, frozen=True, rename="camel"):
    mcp_servers: dict[str, object] = {}
    projects: dict[str, Project] = {}


def places(home: Path, environ: Mapping[str, str], _cwd: Path) -> tuple[Path, ...]:
    return (Path(environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json",)


def servers(path: Path, cwd: Path) -> Iterator[Translated]:
    """Those of this folder count more than those for all. Raises BadConfiguration."""
    try:
        file = msgspec.json.decode(toml_files.text_of(path, MOST_BYTES) or "{}", type=File)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadConfiguration(f"{path} is not as it should be: {error}.") from error
    here = file.projects.get(str(cwd), Project())
    for name, foreign in {**file.mcp_servers, **here.mcp_servers}.items():
        made = translated(name, foreign, KEYS, str(path))
        if name in here.disabled_mcp_servers:
            made.entry["enabled"] = False
        yield made
