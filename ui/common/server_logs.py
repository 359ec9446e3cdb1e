"""The logs of MCP servers, which their actors write: where one is, and how it ends. Who shows it makes it harmless."""

from pathlib import Path

FOLDER = ("logs", "mcp")
"""In TROUPER_HOME."""


def file(home: Path, server: str) -> Path:
    return home.joinpath(*FOLDER, f"{server}.log")


def last_lines(home: Path, server: str, most: int) -> list[str]:
    """Raises FileNotFoundError: it has logged nothing yet."""
    return file(home, server).read_text(errors="replace").splitlines()[-most:]
