"""Keyrings of an operating system that is not there; chosen as the library has it, by PYTHON_KEYRING_BACKEND."""

import json
import os
import threading
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked


class FileKeyring(KeyringBackend):
    """Keeps everything in the file that FAKE_KEYRING names."""

    priority = 5.0  # type: ignore[assignment]  # a class property there

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service}/{username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._path.write_text(json.dumps({**self._read(), f"{service}/{username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        rest = self._read()
        del rest[f"{service}/{username}"]
        self._path.write_text(json.dumps(rest))

    @property
    def _path(self) -> Path:
        return Path(os.environ["FAKE_KEYRING"])

    def _read(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self._path.read_text()) if self._path.exists() else {}
        return found


class LockedKeyring(KeyringBackend):
    """Its user does not open it."""

    priority = 5.0  # type: ignore[assignment]  # a class property there

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise KeyringLocked(f"{service} {username} {password}")


class SilentKeyring(KeyringBackend):
    """Never answers, as one whose window nobody sees."""

    priority = 5.0  # type: ignore[assignment]  # a class property there

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []
        self.released = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.asked.append(f"{service}/{username}")
        self.released.wait()
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        self.asked.append(f"{service}/{username}/{password}")
        self.released.wait()
