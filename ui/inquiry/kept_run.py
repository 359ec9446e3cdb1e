"""The command that began an inquiry, kept beside the store: the same command, or --resume, goes on with its answers."""

import hashlib
import os
from pathlib import Path
from typing import Literal

import msgspec

from actors.common.small_files import read_regular, replace_file
from ui.common.usage_errors import Usage

FOLDER = "inquiries"
MOST = 1024 * 1024
Command = Literal["audit", "review"]


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    place: str
    """The same for the same command, folder and report: one program at a time works on it."""
    command: Command
    cwd: str
    """The workspace."""
    typed_in: str
    """The folder from which the paths in the arguments go out."""
    arguments: tuple[str, ...]
    """As they were given."""
    number: int = 1
    """Of the run. One that has its report has ended: the same command begins the next one then."""
    has_ended: bool = False

    @property
    def run_id(self) -> str:
        """Of the sessions of its questions."""
        return f"{self.place}-{self.number}"


def begun(home: str, command: Command, cwd: str, out: str, arguments: tuple[str, ...]) -> Kept:
    """One that is gone on with where there is one; it is kept. out: where its report goes. Raises Usage."""
    place = hashlib.sha256(msgspec.json.encode((command, cwd, out))).hexdigest()[:12]
    before = _read(_path(home, place))
    number = before.number + before.has_ended if before is not None else 1
    kept = Kept(place=place, command=command, cwd=cwd, typed_in=str(Path.cwd()), arguments=arguments, number=number)
    try:
        keep(home, kept)
    except OSError as error:
        raise Usage(f"cannot keep the command in {home}: {error.strerror}. Free some space.") from error
    return kept


def keep(home: str, kept: Kept) -> None:
    """Raises OSError."""
    path = _path(home, kept.place)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    replace_file(path, msgspec.json.encode(kept))


def find(home: str, command: Command, said: str, cwd: str) -> Kept:
    """By the beginning of its id; for "" the latest one of this folder. Raises Usage."""
    paths = sorted(Path(home, FOLDER).glob("*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    known = [kept for kept in map(_read, paths) if kept is not None and kept.command == command]
    found = [kept for kept in known if (kept.run_id.startswith(said) if said else kept.cwd == cwd)]
    if not found:
        which = f'no {command} is "{said}"' if said else f"no {command} was begun in {cwd}"
        others = ", ".join(f"{kept.run_id} ({kept.cwd})" for kept in known[:5])
        raise Usage(f"{which}. {f'There are: {others}' if others else f'Begin one with: trouper {command}'}")
    return found[0]


def return_to(kept: Kept) -> tuple[str, ...]:
    """Go where it was typed; its arguments, for a parser. Raises Usage."""
    try:
        os.chdir(kept.typed_in)
    except OSError as error:
        hint = f"It was begun there: move it back, or begin another one with: trouper {kept.command}"
        raise Usage(f"cannot go on in {kept.typed_in}: {error.strerror}. {hint}") from error
    return kept.arguments


def _path(home: str, place: str) -> Path:
    return Path(home, FOLDER, f"{place}.json")


def _read(path: Path) -> Kept | None:
    try:
        return msgspec.json.decode(read_regular(path, MOST), type=Kept)
    except (OSError, msgspec.DecodeError):
        return None
