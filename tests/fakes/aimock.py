"""A model service that others wrote: the npm package @copilotkit/aimock, which speaks all our formats on loopback.

It is installed once by the ordinary npm client and answers from fixtures: a list of `match`, `response` and faults.
"""

import contextlib
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import httpx

PACKAGE, VERSION = "@copilotkit/aimock", "1.43.0"
PROGRAM = Path("node_modules", PACKAGE, "dist", "cli.js")
INSTALL_S = 120.0
LISTENING = "listening on "
Json = dict[str, Any]


class CannotInstall(Exception):
    """Why it is not there; for whoever reads that its tests were skipped."""


def installed(folder: Path) -> Path:
    """Its program, in a folder that is kept from run to run. Raises CannotInstall."""
    kept = folder / VERSION
    if not (kept / PROGRAM).exists():
        if shutil.which("node") is None or shutil.which("npm") is None:
            raise CannotInstall("node and npm are not installed")
        with tempfile.TemporaryDirectory(dir=folder) as top:
            fresh = Path(top, "fresh")
            _install(fresh)
            with contextlib.suppress(OSError):  # another run was faster
                fresh.rename(kept)
    return kept / PROGRAM


def _install(folder: Path) -> None:
    quiet = ("--no-audit", "--no-fund", "--ignore-scripts", "--no-update-notifier", "--prefer-offline")
    command = ["npm", "install", "--prefix", str(folder), *quiet, "--fetch-retries=0", f"{PACKAGE}@{VERSION}"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=INSTALL_S, check=False)
    except subprocess.TimeoutExpired as error:
        raise CannotInstall("npm took too long to install aimock") from error
    if done.returncode:
        raise CannotInstall(f"npm cannot install aimock: {done.stderr.strip()}")


class Aimock:
    """One server for many tests: `serve` gives it the fixtures of the next one."""

    def __init__(self, program: Path) -> None:
        examples = program.parent.parent / "fixtures"  # being strict, it does not start with none
        command = ["node", str(program), "--port", "0", "--fixtures", str(examples), "--strict"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.url = self._address()
        threading.Thread(target=self._process.stdout.readlines, daemon=True).start()  # a full pipe would stop it
        self._client = httpx.Client(base_url=f"{self.url}/__aimock", trust_env=False)

    def _address(self) -> str:
        assert self._process.stdout is not None
        said = []
        for line in self._process.stdout:
            if LISTENING in line:
                return line.partition(LISTENING)[2].strip()
            said.append(line)
        raise AssertionError(f"aimock did not start: {''.join(said)}")

    def serve(self, fixtures: Sequence[Json]) -> None:
        """Forget all there was, requests too. The first fixture that matches answers; a request that none matches
        gets 503."""
        for path, body in (("/reset", {}), ("/fixtures", {"fixtures": fixtures})):
            self._client.post(path, json=body).raise_for_status()

    def journal(self) -> list[Json]:
        """What it got: `method`, `path`, `timestamp` in ms, and `body`, whatever the format in the words of Chat
        Completions."""
        return list(self._client.get("/journal").json())

    def requests(self) -> list[Json]:
        """Their bodies."""
        return [entry["body"] for entry in self.journal()]

    def close(self) -> None:
        self._client.close()
        self._process.kill()
        self._process.communicate()
