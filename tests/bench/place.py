"""Where the program runs while it is measured: a home and a workspace of its own, and the command that starts it."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import ROOT
from tests.bench.formats import PROVIDERS

LAUNCHER = ROOT / "ui" / "launch.py"
KEPT = ("PATH", "LD_LIBRARY_PATH", "SSL_CERT_FILE")
NOBODY = "http://127.0.0.1:9"
FILE = "notes.txt"
"""In the workspace; for reading."""


class Place:
    def __init__(self, url: str) -> None:
        """url: of the model server."""
        self.url = url
        self.top = Path(tempfile.mkdtemp(prefix="trouper-bench-")).resolve()
        self.home, self.workspace = self.top / "home", self.top / "work"
        for folder in (self.home / ".trouper", self.workspace, self.top / "tmp"):
            folder.mkdir(parents=True)
        (self.workspace / FILE).write_text("".join(f"{number}: a line of text to be read\n" for number in range(20)))
        if git := shutil.which("git"):
            subprocess.run([git, "init", "-q", str(self.workspace)], check=True)
        providers = (f'[providers.{name}]\napi = "{api}"\nbase_url = "{url}"\n' for api, name in PROVIDERS.items())
        (self.home / ".trouper" / "config.toml").write_text(f'model = "bench/instant"\n{"".join(providers)}')

    def alone(self, home: Path, **more: str) -> dict[str, str]:
        """For another agent: whatever it asks for beside our model server, it asks a port where nobody listens."""
        nobody = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"), NOBODY)
        return self.environment(HOME=str(home), **nobody, NO_PROXY="127.0.0.1", no_proxy="127.0.0.1", **more)

    def tidy(self) -> None:
        """Without what earlier sessions wrote: some agents refuse to write where a file is."""
        for made in self.workspace.glob("made-*"):
            made.unlink()

    def remove(self) -> None:
        shutil.rmtree(self.top, ignore_errors=True)

    def environment(self, **more: str) -> dict[str, str]:
        kept = {name: os.environ[name] for name in KEPT if name in os.environ}
        own = {"HOME": str(self.home), "TROUPER_HOME": str(self.home / ".trouper"), "TMPDIR": str(self.top / "tmp")}
        return {**kept, **own, "LANG": "C.UTF-8", "TERM": "xterm-256color", **more}


def command(*arguments: str) -> list[str]:
    """As the console script does, from the working tree."""
    return [sys.executable, "-P", str(LAUNCHER), *arguments]
