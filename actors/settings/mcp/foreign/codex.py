"""Codex's: [mcp_servers.NAME] in ~/.codex/config.toml, and in .codex/config.toml of a workspace."""

from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from actors.settings import toml_files
from actors.settings.mcp.foreign.translation import (
    Change,
    Entry,
    Translated,
    as_key,
    oauth,
    translated,
    unused,
)

APPROVAL = unused("what it asks about follows from your rules here: see trouper permissions --help")


def _variables(entry: Entry, value: object) -> str:
    """Names of variables that are handed on where they are set."""
    names = msgspec.convert(value, list[str])
    entry.setdefault("env", {}).update({name: f"${{{name}:-}}" for name in names})
    return ""


def _headers(entry: Entry, value: object) -> str:
    entry.setdefault("headers", {}).update(msgspec.convert(value, dict[str, str]))
    return ""


def _headers_of_variables(entry: Entry, value: object) -> str:
    named = msgspec.convert(value, dict[str, str])
    entry.setdefault("headers", {}).update({name: f"${{{variable}}}" for name, variable in named.items()})
    return ""


def _bearer(entry: Entry, value: object) -> str:
    entry.setdefault("headers", {})["Authorization"] = f"Bearer ${{{msgspec.convert(value, str)}}}"
    return ""


def _scopes(entry: Entry, value: object) -> str:
    entry.setdefault("oauth", {})["scopes"] = value
    return ""


KEYS: Mapping[str, Change] = {
    "env_vars": _variables,
    "http_headers": _headers,
    "env_http_headers": _headers_of_variables,
    "bearer_token_env_var": _bearer,
    "startup_timeout_sec": as_key("start_timeout_s"),
    "startup_timeout_ms": as_key("start_timeout_s", per=1000),
    "tool_timeout_sec": as_key("call_timeout_s"),
    "enabled": as_key("enabled"),
    "enabled_tools": as_key("allow"),
    "disabled_tools": as_key("deny"),
    "oauth": oauth({"client_id": "client_id"}),
    "scopes": _scopes,
    "required": unused("no server is required here (required): a session begins without it"),
    "tools": APPROVAL,
    "default_tools_approval_mode": APPROVAL,
}


def places(home: Path, environ: Mapping[str, str], cwd: Path) -> tuple[Path, ...]:
    return (cwd / ".codex/config.toml", Path(environ.get("CODEX_HOME") or home / ".codex") / "config.toml")


def servers(path: Path, _cwd: Path) -> Iterator[Translated]:
    """Raises BadConfiguration."""
    found = toml_files.table(toml_files.text_of(path), path).get("mcp_servers", {})
    for name, foreign in found.items() if isinstance(found, dict) else ():
        yield translated(name, foreign, KEYS, str(path))
