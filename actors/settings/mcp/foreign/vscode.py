"""VS Code's: mcp.json of the user and .vscode/mcp.json of a workspace; what it asks for becomes a variable."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from actors.settings import toml_files
from actors.settings.mcp import json_files
from actors.settings.mcp.foreign.translation import Change, Translated, oauth, translated, unused

INPUT = re.compile(r"\$\{input:([^}]{0,200})\}")
USERS = (".config/Code/User/mcp.json", "Library/Application Support/Code/User/mcp.json")
KEYS: Mapping[str, Change] = {
    "envFile": unused("a file of variables (envFile) is not read here: set them where you start trouper"),
    "dev": unused("dev has no meaning here"),
    "sandboxEnabled": unused("it runs in the sandbox here, whatever sandboxEnabled says"),
    "sandbox": unused("its own sandbox rules do not count: see write and network"),
    "oauth": oauth({"clientId": "client_id"}),
}


def places(home: Path, _environ: Mapping[str, str], cwd: Path) -> tuple[Path, ...]:
    return (cwd / ".vscode/mcp.json", *(home / name for name in USERS))


def servers(path: Path, _cwd: Path) -> Iterator[Translated]:
    """Raises BadConfiguration."""
    whole = json_files.parse(json_files.without_comments(toml_files.text_of(path)), path)
    if not whole.get("servers") and "mcpServers" not in whole:
        return
    for name, foreign in json_files.servers_in(whole, path).items():
        asked = sorted(set(_inputs(foreign)))
        made = translated(name, _with_variables(foreign), KEYS, str(path))
        told = tuple(f"what VS Code asks for ({each}) is the variable {variable_of(each)} here" for each in asked)
        yield made._replace(lost=(*made.lost, *told))


def variable_of(name: str) -> str:
    variable = re.sub(r"[^A-Z0-9]+", "_", name.upper()).strip("_") or "INPUT"
    return variable if not variable[0].isdigit() else f"INPUT_{variable}"


def _inputs(value: Any) -> Iterator[str]:  # noqa: ANN401  # whatever is written there
    match value:
        case str():
            yield from INPUT.findall(value)
        case list() | dict():
            for inner in value.values() if isinstance(value, dict) else value:
                yield from _inputs(inner)
        case _:
            return


def _with_variables(value: Any) -> Any:  # noqa: ANN401
    match value:
        case str():
            return INPUT.sub(lambda found: f"${{{variable_of(found[1])}}}", value)
        case list():
            return [_with_variables(inner) for inner in value]
        case dict():
            return {key: _with_variables(inner) for key, inner in value.items()}
        case _:
            return value
