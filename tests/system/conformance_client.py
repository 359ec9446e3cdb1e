"""The client that MCP's conformance suite is given: a user of `trouper mcp`, who signs in and calls every tool.

The suite starts it as `conformance_client.py URL`. As `conformance_client.py --browser URL` it is the user's browser.
"""

import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LAUNCHER = Path(__file__).parents[2] / "ui" / "launch.py"
CLIENT_METADATA = "https://conformance-test.local/client-metadata.json"
"""Where the suite has it that its clients describe themselves."""
ARGUMENTS = {"add_numbers": {"a": 5, "b": 3}}
SIGN_INS = 2
"""For one call: who is refused after that is refused."""


class User:
    def __init__(self, folder: Path, secret: str) -> None:
        browser = folder / "browser"
        browser.write_text(f'#!/bin/sh\nexec {sys.executable} {__file__} --browser "$1"\n')
        browser.chmod(0o700)
        mine = {"TROUPER_HOME": str(folder / "home"), "BROWSER": str(browser), "CLIENT_SECRET": secret}
        self._environment = {**os.environ, **mine}
        self._folder = folder

    def trouper(self, *words: str) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            [sys.executable, "-P", str(LAUNCHER), "mcp", *words],
            env=self._environment,
            cwd=self._folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        print(words, done.returncode, done.stdout, done.stderr, file=sys.stderr, flush=True)  # the suite keeps it
        return done

    def server(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.trouper("list", "--json").stdout)[0]
        return found

    def call(self, tool: str, arguments: str) -> None:
        """Signing in as often as one is asked to, within reason."""
        for _ in range(SIGN_INS):
            done = self.trouper("call", "server", tool, arguments, "--elicit", "defaults")
            if "trouper mcp login server" not in done.stderr or self.trouper("login", "server").returncode:
                return


def main(url: str) -> int:
    told: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
    oauth = {"client_metadata_url": CLIENT_METADATA}
    if "client_id" in told:
        oauth = {"client_id": told["client_id"], "client_secret_env": "CLIENT_SECRET"}
    with tempfile.TemporaryDirectory() as folder:
        user = User(Path(folder), told.get("client_secret", ""))
        user.trouper("add-json", "server", json.dumps({"url": url, "oauth": oauth}))
        server = user.server()
        if server["state"] == "needs_login":
            user.trouper("login", "server")
            server = user.server()
        if server["state"] != "ready":
            return 1
        for tool, arguments in calls(told, server):
            user.call(tool, arguments)  # how it has to go is known to the suite
        return 0


def calls(told: dict[str, Any], server: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Those that the suite asks for; else every tool once."""
    if wanted := told.get("toolCalls"):
        yield from ((one["name"], json.dumps(one["arguments"])) for one in wanted)
        return
    for tool in server["tools"]:
        yield tool["name"], json.dumps(ARGUMENTS.get(tool["name"], {}))


def browse(url: str) -> None:
    """To the end, as a browser does it; what is no page there is an end, too."""
    try:
        urllib.request.urlopen(url).close()  # noqa: S310  # the suite's
    except urllib.error.URLError as error:
        print(error, file=sys.stderr)


if __name__ == "__main__":
    if sys.argv[1] == "--browser":
        browse(sys.argv[2])
    else:
        sys.exit(main(sys.argv[1]))
