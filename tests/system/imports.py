"""What each process of a session has imported: noted by the interpreter itself, in a file for each process."""

from pathlib import Path

from tests.system.harness import Place

NOTES = """
import os, sys

def note(*names):
    file = os.open(os.path.join({folder!r}, str(os.getpid())), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, " ".join([*names, ""]).encode())
    os.close(file)

note(*sys.modules)
os.register_at_fork(after_in_child=lambda: note(*sys.modules))
sys.addaudithook(lambda event, arguments: note(arguments[0]) if event == "import" else None)
"""
"""Before our own first line: what PYTHONPATH names is taken off the path by that."""


class Imports:
    def __init__(self, place: Place, folder: Path) -> None:
        """Of the sessions that begin there from now on."""
        self._folder = folder / "imported"
        self._folder.mkdir()
        (folder / "sitecustomize.py").write_text(NOTES.format(folder=str(self._folder)))
        place.cold = True
        place.environment["PYTHONPATH"] = str(folder)

    def of(self, pid: int) -> set[str]:
        """Modules, also those it inherited, and those that it looked for and did not find."""
        return set((self._folder / str(pid)).read_text().split())

    def among(self, pid: int, packages: tuple[str, ...]) -> list[str]:
        """Of these packages, those it has imported something of."""
        modules = self.of(pid)
        return [name for name in packages if any(f"{module}.".startswith(f"{name}.") for module in modules)]
