"""Changing what is written of MCP servers: order, indent and comments stay, and nobody sees half a file."""

import fcntl
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from actors.common.small_files import replacing
from actors.errors import BadConfiguration
from actors.settings import toml_files
from actors.settings.mcp import json_files
from actors.settings.mcp.vouching import FILE

if TYPE_CHECKING:
    from tomlkit import TOMLDocument

Entries = dict[str, Any]
"""What is written of each server, by name; a change is made in it."""


def written(path: Path) -> Entries:
    """Also what is no server; {} where there is no such file. Raises BadConfiguration."""
    text = toml_files.text_of(path)
    if path.suffix == ".json":
        return json_files.entries(text, path)
    found = toml_files.table(text, path).get("mcp", {})
    return found if isinstance(found, dict) else {}


def change(path: Path, edit: Callable[[Entries], None]) -> None:
    """Of a JSON file, which need not be there yet, or of [mcp] in TOML. Raises BadConfiguration; then untouched."""
    edited = _edited_json if path.suffix == ".json" else _edited_toml
    _rewrite(path, lambda text: edited(text, path, edit))


def _edited_json(text: str, path: Path, edit: Callable[[Entries], None]) -> str:
    import json

    whole = json_files.parse(text, path)
    json_files.servers_in(whole, path)
    key = next((key for key in json_files.KEYS if key in whole), json_files.KEYS[0])
    edit(whole.setdefault(key, {}))
    json_files.servers_in(whole, path)
    return json.dumps(whole, indent=_indent(text), ensure_ascii=False) + "\n"


def _edited_toml(text: str, path: Path, edit: Callable[[Entries], None]) -> str:
    from tomlkit import parse
    from tomlkit.exceptions import TOMLKitError

    toml_files.table(text, path)
    try:
        document: TOMLDocument = parse(text)
        edit(document.get("mcp", {}))
        after = document.as_string()
    except TOMLKitError as error:
        raise BadConfiguration(f"cannot change {path}: {error}.") from error
    toml_files.table(after, path)
    return after


def _rewrite(path: Path, edited: Callable[[str], str]) -> None:
    """Raises BadConfiguration."""
    is_shared = path.name == FILE
    if is_shared and path.is_symlink():
        raise BadConfiguration(f"{path} is a symlink: MCP servers are not written through one.")
    try:
        with _locked(path.parent if is_shared else path.parent.parent):
            before = toml_files.text_of(path)
            after = edited(before)
            if after != before:
                _replace(path.resolve(), after, path.stat().st_mode & 0o777 if is_shared and before else None)
    except OSError as error:
        raise BadConfiguration(f"cannot write {path}: {error}.") from error


def _replace(path: Path, text: str, mode: int | None) -> None:
    """mode: as it was; None: for this user only. Raises OSError."""
    with replacing(path) as file:
        if mode is not None:
            os.fchmod(file.fileno(), mode)
        file.write(text.encode())


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Another one may be writing, too: the same lock as of who writes down rules. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _indent(text: str) -> int | str:
    found = re.search(r'^([ \t]+)"', text, re.MULTILINE)
    return found[1] if found else 2
