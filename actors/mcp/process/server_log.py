"""What a server says beside the protocol, in TROUPER_HOME/logs/mcp/SERVER.log: bounded, without the secrets we gave it.

Escape sequences stay in it: whoever shows it makes them harmless.
"""

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

from actors.mcp import limits
from actors.settings.redaction import MARK

SHORTEST = 6
"""Characters of a value that counts as a secret: shorter ones are words."""


class ServerLog:
    def __init__(self, home: str, name: str, secrets: Iterable[str] = ()) -> None:
        """secrets: values that must not be in it."""
        self.path = Path(home, "logs", "mcp", f"{name}.log")
        self._secrets = sorted({value for value in secrets if len(value) >= SHORTEST}, key=len, reverse=True)
        self._last = ""

    def without_secrets(self, text: str) -> str:
        for value in self._secrets:
            text = text.replace(value, MARK)
        return text

    def write(self, text: str) -> None:
        """A log that cannot be written is not kept: the server goes on."""
        said = self.without_secrets(text).encode("utf-8", "replace")
        with contextlib.suppress(OSError):
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(self.path, flags, 0o600)
            try:
                os.write(descriptor, said)
                size = os.fstat(descriptor).st_size
            finally:
                os.close(descriptor)
            if size > limits.LOG_BYTES:
                self.path.replace(self.path.with_suffix(".log.1"))

    def hear(self, text: str) -> None:
        """Of its stderr: also kept to be quoted."""
        self._last = (self._last + text)[-limits.TOLD_BYTES :]
        self.write(text)

    def take_last(self) -> str:
        """What it said last, one line or a few; "" for nothing."""
        lines = [line.strip() for line in self.without_secrets(self._last).splitlines() if line.strip()]
        self._last = ""
        return "\n".join(lines[-3:])
