"""One record of a workspace: its files, its folders, and what is known to have been there without being recorded."""

import hashlib
import stat
from collections.abc import Collection, Iterator

import msgspec

PERMISSIONS = 0o777
"""What is kept of a mode: to run as another user is nothing that a restore hands out."""
PLAIN_MODES = (0o644, 0o755)
"""Those that git itself keeps."""


class File(msgspec.Struct, frozen=True, array_like=True):
    mode: int
    """Kind and permissions, as of st_mode."""
    oid: str
    """Of the blob with its content, or with what a symlink says."""

    @property
    def is_link(self) -> bool:
        return stat.S_ISLNK(self.mode)

    @property
    def git_mode(self) -> str:
        if self.is_link:
            return "120000"
        return "100755" if self.mode & stat.S_IXUSR else "100644"


class Details(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is recorded beside the tree of git. Paths are bytes, relative to the workspace; folders end with a slash."""

    modes: dict[bytes, int] = {}
    """Permissions other than PLAIN_MODES."""
    folders: dict[bytes, int] = {}
    """All of them, with their permissions."""
    left_out: dict[bytes, str] = {}
    """Was there, and why it is not recorded."""
    passed: tuple[bytes, ...] = ()
    """Was there and is none of our business: what git ignores, and repositories within the workspace."""
    made: tuple[bytes, ...] = ()
    """Came to be during the turn that this is the end of."""


class Snapshot(msgspec.Struct, frozen=True, kw_only=True):
    files: dict[bytes, File]
    details: Details

    def digest(self) -> str:
        """The same for the same files, whatever was made when."""
        details = msgspec.structs.replace(self.details, made=())
        parts = (sorted(self.files.items()), sorted(details.folders.items()), sorted(details.left_out), details.passed)
        return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()

    def strangers(self, paths: Collection[bytes]) -> set[bytes]:
        """Those of the paths that cannot have been there."""
        closed = {*self.details.left_out, *self.details.passed}
        there = {*self.files, *self.details.folders, *closed}
        return {path for path in paths if path not in there and closed.isdisjoint(above(path))}


def above(path: bytes) -> Iterator[bytes]:
    """The folders that a path lies in, outermost first."""
    at = path.find(b"/")
    while 0 <= at < len(path) - 1:
        yield path[: at + 1]
        at = path.find(b"/", at + 1)


def blob_id(data: bytes) -> str:
    """As git names it."""
    return hashlib.sha1(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest()


def for_people(path: bytes) -> str:
    return path.decode(errors="backslashreplace")
