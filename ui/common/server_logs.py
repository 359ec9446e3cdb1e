"""The logs of MCP servers, which their actors write: where one is, and how it ends. Who shows it makes it harmless."""

from pathlib import Path

from actors.common.small_files import read_regular

FOLDER = ("logs", "mcp")
"""In TROUPER_HOME."""
MOST_BYTES = 4 << 20
"""A log is renamed long before it has as many."""


def file(home: Path, server: str) -> Path:
    return home.joinpath(*FOLDER, f"{server}.log")


def last_lines(home: Path, server: str, most: int) -> list[str]:
    """Raises OSError; FileNotFoundError: it has logged nothing yet."""
    return read_regular(file(home, server), MOST_BYTES).decode(errors="replace").splitlines()[-most:]
