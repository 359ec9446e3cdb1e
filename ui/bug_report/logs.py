"""The ends of the logs: what the supervisor has noted, and what each MCP server has said."""

import re
from collections.abc import Iterator
from pathlib import Path

from actors.common.plurals import how_many
from actors.common.small_files import read_regular
from ui.common import server_logs

OWN = "trouper.log"
MOST_BYTES = 8 * 1024 * 1024
"""Of one file: it is renamed before it has as many."""
MOST_LINES = 5000
LINES_OF_SERVER = 500
SESSION = re.compile(r'"session":"([0-9a-f]{8})[0-9a-f]{24}"')
"""An id, whose beginning is enough and looks like no secret."""


def own(home: Path) -> Iterator[tuple[str, str]]:
    """By member name: the log and the one before it."""
    for name in (OWN, f"{OWN}.1"):
        try:
            text = read_regular(home / "logs" / name, MOST_BYTES).decode(errors="replace")
        except OSError:
            continue  # nothing was noted yet, or it cannot be read, which the doctor says
        yield f"logs/{name}", _end(SESSION.sub(r'"of":"\1"', text).splitlines(), MOST_LINES)


def of_servers(home: Path) -> Iterator[tuple[str, str]]:
    """They are words of others: only with the words of the session."""
    folder = home.joinpath(*server_logs.FOLDER)
    for number, path in enumerate(sorted(folder.glob("*.log")), 1):
        try:
            lines = server_logs.last_lines(home, path.stem, LINES_OF_SERVER)
        except OSError:
            continue
        yield f"logs/mcp-{number}.log", _end([path.stem, *lines], LINES_OF_SERVER + 1)


def _end(lines: list[str], most: int) -> str:
    left_out = [f"({how_many(len(lines) - most, 'line')} before)"] if len(lines) > most else []
    return "".join(f"{line}\n" for line in (*left_out, *lines[-most:]))
