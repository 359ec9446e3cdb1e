"""Importing httpx brings nothing that only others need, and hides nothing from them."""

import subprocess
import sys

from tests import ROOT

PROGRAM = """
import sys
from actors.providers.http.httpx_library import httpx, httpcore
print(*sorted({"anyio", "click", "rich", "asyncio", "httpx._main"} & set(sys.modules)))
import anyio
print(anyio.__name__, httpx.__name__, httpcore.__name__)
"""


def test_it_does_without_what_it_would_import_where_that_is_installed() -> None:
    ended = subprocess.run([sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=True)

    assert ended.stdout == "\nanyio httpx httpcore\n"
