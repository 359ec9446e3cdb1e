"""Which servers of a workspace's .mcp.json the user has vouched for: each by its exact content, in this folder."""

from pathlib import Path

from actors.errors import BadConfiguration
from actors.settings import trust
from actors.settings.trust import Record

FILE = ".mcp.json"
TRUST = "trouper mcp trust"


def place(cwd: Path, name: str) -> Path:
    """What a record is about, as `trust` has it: the workspace, its file, the server."""
    return cwd / FILE / name


def record(home: Path, cwd: Path, name: str) -> Record:
    """A damaged one vouches for nothing, and forbids nothing either."""
    try:
        return trust.record(home, place(cwd, name))
    except BadConfiguration:
        return Record(path=str(place(cwd, name)))


def vouch(home: Path, cwd: Path, name: str, text: str) -> None:
    """This server counts here from now on, as long as its entry says this. Raises OSError."""
    trust.vouch(home, place(cwd, name), text)


def leave_out(home: Path, cwd: Path, name: str, text: str) -> None:
    """It does not, and nobody is asked about it as it is. Raises OSError."""
    trust.forget(home, place(cwd, name))
    trust.leave_out(home, place(cwd, name), text)
