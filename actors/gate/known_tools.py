"""The tools as an earlier session's worker described them: a model can be asked before a worker of this one is there.

What is offered by it is no permission: a call is judged by what the worker that runs it has. See DECISIONS.
"""

import hashlib
import os
from contextlib import suppress
from pathlib import Path

import msgspec

from actors.common.own_code import ROOT
from actors.common.small_files import read_regular, replace_file
from actors.messages.model import ToolSpec
from actors.messages.tool import SandboxLevel, Tools
from actors.settings.config import Settings
from actors.version import VERSION

FILE = "tools.json"
"""In TROUPER_HOME."""
MOST_BYTES = 1 << 20
OWN = frozenset({os.geteuid()})
NO_USE = (OSError, ValueError, RecursionError)
"""Whatever is wrong with the file, or with looking at the code while it is being replaced, costs a wait and no more."""


class Described(msgspec.Struct, frozen=True):
    stamp: str
    tools: tuple[ToolSpec, ...]
    sandbox: SandboxLevel


def remembered(settings: Settings) -> Tools | None:
    """None when there are none that this code and these settings would have."""
    with suppress(*NO_USE):
        found = msgspec.json.decode(read_regular(_file(settings), MOST_BYTES, OWN), type=Described)
        if found.stamp == _stamp(settings):
            return Tools(tools=found.tools, sandbox=found.sandbox)
    return None


def remember(settings: Settings, known: Tools) -> None:
    """Where it cannot be written the next session waits for its worker, too."""
    with suppress(*NO_USE):
        found = Described(_stamp(settings), known.tools, known.sandbox)
        replace_file(_file(settings), msgspec.json.encode(found))


def _file(settings: Settings) -> Path:
    return Path(settings.home) / FILE


def _stamp(settings: Settings) -> str:
    """Of the code that describes them, and of what decides which of them there are and what they run in."""
    rooms = ("tools", "confinement")
    folders = [folder for room in rooms for folder, _, _ in os.walk(ROOT / "actors" / room)]
    code = [entry.stat().st_mtime_ns for folder in folders for entry in _code(folder)]
    chosen = (settings.merging, settings.searching, settings.sandbox, settings.unrestricted)
    stamp = f"{VERSION} {len(code)} {max(code, default=0)} {chosen} {os.environ.get('PATH', '')}"
    return hashlib.sha256(os.fsencode(stamp)).hexdigest()


def _code(folder: str) -> list["os.DirEntry[str]"]:
    with os.scandir(folder) as found:
        return [entry for entry in found if entry.name.endswith((".py", ".md"))]
