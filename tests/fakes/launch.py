"""The program's own launcher, by which `tests` can be imported, too: it finds its packages alone where they lie."""

import runpy
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent


class Tests:
    def find_spec(
        self, name: str, _path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        return PathFinder.find_spec(name, [str(ROOT)]) if name == "tests" else None


sys.meta_path.append(Tests())
runpy.run_path(str(ROOT / "ui" / "launch.py"), run_name="__main__")
