"""Importing httpcore brings nothing that only others need, and hides nothing from them."""

import subprocess
import sys

from tests import ROOT

PROGRAM = """
import sys
from actors.providers.http.httpcore_library import httpcore
print(*sorted({"anyio", "asyncio", "httpx"} & set(sys.modules)))
import anyio
print(anyio.__name__, httpcore.__name__)
"""


def test_it_does_without_what_it_would_import_where_that_is_installed() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ended.stdout == "\nanyio httpcore\n"
