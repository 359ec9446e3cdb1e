"""The programs whose MCP servers can be taken over, and what each has here."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol

from actors.common.small_files import is_there
from actors.errors import BadConfiguration
from actors.settings.mcp.foreign import claude_code, codex, cursor, vscode
from actors.settings.mcp.foreign.translation import Translated


class Program(Protocol):
    """A module of this room."""

    def places(self, home: Path, environ: Mapping[str, str], cwd: Path) -> tuple[Path, ...]:
        """Files it may have; what the first says counts more."""

    def servers(self, path: Path, cwd: Path) -> Iterator[Translated]:
        """Raises BadConfiguration."""


ALL: Mapping[str, Program] = {"claude-code": claude_code, "cursor": cursor, "codex": codex, "vscode": vscode}


class Found(NamedTuple):
    program: str
    path: Path
    servers: tuple[Translated, ...]
    problem: str = ""
    """Why the file could not be read."""


def found(program: str, home: Path, environ: Mapping[str, str], cwd: Path) -> Iterator[Found]:
    """Of each of its files that is there. home: the user's, not TROUPER_HOME."""
    for path in filter(is_there, ALL[program].places(home, environ, cwd)):
        try:
            yield Found(program, path, tuple(ALL[program].servers(path, cwd)))
        except BadConfiguration as error:
            yield Found(program, path, (), str(error))
