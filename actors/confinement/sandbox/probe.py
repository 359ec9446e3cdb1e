"""Whether commands can be started in namespaces here: really tried, and remembered until the machine starts anew."""

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec

from actors.common.small_files import read_regular, replace_file
from actors.confinement.sandbox.bubblewrap import Bubblewrap
from actors.messages.tool import Grant
from actors.settings.config import tried_sandbox

FORMAT = 4
"""Of the remembered, and of the way it is tried."""
MOST = 8192
LAUNCHERS = 2
"""How many are remembered: bubblewrap and ours."""
PATIENCE_S = 10.0
WORKS, NOTHING = "works", "the attempt came to nothing"


class Tried(msgspec.Struct, frozen=True):
    key: tuple[str, ...]
    """Of the machine it was tried on."""
    why_not: str
    """ "" when it works."""


def why_not(home: Path, program: Path | None, attempt: Callable[[], str]) -> str:
    """program: the launcher. attempt: is called in a process of its own, which ends after it; says why not.

    Raises OSError.
    """
    key = _key(program)
    file = tried_sandbox(home)  # commands do not see it
    tried: list[Tried] = []
    with contextlib.suppress(OSError, msgspec.DecodeError):
        tried = msgspec.json.decode(read_regular(file, MOST), type=list[Tried])
    for one in tried:
        if one.key == key:
            return one.why_not
    found = _apart(attempt)
    with contextlib.suppress(OSError):  # no home to write to: it is tried again next time
        replace_file(file, msgspec.json.encode([Tried(key, found), *tried][:LAUNCHERS]))
    return found


def run_true(bubblewrap: Bubblewrap) -> str:
    """The real way, by the real options, with nothing to do. Why it failed, "" if it did not."""
    reading, writing = os.pipe()
    program = [sys.executable, "-S", "-c", ""]
    with bubblewrap.wrapped(program, Path("/"), Grant(), writing) as (argv, descriptors):
        ran = subprocess.run(
            argv,
            pass_fds=descriptors,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE_S,
            check=False,
        )
    os.close(writing)
    os.close(reading)
    return "" if ran.returncode == 0 else ran.stderr.decode(errors="replace").strip()[:300] or f"exit {ran.returncode}"


def _apart(attempt: Callable[[], str]) -> str:
    """Whatever does not come back and say that it works does not."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        said = NOTHING
        try:
            said = attempt() or WORKS
        except (OSError, subprocess.SubprocessError) as error:
            said = str(error)
        finally:
            os.write(writing, said.encode())
            os._exit(0)
    os.close(writing)
    with open(reading, "rb") as told:  # noqa: PTH123  # a descriptor
        found = told.read().decode(errors="replace")
    os.waitpid(child, 0)
    return "" if found == WORKS else found or NOTHING


def _key(program: Path | None) -> tuple[str, ...]:
    """Everything that can change whether it works."""
    info = program.stat() if program else None
    boot = ""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    programs = (str(program), *((str(info.st_mtime_ns), str(info.st_size)) if info else ()))
    namespaces = [str(Path("/proc/self/ns", name).readlink()) for name in ("user", "mnt")]
    return (str(FORMAT), boot, os.uname().release, str(os.geteuid()), *programs, *namespaces)
