"""A page to Markdown without waiting for ever: `page_program.py` does it in a process that is ended in time."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import trio

from actors.confinement.errors import ToolFailed
from actors.tools import limits

PROGRAM = Path(__file__).with_name("page_program.py")


class Page(msgspec.Struct, frozen=True):
    title: str
    description: str
    text: str
    """Markdown."""
    scripts: bool
    """It has some, and they were not run."""


async def markdown(html: str, url: str, most_s: int = limits.WEB_CONVERT_CPU_S) -> Page:
    """most_s: of processor time. Raises ToolFailed."""
    command = [sys.executable, "-P", str(PROGRAM), url, str(most_s), str(limits.WEB_CONVERT_MEMORY)]
    path = os.pathsep.join(place for place in sys.path if Path(place).is_absolute())
    done = await trio.run_process(
        command,
        stdin=html.encode("utf-8", "replace"),
        capture_stdout=True,
        stderr=subprocess.DEVNULL,
        check=False,
        env={"PYTHONPATH": path, "PYTHONUTF8": "1"},
    )
    try:
        return msgspec.json.decode(done.stdout, type=Page)
    except msgspec.DecodeError as error:
        raise ToolFailed(
            "The page is too large or too broken to be read as text. raw=true gives its source."
        ) from error
