"""A session on a pseudo terminal: what is typed, what is written, and when."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time
from collections.abc import Callable

import pyte

from tests.bench import processes
from tests.bench.figures import CannotMeasure

WIDTH, HEIGHT = 100, 30
PATIENCE_S = 30.0
SETTLED_S = 1.5
"""After the first frame: all actors are up, what is imported in the background is there."""
QUIET_S = 0.15
MOMENT = struct.Struct("d")
REPLIES = {
    rb"\x1b\[6n": b"\x1b[1;1R",
    rb"\x1b\[0?c": b"\x1b[?62;22c",
    rb"\x1b\[\?u": b"\x1b[?0u",
    rb"\x1b\]10;\?(\x07|\x1b\\)": b"\x1b]10;rgb:eeee/eeee/eeee\x1b\\",
    rb"\x1b\]11;\?(\x07|\x1b\\)": b"\x1b]11;rgb:1111/1111/1111\x1b\\",
}
"""What terminals are asked, and say: some programs wait for it."""
UNKNOWN_TO_PYTE = re.compile(rb"\x1b\[[<>=][0-9;]*[A-Za-z]")


class Terminal:
    def __init__(self, argv: list[str], cwd: str, environment: dict[str, str], prompt: str, errors: int = 2) -> None:
        """prompt: is painted where one types. errors: the descriptor that becomes its stderr."""
        told, tell = os.pipe()
        self.pid, self._fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
            os.dup2(errors, 2)
            os.chdir(cwd)
            os.write(tell, MOMENT.pack(time.monotonic()))
            os.execve(argv[0], argv, environment)  # noqa: S606  # none is wanted
        os.close(tell)
        (self.began,) = MOMENT.unpack(os.read(told, MOMENT.size))
        """When it was exec'd."""
        os.close(told)
        self._seen = pyte.Screen(WIDTH, HEIGHT)
        self._stream = pyte.ByteStream(self._seen)
        self.prompt = prompt
        self.raw = b""
        self._shown = 0

    def close(self) -> None:
        """SIGKILL to its whole tree, and wait until nothing of it is left."""
        whole = processes.kill(self.pid)
        os.waitpid(self.pid, 0)
        whole.wait()
        os.close(self._fd)

    def type(self, text: str) -> float:
        """When it was typed, on the monotonic clock."""
        at = time.monotonic()
        os.write(self._fd, text.encode())
        return at

    @property
    def rows(self) -> list[str]:
        fresh, self._shown = self.raw[self._shown :], len(self.raw)
        self._stream.feed(UNKNOWN_TO_PYTE.sub(b"", fresh))
        return [row.rstrip() for row in self._seen.display]

    def wait(self, happened: Callable[[], bool], what: str) -> float:
        """When the output that made it happen was here. Raises CannotMeasure."""
        deadline, at = time.monotonic() + PATIENCE_S, time.monotonic()
        while not happened():
            if not self.read(deadline - time.monotonic()):
                raise CannotMeasure(f"{what} did not show on the screen")
            at = time.monotonic()
        return at

    def wait_for(self, text: str, *, since: int = 0) -> float:
        """In the bytes after the first `since` ones; it must be one word in one style."""
        wanted = text.encode()
        return self.wait(lambda: self.raw.find(wanted, since) >= 0, f'"{text}"')

    def read(self, within_s: float) -> bool:
        """Whether something came. Raises CannotMeasure when the program is gone."""
        if not select.select([self._fd], [], [], max(within_s, 0))[0]:
            return False
        try:
            fresh = os.read(self._fd, 65536)
        except OSError:
            raise CannotMeasure(f"the program ended: {' / '.join(filter(None, self.rows[-5:]))}") from None
        self.raw += fresh
        for question, reply in REPLIES.items():
            if re.search(question, fresh):
                os.write(self._fd, reply)
        return True

    def settle(self) -> None:
        """After the start: everything is up, nothing moves."""
        self.wait_for(self.prompt)
        self._let_pass(SETTLED_S)

    def quiet(self) -> None:
        while self.read(QUIET_S):
            pass

    def _let_pass(self, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self.read(left)

    def submit(self, prompt: str) -> float:
        """Types it, waits until it is drawn, presses Enter: when."""
        self.type(prompt)
        self.quiet()
        return self.type("\r")
