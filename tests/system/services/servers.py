"""Model servers as processes of their own, for the system tests."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests import ROOT
from tests.system.harness import Event

Serve = Callable[[Event], str]
"""Start a server with this script; its address."""


@contextmanager
def serving() -> Iterator[Serve]:
    servers: list[subprocess.Popen[str]] = []

    def start(script: Event) -> str:
        command = [sys.executable, "-m", "tests.fakes.model_server", "--script", json.dumps(script)]
        server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        servers.append(server)
        assert server.stdout is not None
        return server.stdout.readline().strip()

    try:
        yield start
    finally:
        for server in servers:
            server.kill()
            server.communicate()
