"""Cursor's: ~/.cursor/mcp.json, and .cursor/mcp.json of a workspace."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from actors.settings import toml_files
from actors.settings.mcp import json_files
from actors.settings.mcp.foreign.translation import Change, Translated, as_key, oauth, translated, unused

KEYS: Mapping[str, Change] = {
    "disabled": as_key("disabled"),
    "envFile": unused("a file of variables (envFile) is not read here: set them where you start trouper"),
    "auth": oauth({"CLIENT_ID": "client_id", "scopes": "scopes"}),
}


def places(home: Path, _environ: Mapping[str, str], cwd: Path) -> tuple[Path, ...]:
    return (cwd / ".cursor/mcp.json", home / ".cursor/mcp.json")


def servers(path: Path, _cwd: Path) -> Iterator[Translated]:
    """Raises BadConfiguration."""
    text = json_files.without_comments(toml_files.text_of(path))
    for name, foreign in json_files.entries(text, path).items():
        yield translated(name, foreign, KEYS, str(path))
