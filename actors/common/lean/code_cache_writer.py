"""Writing the file of the code cache, at the end of a session that found less in it than it needs."""

import contextlib
import marshal
import os
import select
import signal
import sys
import zlib
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.machinery import SourceFileLoader
from pathlib import Path

from actors.common.lean.code_cache import FILE, LENGTH, SUM, CodeCache, Place, Stamp, imported, stamp
from actors.common.small_files import replacing

PATIENCE_S = 5.0
"""It takes half a second, once for each kind of command after an installation. After that it goes on alone."""
LONGEST_S = 60
"""After that it is ended, whatever it waits for."""


def keep(cache: CodeCache, wanted: Iterable[str]) -> None:
    """All that was kept or imported here, and these. Without a word, whatever happens: it is only faster with it."""
    if sys.dont_write_bytecode or not FILE or not os.access(Path(FILE).parent, os.W_OK):
        return
    wanted = {*wanted, *cache.kept.asked}
    ended, alive = os.pipe()
    try:
        if (pid := os.fork()) == 0:
            try:
                _leave_alone(alive)
                _write(cache, wanted)
            finally:
                os._exit(0)
        os.close(alive)
        if select.select([ended], [], [], PATIENCE_S)[0]:
            os.waitpid(pid, 0)
    except (OSError, KeyboardInterrupt):
        return  # no process to be had, or nobody wants to wait
    finally:
        os.close(ended)


def _leave_alone(alive: int) -> None:
    """The session's terminal, pipes and locks: nothing of them is held up by us, nor are we ever there for good."""
    os.setsid()
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LONGEST_S)
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(3):
        os.dup2(nothing, standard)
    os.closerange(3, alive)
    os.closerange(alive + 1, os.sysconf("SC_OPEN_MAX"))


def _write(cache: CodeCache, wanted: Iterable[str]) -> None:
    for name in wanted:
        with contextlib.suppress(Exception):  # whoever needs it will say what is wrong
            import_module(name)
    index: dict[str, Place] = {}
    codes: list[bytes] = []
    begin = 0
    for name, source, before, code in _codes():
        index[name] = source, before, begin, len(code)
        codes.append(code)
        begin += len(code)
    folders = {path: at for path in _folders() if (at := stamp(path)) is not None}
    asked = frozenset({*wanted, *imported()})
    header = marshal.dumps((cache.made_for, begin, (index, folders, cache.kept.scripts.kept, asked)))
    sizes = len(header).to_bytes(LENGTH, "little"), zlib.crc32(header).to_bytes(SUM, "little")
    # a disk that forgets it in a crash costs one start; to wait for a busy one takes seconds
    with contextlib.suppress(OSError), replacing(Path(FILE), durable=False) as file:
        file.writelines([*sizes, header, *codes])


def _codes() -> Iterator[tuple[str, str, Stamp, bytes]]:
    """Name, source, its stamp, and its code as it is now: what is imported here may be older."""
    for name, source in sorted(imported().items()):
        before = stamp(source)  # a source that changes in this moment is stale at once
        with contextlib.suppress(Exception):
            code = SourceFileLoader(name, source).get_code(name)
            if before is not None and code is not None:
                yield name, source, before, marshal.dumps(code)


def _folders() -> set[str]:
    """Of packages."""
    return {path for module in list(sys.modules.values()) for path in getattr(module, "__path__", ())}
