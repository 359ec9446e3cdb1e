"""MCP's own conformance suite, played by `trouper mcp`: all client scenarios that a revision scores.

TROUPER_MCP_CONFORMANCE names a folder that has it:

    npm install @modelcontextprotocol/conformance@0.2.0-alpha.12 node@22
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system import conformance_client

FOLDER = os.environ.get("TROUPER_MCP_CONFORMANCE", "")
MODULES = Path(FOLDER, "node_modules")
REVISIONS = ("2025-11-25", "2026-07-28")
WITHIN_MS = "600000"
pytestmark = [pytest.mark.slow, pytest.mark.skipif(not FOLDER, reason="TROUPER_MCP_CONFORMANCE is not set")]


def scored() -> Iterator[tuple[str, str]]:
    """Revision and scenario: the list under `client:` of what the suite says that a revision requires."""
    for revision in REVISIONS if FOLDER else ():
        path = MODULES / "@modelcontextprotocol" / "conformance" / "requirements" / f"{revision}.yaml"
        listed = re.search(r"^client:\n((?:  - .*\n|\s*#.*\n|\n)+)", path.read_text(), re.MULTILINE)
        assert listed is not None
        yield from ((revision, name) for name in re.findall(r"^  - (\S+)", listed[1], re.MULTILINE))


@pytest.mark.parametrize(("revision", "scenario"), list(scored()))
def test_it_passes(revision: str, scenario: str, tmp_path: Path) -> None:
    client = f"{sys.executable} {conformance_client.__file__}"
    words = ("--command", client, "--scenario", scenario, "--spec-version", revision, "--timeout", WITHIN_MS)

    done = subprocess.run(
        [str(MODULES / ".bin" / "conformance"), "client", *words],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{MODULES / '.bin'}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    assert re.search(r"^Passed: (\d+)/\1, 0 failed, 0 warnings$", done.stdout, re.MULTILINE), done.stdout
