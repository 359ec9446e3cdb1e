"""The log: one JSON line per event under TROUPER_HOME/logs. Names, numbers and causes; never a message or a secret."""

import os
import time
from pathlib import Path

import msgspec

LARGEST = 5 * 1024 * 1024
KEPT = 3


class Log:
    """Appends to logs/trouper.log; at 5 MB it becomes trouper.log.1, and so on to .3."""

    def __init__(self, home: Path, run_id: str) -> None:
        self._path = home / "logs" / "trouper.log"
        self._run_id = run_id
        try:
            self._fd = self._open()
        except OSError:
            self._fd = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)  # a session is worth more than its log

    def event(self, event: str, actor: str = "", **facts: str | int | float) -> None:
        line = {"at": round(time.time(), 3), "run": self._run_id, "event": event, "actor": actor, **facts}
        try:
            os.write(self._fd, msgspec.json.encode(line) + b"\n")
            if os.fstat(self._fd).st_size > LARGEST:
                self._rotate()
        except OSError:
            return  # a full disk must not end a session that could go on

    def _open(self) -> int:
        return os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def _rotate(self) -> None:
        for number in range(KEPT, 1, -1):
            older, newer = (self._path.with_name(f"trouper.log.{n}") for n in (number, number - 1))
            if newer.exists():
                newer.replace(older)
        if self._path.stat().st_size > LARGEST:  # else another session has just done it
            self._path.replace(self._path.with_name("trouper.log.1"))
        os.close(self._fd)
        self._fd = self._open()
