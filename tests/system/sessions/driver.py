"""The other end of a driven session: what a test wants done there, and what it finds then."""

import contextlib
import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import msgspec

from actors.messages.conversation import Body, ModelInput
from actors.messages.store import TreeNode
from tests import ROOT

BOUND_S = 120.0
"""Guards against hanging only."""


class Driver:
    def __init__(self, home: Path, talk: socket.socket, lines: IO[bytes]) -> None:
        self._home = home
        self._talk = talk
        self._lines = lines

    def do(self, op: str, **fields: object) -> Any:  # noqa: ANN401  # as JSON has it
        """Raises AssertionError when it failed."""
        self._talk.sendall(json.dumps({"op": op, **fields}).encode() + b"\n")
        line = self._lines.readline()
        assert line, "the session has ended"
        answer = json.loads(line)
        assert not (isinstance(answer, dict) and "failed" in answer), answer
        return answer

    def path(self, session: str) -> list[Body]:
        return msgspec.convert(self.do("path", session=session), list[Body])

    def tree(self, session: str) -> list[TreeNode]:
        return msgspec.convert(self.do("tree", session=session), list[TreeNode])

    def last_asked(self) -> list[ModelInput]:
        """The conversation of the latest request to the model."""
        return msgspec.json.decode((self._home / "asked.json").read_bytes(), type=list[ModelInput])


@contextmanager
def driven(top: Path) -> Iterator[Driver]:
    """Its TROUPER_HOME is `home` in there, its workspace `work`."""
    home = top / "home"
    home.mkdir()
    (top / "work").mkdir()
    path = str(top / "s")
    with socket.socket(socket.AF_UNIX) as listener, contextlib.ExitStack() as stack:
        listener.settimeout(BOUND_S)
        listener.bind(path)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.fakes.driven_session", str(home), path], cwd=ROOT, start_new_session=True
        )
        stack.callback(process.wait, BOUND_S)
        talk, _ = listener.accept()
        talk.settimeout(BOUND_S)
        with talk, talk.makefile("rb") as lines:
            try:
                yield Driver(home, talk, lines)
            finally:
                talk.shutdown(socket.SHUT_WR)
        assert process.wait(BOUND_S) == 0
