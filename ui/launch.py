"""The program's first lines: put our own code first on the path, then start.

In an installation this file is also trouper/__main__.py. The agent runs in folders that nobody vouches for, so neither
the current folder nor PYTHONPATH may decide what `import json` or `import ui` finds.
"""

import os
import sys

MARKS = ("actors/mailbox.py", "supervisor/tree.py", "ui/start.py")


def main() -> None:
    try:
        os.getcwd()
    except FileNotFoundError:
        sys.exit("trouper: the current folder does not exist any more. Change to another one first: cd")
    use_own_code(os.path.dirname(os.path.abspath(__file__)))
    try:
        from ui.start import main as start

        code = start(os.path.abspath(__file__))
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


def use_own_code(here: str) -> None:
    """`here` holds the packages in a wheel, its parent in a checkout; an editable install has the place in sys.path."""
    foreign = {os.path.abspath(entry) for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep) if entry}
    foreign |= {os.getcwd(), here}
    candidates = [here, os.path.dirname(here), *sys.path]
    root = next(path for path in candidates if path and all(os.path.exists(os.path.join(path, mark)) for mark in MARKS))
    sys.path[:] = [root] + [entry for entry in sys.path if entry and os.path.abspath(entry) not in foreign]


if __name__ == "__main__":
    main()
