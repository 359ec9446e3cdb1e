"""A program on a real pseudo terminal: what is typed into it and what is seen, waited for and never slept for."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import pyte

from tests import ROOT

PATIENCE_S = 60.0
WIDTH, HEIGHT = 80, 24
UNKNOWN_TO_PYTE = (b"\x1b[>4;2m", b"\x1b[>4;0m", b"\x1b[>1u", b"\x1b[<u")


class PtyTerminal:
    def __init__(self, argv: Sequence[str], cwd: Path, environment: Mapping[str, str]) -> None:
        self._ours, self._theirs = pty.openpty()
        self.resize(WIDTH, HEIGHT)
        self.before = termios.tcgetattr(self._theirs)
        self._seen = pyte.HistoryScreen(WIDTH, HEIGHT, history=10_000, ratio=0.001)
        self._stream = pyte.ByteStream(self._seen)
        self.raw = b""
        self.process = subprocess.Popen(
            argv,
            stdin=self._theirs,
            stdout=self._theirs,
            stderr=self._theirs,
            cwd=cwd,
            env={**environment, "TERM": "xterm-256color"},
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._ours)
        os.close(self._theirs)

    def resize(self, width: int, height: int) -> None:
        """What is seen goes on at the size it had."""
        fcntl.ioctl(self._ours, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))

    def type(self, text: str) -> None:
        os.write(self._ours, text.encode())

    @property
    def text(self) -> str:
        history = ["".join(line[at].data for at in range(WIDTH)) for line in self._seen.history.top]
        return "\n".join(row.rstrip() for row in (*history, *self._seen.display))

    def wait(self, seen: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not seen():
            assert time.monotonic() < deadline, self.text
            if select.select([self._ours], [], [], 0.05)[0]:
                self._read()

    def wait_unread(self, seen: Callable[[], bool]) -> None:
        """Without reading what is on the terminal."""
        deadline = time.monotonic() + PATIENCE_S
        while not seen():
            assert time.monotonic() < deadline
            select.select([], [], [], 0.01)

    def wait_for(self, text: str) -> None:
        self.wait(lambda: text in self.text)

    def wait_for_end(self) -> int:
        self.wait(lambda: self.process.poll() is not None)
        while select.select([self._ours], [], [], 0)[0]:
            self._read()
        return self.process.returncode

    def _read(self) -> None:
        data = os.read(self._ours, 65536)
        self.raw += data
        for sequence in UNKNOWN_TO_PYTE:
            data = data.replace(sequence, b"")
        self._stream.feed(data)

    def attributes(self) -> list[object]:
        return termios.tcgetattr(self._theirs)


class PtyStage(PtyTerminal):
    """The real screen before a fake agent."""

    def __init__(self, home: Path, scenario: str, **environment: str) -> None:
        self.home = home
        argv = [sys.executable, "-m", "tests.ui.screen.stage", str(home), "run", scenario]
        inherited = {key: value for key, value in os.environ.items() if key not in {"TMUX", "NO_COLOR"}}
        super().__init__(argv, ROOT, {**inherited, "LANG": "C.UTF-8", **environment})

    def record(self) -> dict[str, list[object]]:
        return msgspec.json.decode((self.home / "record.json").read_bytes(), type=dict[str, list[object]])
