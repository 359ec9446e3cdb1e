"""The file itself: members one after the other, each freed of secrets, with a page that says what is in it.

It is a ZIP archive that only its owner can read. The known secrets of this machine are left out however they are
written, and whatever looks like one; of the home folder's path stays "~".
"""

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from actors.common.plurals import how_many
from actors.common.small_files import replacing
from actors.errors import BadConfiguration
from actors.settings import credential_files, toml_files
from actors.settings.secrets.leaving_out import Cleaner
from actors.settings.secrets.search import Secret
from actors.settings.secrets.values import known, own
from actors.version import VERSION

ABOUT = "README.txt"
DATE = (1980, 1, 1, 0, 0, 0)
WHAT = {
    "doctor.json": "what `trouper doctor --json` says of this machine",
    "session.jsonl": "the session's shape: kinds, sizes, times and codes of its entries, no words",
    "session.txt": "why no session is in it",
    "session.md": "the words of the session",
    "logs/trouper.log": "the end of the log: names, numbers and causes",
}
SERVERS = "what an MCP server has said"


class Member(NamedTuple):
    name: str
    bytes: int
    left_out: int
    """Places."""


def secrets_here(home: Path, workspace: Path, environ: Mapping[str, str]) -> Iterator[Secret]:
    """All that are known here: of the environment, of our own files, of credential files, of the workspace's .env."""
    configured = [Secret(value, "config.toml") for value in _texts(_config(home))]
    yield from configured
    ours = (*own(home), home / "config.toml", home / "mcp.json")
    yield from known(environ, (*ours, *credential_files.of_programs(), *sorted(workspace.glob(".env*"))))


def _config(home: Path) -> list[object]:
    """What is sent to services and servers, whatever it looks like."""
    path = home / "config.toml"
    try:
        table = toml_files.table(toml_files.text_of(path), path)
    except BadConfiguration:
        return []  # what looks like a secret in it is left out all the same
    kinds: list[Any] = [table.get("providers", {}), table.get("mcp", {})]
    parts = [one for kind in kinds if isinstance(kind, dict) for one in kind.values() if isinstance(one, dict)]
    return [part.get(key, {}) for part in parts for key in ("headers", "env")]


def _texts(values: Iterable[object]) -> Iterator[str]:
    for value in values:
        if isinstance(value, dict):
            yield from (text for text in value.values() if isinstance(text, str))


class Bundle:
    """Members, then `write`."""

    def __init__(self, cleaner: Cleaner, environ: Mapping[str, str]) -> None:
        self._cleaner = cleaner
        self._home = environ.get("HOME", "")
        self._texts: dict[str, str] = {}
        self.members: list[Member] = []

    def add(self, name: str, text: str) -> None:
        """As it will be in it."""
        before = self._cleaner.left_out
        clean = self._cleaner.cleaned(self._at_home(text))
        self._texts[name] = clean
        left_out = self._cleaner.left_out - before
        self.members.append(Member(name, len(clean.encode(errors="replace")), left_out))

    def text(self, name: str) -> str:
        return self._texts[name]

    def drop(self, name: str) -> None:
        del self._texts[name]
        self.members = [member for member in self.members if member.name != name]

    def _at_home(self, text: str) -> str:
        return text.replace(self._home, "~") if len(self._home) > 1 else text

    def table(self) -> str:
        """What is in it, for people."""
        width = max(len(member.name) for member in self.members)
        return "".join(
            f"  {one.name:{width}}  {how_many(one.bytes, 'byte'):>15}  {_about(one)}\n" for one in self.members
        )

    def write(self, path: Path) -> None:
        """All of it or nothing. Raises OSError."""
        about = (
            f"A bug report of Trouper {VERSION}. It was sent nowhere: whoever has it was given it.\n\n{self.table()}\n"
            "Left out are the secrets that are known where it was made, and what looks like one: [redacted].\n"
            "That is not all that may be private: look through it before you hand it on.\n"
        )
        with replacing(path) as file, zipfile.ZipFile(file, "w") as archive:
            for name, text in {ABOUT: about, **self._texts}.items():
                info = zipfile.ZipInfo(name, DATE)
                info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
                archive.writestr(info, text.encode(errors="replace"))


def _about(member: Member) -> str:
    what = WHAT.get(member.name, SERVERS if "mcp-" in member.name else "the log before that")
    return f"{what}; {how_many(member.left_out, 'secret')} left out" if member.left_out else what
