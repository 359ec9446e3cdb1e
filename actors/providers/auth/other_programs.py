"""Sign-ins that other programs of the user's keep: found by their files alone, and read when the user says so.

OpenCode: auth.json (its packages/opencode/src/auth/index.ts). Copilot's editors: apps.json, of old hosts.json. GitHub
CLI: it is asked itself (gh-auth-token(1)), for its tokens may be in a keyring. Nothing of theirs is ever changed.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
import trio

from actors.common import installed_programs
from actors.common.small_files import read_regular
from actors.errors import failed
from actors.messages.auth import OtherProgram, Program
from actors.providers.auth.ways.copilot import CLIENT
from actors.providers.faults.foreign_json import Unreadable, decoded

MOST = 1024 * 1024
"""Bytes of a file."""
GH_S = 15.0
"""For GitHub CLI: a keyring may have to be unlocked first."""
KEY = re.compile(r"[\x21-\x7e]{1,4096}")
OAUTH = ("gho_", "ghu_")
"""Tokens of sign-ins; Copilot refuses those that people make themselves (ghp_, github_pat_)."""
GH_SEES = ("HOME", "PATH", "GH_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
"""Of the environment; DBUS_SESSION_BUS_ADDRESS, too. Not GH_TOKEN: that is no sign-in."""
NO_SIGN_IN = "what it has is no sign-in but a token that somebody made, which Copilot refuses."
ONE_ONLY = "two programs cannot renew the same sign-in."
CHATGPT = " Sign in here as well: trouper auth login codex"
Entries = TypeVar("Entries")


class _Api(msgspec.Struct, tag_field="type", tag="api"):
    key: str


class _OAuth(msgspec.Struct, tag_field="type", tag="oauth"):
    refresh: str = ""
    enterprise_url: str = msgspec.field(default="", name="enterpriseUrl")


class _WellKnown(msgspec.Struct, tag_field="type", tag="wellknown"):
    pass


class _App(msgspec.Struct):
    oauth_token: str = ""
    user: str = ""


@dataclass
class Found:
    """What a program keeps. Never shown."""

    keys: dict[str, str] = field(default_factory=dict, repr=False)
    """API keys, by provider."""
    github: str = field(default="", repr=False)
    """A token of GitHub's."""
    account: str = ""
    left_out: list[str] = field(default_factory=list)
    """What cannot be used here, and why."""


class OtherPrograms:
    def __init__(self, environ: Mapping[str, str], workspace: Path) -> None:
        self._environ = environ
        self._workspace = workspace

    def present(self) -> list[OtherProgram]:
        """Those that have something here. Nothing is opened or run."""
        places: dict[Program, list[Path]] = {"opencode": [self._opencode], "gh": [self._gh], "copilot": self._copilot}
        there = {program: next((path for path in paths if path.is_file()), None) for program, paths in places.items()}
        return [OtherProgram(program=program, place=str(path)) for program, path in there.items() if path]

    async def read(self, program: Program, github: str) -> Found:
        """github: the host of GitHub whose tokens count. Raises Failed."""
        match program:
            case "opencode":
                return _of_opencode(_read(self._opencode, dict[str, msgspec.Raw]), github)
            case "copilot":
                path = next((path for path in self._copilot if path.is_file()), self._copilot[0])
                return _of_copilot(_read(path, dict[str, _App]), github)
            case "gh":
                return await self._of_gh(github)

    @property
    def _opencode(self) -> Path:
        return self._folder("XDG_DATA_HOME", ".local/share") / "opencode" / "auth.json"

    @property
    def _gh(self) -> Path:
        own = self._environ.get("GH_CONFIG_DIR", "")
        return (Path(own) if own else self._folder("XDG_CONFIG_HOME", ".config") / "gh") / "hosts.yml"

    @property
    def _copilot(self) -> list[Path]:
        folder = self._folder("XDG_CONFIG_HOME", ".config") / "github-copilot"
        return [folder / "apps.json", folder / "hosts.json"]

    def _folder(self, variable: str, usual: str) -> Path:
        told = Path(self._environ.get(variable, ""))
        return told if told.is_absolute() else Path(self._environ.get("HOME") or "/nowhere", usual)

    async def _of_gh(self, github: str) -> Found:
        """Raises Failed."""
        gh = installed_programs.find("gh", self._workspace)
        if not gh:
            raise failed("no_credentials", "GitHub CLI (gh) is not installed here.")
        seen = {name: value for name, value in self._environ.items() if name in (*GH_SEES, "DBUS_SESSION_BUS_ADDRESS")}
        ask = partial(
            trio.run_process,
            [gh, "auth", "token", "--hostname", github],
            capture_stdout=True,
            stderr=subprocess.DEVNULL,
            check=False,
            env=seen,
            cwd="/",
        )
        with trio.move_on_after(GH_S):
            said = (await ask()).stdout.decode(errors="replace").strip()
            if not said:
                raise failed("no_credentials", f"GitHub CLI is not signed in to {github}.", "Sign in: gh auth login")
            return _with_token(said, "")
        raise failed("stalled", f"GitHub CLI has not answered for {GH_S:g} s.", "Unlock its keyring, and try again.")


def _read(path: Path, kind: type[Entries]) -> Entries:
    """Of a file of this user's. Raises Failed; nothing of its content is in the words."""
    try:
        return decoded(read_regular(path, MOST, {os.geteuid()}), kind)
    except FileNotFoundError:
        raise failed("no_credentials", f"There is no {path}: nobody has signed in there.") from None
    except OSError as error:
        raise failed(
            "bad_configuration", f"{path} cannot be read: {error.strerror or 'it is not your file'}."
        ) from None
    except Unreadable:
        raise failed("bad_configuration", f"{path} is not in a form that is known here.") from None


def _of_opencode(entries: Mapping[str, msgspec.Raw], github: str) -> Found:
    found = Found()
    for provider, raw in entries.items():
        try:
            entry = decoded(bytes(raw), _Api | _OAuth | _WellKnown)  # type: ignore[arg-type]  # a union is one to msgspec
        except Unreadable:
            found.left_out.append(f"{provider}: it is of a kind that is not known here.")
            continue
        match entry:
            case _Api(key=key):
                found.keys[provider] = key
            case _OAuth(refresh=token, enterprise_url=url) if provider == "github-copilot":
                if (url.rstrip("/").rpartition("/")[2] or "github.com") != github:
                    found.left_out.append(f"{provider}: it is for another GitHub than {github}.")
                else:
                    copilot = _with_token(token, "")
                    found.github = copilot.github
                    found.left_out += copilot.left_out
            case _OAuth():
                found.left_out.append(f"{provider}: {ONE_ONLY}{CHATGPT if provider == 'openai' else ''}")
            case _:
                found.left_out.append(f"{provider}: it is of a kind that is not used here.")
    return found


def _of_copilot(entries: Mapping[str, _App], github: str) -> Found:
    """Its keys are HOST:CLIENT, in the older file HOST; our own client's comes first."""
    own = [app for name, app in entries.items() if name == f"{github}:{CLIENT}"]
    others = [app for name, app in entries.items() if name.partition(":")[0] == github]
    for app in (*own, *others):
        if app.oauth_token:
            return _with_token(app.oauth_token, app.user)
    raise failed("no_credentials", f"Copilot's editors are not signed in to {github}.")


def _with_token(token: str, account: str) -> Found:
    if token.startswith(OAUTH) and KEY.fullmatch(token):
        return Found(github=token, account=account)
    return Found(left_out=[f"copilot: {NO_SIGN_IN}"])
