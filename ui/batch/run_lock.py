"""One program at a time works on a batch, or the like: a lock file that dies with it and says which program it is."""

import os
import platform
import time
from pathlib import Path

import msgspec
import trio

from actors.common import holders, locks
from actors.errors import failed
from actors.messages.store import Holder
from actors.settings.config import Settings

AGAIN_S = 0.1
PATIENCE_S = 30.0
"""For what is left of a program whose first process was killed: the rest ends soon."""


def path_of(home: str, run_id: str) -> Path:
    return Path(home, "run", f"{run_id}.batch")


def holder(home: str, run_id: str) -> Holder:
    """Who works on it; of one that was killed who did."""
    try:
        return msgspec.json.decode(locks.said(path_of(home, run_id)), type=Holder)
    except msgspec.DecodeError:
        return Holder(session_id=run_id)


async def take(settings: Settings, run_id: str, what: str = "this batch", hint: str = "") -> int:
    """The descriptor that holds it. what, hint: for who cannot have it. Raises Failed where another program has it."""
    path, deadline = path_of(settings.home, run_id), trio.current_time() + PATIENCE_S
    ours = Holder(
        session_id=run_id,
        run_id=settings.run_id,
        pid=os.getppid(),
        host=platform.node(),
        terminal=settings.terminal,
        since=time.time(),
    )
    while True:
        try:
            return locks.take(path, msgspec.json.encode(ours))
        except BlockingIOError as error:
            has_it = holder(settings.home, run_id)
            if _runs(has_it) or trio.current_time() > deadline:
                text = f"{what} is being worked on{holders.named(has_it) or ' by another program'}."
                raise failed("session_in_use", text, hint or f"Watch it with: trouper batch status {run_id}") from error
        except OSError as error:
            raise failed("disk_full", f"cannot make {path}: {error.strerror}.", "Free some space or files.") from error
        await trio.sleep(AGAIN_S)


def give_back(settings: Settings, run_id: str, descriptor: int) -> None:
    locks.release(path_of(settings.home, run_id), descriptor)


def _runs(has_it: Holder) -> bool:
    """The first process of it; on another machine it may."""
    if not has_it.pid:
        return False
    if has_it.host != platform.node():
        return True
    try:
        os.kill(has_it.pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
