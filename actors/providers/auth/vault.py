"""TROUPER_HOME/auth.json: keys and sign-ins, for this user only. Written whole, under a lock; the unknown is kept."""

import errno
import fcntl
import os
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Literal

import msgspec
import trio

from actors.errors import Failed, failed
from actors.providers.faults.foreign_json import Unreadable, decoded

MOST = 1024 * 1024
"""Bytes of the file."""
LAST_YEAR = 253_402_300_800.0
"""Seconds since the epoch: beyond the year 9999 no clock can show them."""
LOCK_AGAIN_S = 0.02
LOCK_S = 60.0
"""Who holds the lock may be renewing a token over a slow connection."""


class KeptKey(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="key", omit_defaults=True):
    key: str = ""
    """"" when it is in the keyring."""
    place: Literal["file", "keyring"] = "file"

    def __repr__(self) -> str:
        return f"KeptKey(place={self.place!r})"


class SignedIn(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="sign-in", omit_defaults=True):
    """What a log-in gave."""

    access: str
    """The token of the next requests."""
    refresh: str = ""
    """What it is renewed with; "" when that is not possible (any more)."""
    expires_at: float | None = None
    """Of `access`, in seconds since the epoch; None: not known."""
    issuer: str
    """Who gave the tokens; nobody else gets `refresh`."""
    account: str = ""
    """For the user."""
    account_id: str = ""
    base_url: str = ""
    """Where the service wants this account's requests."""

    def __repr__(self) -> str:
        return f"SignedIn(issuer={self.issuer!r})"


Entry = KeptKey | SignedIn
_KINDS = ("key", "sign-in")


class Change:
    """The right to write, while the lock is held."""

    def __init__(self, vault: "Vault") -> None:
        self._vault = vault

    def put(self, provider: str, entry: Entry) -> None:
        """In place of what was there. Raises Failed."""
        self._vault.write({**self._vault.read(), provider: msgspec.to_builtins(entry)})

    def renew(self, provider: str, entry: SignedIn) -> None:
        """The same sign-in, later: members that are not ours stay. Raises Failed."""
        entries = self._vault.read()
        others = {name: value for name, value in entries[provider].items() if name not in entry.__struct_fields__}
        self._vault.write({**entries, provider: {**others, **msgspec.to_builtins(entry)}})

    def forget(self, provider: str) -> None:
        """Raises Failed."""
        entries = self._vault.read()
        if entries.pop(provider, None) is not None:
            self._vault.write(entries)


class Vault:
    def __init__(self, home: Path) -> None:
        self.path = home / "auth.json"
        self._seen: tuple[tuple[int, ...], dict[str, Any]] = ((), {})

    def entry(self, provider: str) -> Entry | None:
        """As it is on disk now. Raises Failed when it cannot be read, or not understood."""
        found = self.read().get(provider)
        if not isinstance(found, dict) or found.get("kind") not in _KINDS:
            return None  # or of a kind that a later version knows
        try:
            return _timed(msgspec.convert(found, KeptKey | SignedIn))
        except msgspec.ValidationError:
            raise _unusable(self.path, f'what it holds for "{provider}" is damaged') from None

    def providers(self) -> list[str]:
        """Those that it holds something for. Raises Failed."""
        return list(self.read())

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[Change]:
        """One process at a time. Raises Failed."""
        descriptor = _open_lock(self.path.with_name("auth.lock"))
        try:
            await _lock(descriptor)
            yield Change(self)
        finally:
            os.close(descriptor)  # and with it the lock

    def read(self) -> dict[str, Any]:
        """The whole file. Raises Failed."""
        try:
            found = self.path.lstat()
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise _unusable(self.path, error.strerror or "") from error
        signature = (found.st_ino, found.st_mtime_ns, found.st_ctime_ns, found.st_size)
        if signature != self._seen[0]:
            self._seen = signature, _decoded(self.path, _bytes(self.path))
        return dict(self._seen[1])

    def write(self, entries: dict[str, Any]) -> None:
        """Raises Failed. Only under the lock."""
        new = self.path.with_name("auth.json.new")
        data = msgspec.json.format(msgspec.json.encode(entries), indent=1) + b"\n"
        try:
            new.unlink(missing_ok=True)  # of somebody who was killed here
            descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            new.replace(self.path)
            _sync_folder(self.path.parent)
        except OSError as error:
            with suppress(OSError):
                new.unlink(missing_ok=True)
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            text, hint = f"Cannot write {self.path}: {error.strerror}.", "Nothing in it has changed."
            raise failed("disk_full" if full else "bad_configuration", text, hint) from error


def _timed(entry: Entry) -> Entry:
    """A moment that cannot be is not known."""
    if isinstance(entry, KeptKey) or entry.expires_at is None or 0 <= entry.expires_at < LAST_YEAR:
        return entry
    return msgspec.structs.replace(entry, expires_at=None)


def _bytes(path: Path) -> bytes:
    """Of a regular file of this user's, which nobody else may read from now on. Raises Failed."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return b"{}"
    except OSError as error:
        why = "it is a symbolic link" if error.errno == errno.ELOOP else error.strerror
        raise _unusable(path, why or "") from error
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        os.close(descriptor)
        raise _unusable(path, "it is not a regular file")
    with os.fdopen(descriptor, "rb") as file:
        if found.st_uid != os.geteuid():
            raise _unusable(path, "it belongs to somebody else")
        try:
            if found.st_mode & 0o077:
                os.fchmod(descriptor, 0o600)
            data = file.read(MOST + 1)
        except OSError as error:
            raise _unusable(path, error.strerror or "") from error
    if len(data) > MOST:
        raise _unusable(path, "it is far too large")
    return data


def _decoded(path: Path, data: bytes) -> dict[str, Any]:
    try:
        return decoded(data, dict[str, Any])
    except Unreadable:
        raise _unusable(path, "it is damaged") from None


def _unusable(path: Path, why: str) -> Failed:
    return failed(
        "bad_configuration",
        f"Your credentials in {path} cannot be used: {why}.",
        "Nothing in it was changed. Put it right, or move it away and sign in again: trouper auth",
    )


def _open_lock(path: Path) -> int:
    """Raises Failed."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise _unusable(path, error.strerror or "") from error
    if os.fstat(descriptor).st_uid != os.geteuid():
        os.close(descriptor)
        raise _unusable(path, "it belongs to somebody else")
    return descriptor


async def _lock(descriptor: int) -> None:
    """Asked for again and again: a thread that waits for a lock could not be cancelled. Raises Failed."""
    with trio.move_on_after(LOCK_S):
        while not _locked(descriptor):  # noqa: ASYNC110  # another process gives no event
            await trio.sleep(LOCK_AGAIN_S)
        return
    raise failed("stalled", f"Another trouper has held its credentials for {LOCK_S:g} s.", "End it, or try again.")


def _locked(descriptor: int) -> bool:
    """Raises Failed."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        what = f"The folder of auth.json cannot be locked: {error.strerror}."
        raise failed("bad_configuration", what, "Set TROUPER_HOME to a folder on a disk of this machine.") from error
    return True


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
