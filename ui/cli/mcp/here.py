"""Where `trouper mcp` looks, and which server is meant by a name: also one that has a mistake."""

import argparse
import difflib
import os
from pathlib import Path
from typing import Any, NamedTuple

from actors.settings import config, toml_files
from actors.settings.mcp import configured, vouching, writing
from actors.settings.mcp.servers import Configured, Scope
from ui.common.usage_errors import Usage, workspace
from ui.start.launch_state import Launch


class Here(NamedTuple):
    home: Path
    """TROUPER_HOME."""
    cwd: Path
    launch: Launch

    def file(self, scope: Scope) -> Path:
        """Into which servers of this scope are written."""
        return self.cwd / vouching.FILE if scope == "workspace" else self.home / configured.USERS_FILE

    def files(self) -> tuple[tuple[Path, Scope], ...]:
        """All; what the first says counts more."""
        toml = self.home / "config.toml"
        return (toml, "user"), (self.file("user"), "user"), (self.file("workspace"), "workspace")

    def configured(self) -> Configured:
        """Raises BadConfiguration."""
        user = toml_files.read(self.home / "config.toml", config.UserFile)
        return configured.read(self.home, self.cwd, user.mcp)


class Written(NamedTuple):
    """A server in a file, whatever is written of it."""

    name: str
    path: Path
    scope: Scope
    entry: Any


def here(options: argparse.Namespace, launch: Launch) -> Here:
    """Raises Usage and BadConfiguration."""
    home = config.home_folder(os.environ)
    config.make_home(home)
    return Here(home, workspace(options), launch)


def written(place: Here, name: str, scope: Scope | None = None) -> list[Written]:
    """Where there is one of this name; the first counts. Raises BadConfiguration."""
    return [
        Written(name, path, its_scope, entries[name])
        for path, its_scope in place.files()
        if scope in (None, its_scope) and name in (entries := writing.written(path))
    ]


def meant(place: Here, name: str, scope: Scope | None = None) -> Written:
    """Raises Usage and BadConfiguration."""
    if found := written(place, name, scope):
        return found[0]
    known = [each for path, _ in place.files() for each in writing.written(path)]
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"Did you mean {near[0]}?" if near else "See: trouper mcp list"
    raise Usage(f'no MCP server is called "{name}" here. {hint}')


def meant_to_count(place: Here, name: str) -> str:
    """Raises Usage and BadConfiguration: what does not count is not started."""
    found = place.configured()
    if name in {server.name for server in found.servers}:
        return name
    meant(place, name)
    why = next((one.reason or one.why for one in found.left_out if one.name == name), "it does not count here")
    raise Usage(f'the MCP server "{name}" does not count: {why}')


def add_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", help="the server's; see trouper mcp list")


def _scope(word: str) -> str:
    """Claude Code's words are understood, too."""
    return {"project": "workspace", "local": "user"}.get(word, word)


def add_scope(parser: argparse.ArgumentParser, *, default: Scope | None = None) -> None:
    parser.add_argument(
        "-s",
        "--scope",
        choices=("user", "workspace"),
        type=_scope,
        default=default,
        metavar="SCOPE",
        help="user: yours, in every folder; workspace: this folder's .mcp.json",
    )
