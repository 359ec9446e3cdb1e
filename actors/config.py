"""Settings: TROUPER_HOME/config.toml < workspace .trouper/config.toml < environment < flags.

A workspace is not trusted: its file may choose among what the user set up and tighten permissions, nothing else.
"""

import difflib
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, TypeVar

import msgspec

from actors.errors import BadConfiguration
from actors.messages.tool import Mode

Api = Literal["openai-chat", "anthropic-messages"]


class ProviderSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    api: Api
    base_url: str
    """By the service's own convention: with /v1 for the OpenAI formats, without for Anthropic."""
    api_key_env: str = ""
    """Name of the environment variable that holds the key; "" for none."""
    idle_timeout_s: float = 60.0
    """No byte for so long: the stream counts as broken."""


class Permissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rules are tool names: "Bash", "Write"."""

    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()


class TightenedPermissions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    deny: tuple[str, ...] = ()


class UserFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """TROUPER_HOME/config.toml."""

    model: str = ""
    mode: Mode = "default"
    max_turns: int = 40
    providers: dict[str, ProviderSettings] = {}
    permissions: Permissions = Permissions()


class WorkspaceFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """.trouper/config.toml of a repository, which anybody may have written."""

    model: str = ""
    max_turns: int | None = None
    permissions: TightenedPermissions = TightenedPermissions()


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What every actor of one session is given."""

    home: str
    """TROUPER_HOME."""
    cwd: str
    """The workspace: tools stay inside it."""
    session_id: str
    resume: bool = False
    """Go on with a session that exists: session_id may be the beginning of an id, or "" for the latest here."""
    run_id: str
    """One start of the program; a resumed session has several."""
    model: str = ""
    """PROVIDER/NAME, or "" to let the providers choose."""
    mode: Mode = "default"
    interactive: bool = False
    """There is somebody to ask."""
    max_turns: int = 40
    """Model requests in one turn."""
    providers: dict[str, ProviderSettings] = {}
    permissions: Permissions = Permissions()
    front: msgspec.Raw = msgspec.Raw(b"\xc0")
    """What the actor that talks to the user was asked to do; only that actor reads it."""


def home_folder(environ: Mapping[str, str]) -> Path:
    return Path(environ.get("TROUPER_HOME") or Path.home() / ".trouper").absolute()


def load(home: Path, cwd: Path, environ: Mapping[str, str], session_id: str, run_id: str) -> Settings:
    """Files and environment; flags are the caller's. Raises BadConfiguration."""
    user = _read(home / "config.toml", UserFile)
    workspace = _read(cwd / ".trouper" / "config.toml", WorkspaceFile)
    permissions = Permissions(allow=user.permissions.allow, deny=(*user.permissions.deny, *workspace.permissions.deny))
    return Settings(
        home=str(home),
        cwd=str(cwd),
        session_id=session_id,
        run_id=run_id,
        model=environ.get("TROUPER_MODEL") or workspace.model or user.model,
        mode=user.mode,
        max_turns=workspace.max_turns if workspace.max_turns is not None else user.max_turns,
        providers=user.providers,
        permissions=permissions,
    )


File = UserFile | WorkspaceFile
FileType = TypeVar("FileType", UserFile, WorkspaceFile)


def _read(path: Path, shape: type[FileType]) -> FileType:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return shape()
    except (OSError, UnicodeDecodeError) as error:
        raise BadConfiguration(f"cannot read {path}: {error}. Make it readable, or move it away.") from error
    try:
        return msgspec.convert(tomllib.loads(text), shape)
    except tomllib.TOMLDecodeError as error:
        raise BadConfiguration(f"{path} is not valid TOML: {error}.") from error
    except msgspec.ValidationError as error:
        raise BadConfiguration(f"{path}: {_explain(str(error), shape)}") from error


def _explain(error: str, shape: type[File]) -> str:
    unknown = re.search(r"unknown field `([^`]*)`(?: - at `\$\.?(.*)`)?", error)
    if unknown is None:
        return f"{error}."
    key, place = unknown[1], unknown[2] or ""
    where = f"in [{place.replace('[...]', '.NAME')}] " if place else ""
    if shape is WorkspaceFile and key in {*UserFile.__struct_fields__, *Permissions.__struct_fields__}:
        return f'"{key}" may only be set in your own config file: a workspace is not trusted to.'
    near = difflib.get_close_matches(key, _keys(place, shape), n=2, cutoff=0.5)
    if near:
        return f'unknown key "{key}" {where}. Did you mean {" or ".join(near)}?'.replace(" .", ".")
    return f'unknown key "{key}" {where}; known are: {", ".join(_keys(place, shape))}.'.replace(" ;", ";")


def _keys(place: str, shape: type[File]) -> tuple[str, ...]:
    if place.startswith("permissions"):
        return (Permissions if shape is UserFile else TightenedPermissions).__struct_fields__
    if place.startswith("providers"):
        return ProviderSettings.__struct_fields__
    return shape.__struct_fields__


def make_home(home: Path) -> None:
    """TROUPER_HOME and its folders, for this user only. Raises BadConfiguration."""
    try:
        for folder in (home, home / "logs", home / "run"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadConfiguration(
            f"cannot make {home}: {error}. Set TROUPER_HOME to a folder you can write to."
        ) from error
    if not os.access(home, os.W_OK):
        raise BadConfiguration(f"cannot write to {home}. Set TROUPER_HOME to a folder you can write to.")
