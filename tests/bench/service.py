"""The benchmark's model server, from the side of whoever measures: what arrived there, and when."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Callable

import msgspec

from tests import ROOT
from tests.bench.figures import CannotMeasure
from tests.bench.server import Seen

PATIENCE_S = 60.0


class Service:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.bench.server"], cwd=ROOT, stdout=subprocess.PIPE, bufsize=0
        )
        self._unread = b""
        self.seen: list[Seen] = []
        while b"\n" not in self._unread:
            self._read(PATIENCE_S)
        address, _, self._unread = self._unread.partition(b"\n")
        self.url = address.decode()

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def forget(self) -> None:
        """What was seen so far."""
        while self._read(0):
            pass
        self._take()
        self.seen.clear()

    def wait(self, fits: Callable[[Seen], bool], count: int = 1) -> list[Seen]:
        """So many that fit, oldest first, since the last `forget`. Raises CannotMeasure."""
        deadline = time.monotonic() + PATIENCE_S
        while len(fitting := [seen for seen in self.seen if fits(seen)]) < count:
            if not self._read(max(deadline - time.monotonic(), 0)):
                raise CannotMeasure(f"{len(fitting)} of {count} expected requests reached the model server")
            self._take()
        return fitting

    def wait_for_request(self, number: int = 0) -> float:
        """When the request with so many answers before it arrived."""
        return self.wait(lambda seen: seen.what == "asked" and seen.round == number)[0].at

    def _read(self, within_s: float) -> bool:
        pipe = self._process.stdout
        if pipe is None or not select.select([pipe], [], [], within_s)[0]:
            return False
        data = os.read(pipe.fileno(), 65536)
        self._unread += data
        return bool(data)

    def _take(self) -> None:
        whole, _, self._unread = self._unread.rpartition(b"\n")
        self.seen += [msgspec.json.decode(line, type=Seen) for line in whole.split(b"\n") if line]
