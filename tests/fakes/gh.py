"""GitHub's own program for one pull request: it answers `pr view` and `pr diff`, and refuses what would write."""

import json
import os
import stat
import sys
from pathlib import Path

GH = """#!{python}
import json, os, sys
told = json.load(open({told!r}))
words = sys.argv[1:]
with open({log!r}, "a") as log:
    log.write(json.dumps([words, {{name: os.environ.get(name) for name in told["names"]}}]) + "\\n")
if words[:2] not in (["pr", "view"], ["pr", "diff"]) or words[2] not in (told["number"], told["url"]):
    sys.exit("no pull requests found")
print(json.dumps(told["view"]) if words[1] == "view" else told["diff"], end="")
"""
NAMES = ("GH_TOKEN", "GH_PROMPT_DISABLED", "OPENAI_API_KEY", "PATH", "GIT_CONFIG_COUNT")


class Gh:
    """Installed in a folder for the PATH."""

    def __init__(self, folder: Path, number: int, diff: str, **view: object) -> None:
        """view: as `gh pr view --json` tells it."""
        folder.mkdir()
        self.folder, self._log = folder, folder / "log"
        self.url = f"https://github.com/someone/something/pull/{number}"
        told = folder / "told"
        whole = {"number": number, "title": "A title", "headRefOid": "0" * 40, **view}
        said = {"number": str(number), "url": self.url, "diff": diff, "view": whole, "names": NAMES}
        told.write_text(json.dumps(said))
        program = folder / "gh"
        program.write_text(GH.format(python=sys.executable, told=str(told), log=str(self._log)))
        program.chmod(program.stat().st_mode | stat.S_IXUSR)

    @property
    def path(self) -> str:
        """The PATH that has it."""
        return f"{self.folder}{os.pathsep}{os.environ['PATH']}"

    def calls(self) -> list[tuple[list[str], dict[str, str | None]]]:
        """Its arguments and what it saw of the environment, each time."""
        return [tuple(json.loads(line)) for line in self._log.read_text().splitlines()]
