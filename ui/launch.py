"""The program's first lines: see to it that imports find our own code and what is installed, then start.

In an installation this file is also trouper/__main__.py. The agent runs in folders that nobody vouches for, so neither
the current folder nor PYTHONPATH nor a checkout may decide what `import json` or `import ui` finds.
"""

import os
import sys
from importlib.machinery import PathFinder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

OWN = ("actors", "supervisor", "ui")
MARKS = ("actors/mailbox.py", "supervisor/tree.py", "ui/cli/main.py")


def main() -> None:
    try:
        os.getcwd()
    except FileNotFoundError:
        sys.exit("trouper: the current folder does not exist any more. Change to another one first: cd")
    use_own_code(os.path.dirname(os.path.abspath(__file__)))
    try:
        from ui.cli.main import main as start

        code = start(os.path.abspath(__file__))
    except KeyboardInterrupt:
        code = 130
    _leave(code)


def _leave(code: int) -> None:
    """At once: to take the interpreter apart, object by object, takes longer than a tenth of a short turn."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(code)  # nobody reads it any more: the interpreter says so in its own way
    os._exit(code)


class OwnCode:
    """Finds our packages, and nothing else where they lie: in a checkout other files beside them are anybody's."""

    def __init__(self, root: str) -> None:
        self._root = [root]

    def find_spec(
        self, name: str, _path: "Sequence[str] | None" = None, _target: "ModuleType | None" = None
    ) -> "ModuleSpec | None":
        return PathFinder.find_spec(name, self._root) if name in OWN else None


def use_own_code(here: str) -> None:
    """`here` holds the packages in a wheel, its parent in a checkout; an editable install has the place in sys.path."""
    foreign = {os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry}
    foreign |= {os.getcwd(), here}
    candidates = [here, os.path.dirname(here), *sys.path]
    root = next(path for path in candidates if path and all(os.path.exists(os.path.join(path, mark)) for mark in MARKS))
    sys.meta_path.insert(0, OwnCode(root))
    sys.path[:] = [
        entry for entry in sys.path if entry and os.path.abspath(entry) not in foreign and _is_installed(entry)
    ]


def _is_installed(entry: str) -> bool:
    """Not a checkout that `pip install --editable` has put on the path: what others write there is not for us."""
    inside = any(os.path.abspath(entry).startswith(os.path.join(top, "")) for top in (sys.prefix, sys.base_prefix))
    return inside or entry.endswith("-packages") or (os.path.exists(entry) and not os.access(entry, os.W_OK))


if __name__ == "__main__":
    main()
